"""Configures agents' memory of people, and shows and deletes what they know."""

from strata.bootstrap import application

lambda_handler = application().handlers.agents()
