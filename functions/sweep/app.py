"""Scheduled maintenance."""

from strata.bootstrap import application

lambda_handler = application().handlers.sweep()
