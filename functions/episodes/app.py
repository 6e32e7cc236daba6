"""Stores, finds and forgets episodes."""

from strata.bootstrap import application

lambda_handler = application().handlers.episodes()
