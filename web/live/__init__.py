"""The live table: a game that a camera follows."""
