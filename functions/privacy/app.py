"""Keeps what people agree to."""

from strata.cold_start import handler

lambda_handler = handler("privacy")
