"""Operator's repairs: reindex, redrive, verify."""
