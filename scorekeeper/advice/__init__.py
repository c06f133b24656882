"""Exact expected values of keeps and boxes. The only part of the rules that uses numpy."""
