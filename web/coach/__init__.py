"""Advice: worked out, as JSON, and in words."""
