"""Stores, finds and forgets episodes."""

from strata.cold_start import handler

lambda_handler = handler("episodes")
