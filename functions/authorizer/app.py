"""Checks API keys and tokens, and admits those who hold a good one."""

from strata.cold_start import handler

lambda_handler = handler("authorizer")
