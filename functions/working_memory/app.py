"""Keeps the fields of conversations."""

from strata.bootstrap import application

lambda_handler = application().handlers.working_memory()
