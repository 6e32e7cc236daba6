"""Pairs of notes of which the newer one replaces the older one, or does not."""
