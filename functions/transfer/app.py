"""Exports and imports."""

from strata.bootstrap import application

lambda_handler = application().handlers.transfer()
