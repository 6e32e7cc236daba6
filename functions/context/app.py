"""Assembles what an agent's prompt gets."""

from strata.bootstrap import application

lambda_handler = application().handlers.context()
