"""Assembles what an agent's prompt gets."""

from strata.cold_start import handler

lambda_handler = handler("context")
