"""Starts and lists sessions."""

from strata.cold_start import handler

lambda_handler = handler("sessions")
