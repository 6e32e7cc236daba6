"""Keeps the fields of conversations."""

from strata.cold_start import handler

lambda_handler = handler("working_memory")
