"""Keeps what is known about people: their profiles."""

from strata.cold_start import handler

lambda_handler = handler("knowledge")
