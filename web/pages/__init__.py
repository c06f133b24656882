"""The HTML, and what it shows."""
