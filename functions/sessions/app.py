"""Starts and lists sessions."""

from strata.bootstrap import application

lambda_handler = application().handlers.sessions()
