"""Saves, changes and deletes observations."""

from strata.bootstrap import application

lambda_handler = application().handlers.save()
