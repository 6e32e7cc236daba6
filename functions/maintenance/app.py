"""Maintenance by hand, and what runs came to."""

from strata.cold_start import handler

lambda_handler = handler("maintenance")
