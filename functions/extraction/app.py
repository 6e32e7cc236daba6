"""Finds facts about people in what they said."""

from strata.bootstrap import application

lambda_handler = application().handlers.extraction()
