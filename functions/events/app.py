"""Keeps the events of sessions."""

from strata.bootstrap import application

lambda_handler = application().handlers.events()
