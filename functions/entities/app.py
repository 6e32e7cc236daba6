"""Finds, shows and changes the entities that memories name."""

from strata.bootstrap import application

lambda_handler = application().handlers.entities()
