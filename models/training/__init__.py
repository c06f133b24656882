"""How the weights came to be: rendering, data, training, export. In the repository, not in the wheel."""
