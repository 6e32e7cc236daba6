"""Delivery of the table's stream to the template's functions."""
