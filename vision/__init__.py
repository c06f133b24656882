"""A frame in, a Reading out: finds the dice of a picture and reads them. Knows nothing of games."""
