"""Delivers the table's change stream to the template's functions."""
