"""Finds, shows and changes the entities that memories name."""

from strata.cold_start import handler

lambda_handler = handler("entities")
