"""Searches and reads observations."""

from strata.bootstrap import application

lambda_handler = application().handlers.search()
