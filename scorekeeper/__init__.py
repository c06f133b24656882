"""The rules of the games and their score sheets. Pure, but for the store."""
