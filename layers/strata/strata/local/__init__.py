"""Runs `template.yaml` on one machine: its routes and its table's stream, with the deployed functions."""
