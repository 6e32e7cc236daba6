"""Reads `template.yaml`: its functions and what calls them."""
