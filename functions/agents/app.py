"""Configures agents' memory of people, and shows and deletes what they know."""

from strata.cold_start import handler

lambda_handler = handler("agents")
