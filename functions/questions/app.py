"""Answers questions about people."""

from strata.cold_start import handler

lambda_handler = handler("questions")
