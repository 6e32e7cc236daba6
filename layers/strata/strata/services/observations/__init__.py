"""Observations: saved with dedup, read, changed, deleted."""
