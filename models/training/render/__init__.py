"""Rendered scenes of dice with exact labels; run with `python -m models.training.render` (see the README beside)."""
