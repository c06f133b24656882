"""Clips of throws: what happens at a table, rendered, with the truth about every roll."""
