"""Answers questions about people."""

from strata.bootstrap import application

lambda_handler = application().handlers.questions()
