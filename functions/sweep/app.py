"""Scheduled maintenance."""

from strata.cold_start import handler

lambda_handler = handler("sweep")
