"""Keeps what conversations have been given."""

from strata.cold_start import handler

lambda_handler = handler("ledger")
