"""The JSON interface under `/api/v1`, and the JSON that it shares with the command line."""
