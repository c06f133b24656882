"""The networks' weights, and how they came to be."""
