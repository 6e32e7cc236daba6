"""Searches and reads observations."""

from strata.cold_start import handler

lambda_handler = handler("search")
