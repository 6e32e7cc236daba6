"""Ends sessions."""

from strata.bootstrap import application

lambda_handler = application().handlers.session_end()
