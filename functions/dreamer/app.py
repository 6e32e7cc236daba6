"""Draws conclusions about people from what they said."""

from strata.cold_start import handler

lambda_handler = handler("dreamer")
