"""Recognizers of entities: by rules."""
