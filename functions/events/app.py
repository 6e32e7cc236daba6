"""Keeps the events of sessions."""

from strata.cold_start import handler

lambda_handler = handler("events")
