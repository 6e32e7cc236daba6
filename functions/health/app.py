"""Health, totals and the API's description."""

from strata.cold_start import handler

lambda_handler = handler("health")
