"""Exports and imports."""

from strata.cold_start import handler

lambda_handler = handler("transfer")
