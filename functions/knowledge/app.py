"""Keeps what is known about people: their profiles."""

from strata.bootstrap import application

lambda_handler = application().handlers.knowledge()
