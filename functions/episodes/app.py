"""Stores, finds and forgets episodes."""

from strata.bootstrap import application

lambda_handler = application().episodes_handler()
