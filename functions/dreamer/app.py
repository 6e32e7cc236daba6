"""Draws conclusions about people from what they said."""

from strata.bootstrap import application

lambda_handler = application().handlers.dreamer()
