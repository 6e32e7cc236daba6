"""Ends sessions."""

from strata.cold_start import handler

lambda_handler = handler("session_end")
