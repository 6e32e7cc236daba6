"""Saves, changes and deletes observations."""

from strata.cold_start import handler

lambda_handler = handler("save")
