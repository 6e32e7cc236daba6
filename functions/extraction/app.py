"""Finds facts about people in what they said."""

from strata.cold_start import handler

lambda_handler = handler("extraction")
