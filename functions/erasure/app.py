"""Erases what is stored about people, step by step."""

from strata.cold_start import handler

lambda_handler = handler("erasure")
