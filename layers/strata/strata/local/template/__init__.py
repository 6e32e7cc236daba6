"""Reads `template.yaml`: its functions, event sources and table."""
