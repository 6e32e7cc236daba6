"""Ends sessions."""

from strata.bootstrap import application

lambda_handler = application().session_end_handler()
