"""The page, the JSON interface and the command line."""
