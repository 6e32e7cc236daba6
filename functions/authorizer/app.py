"""Checks API keys and tokens, and admits those who hold a good one."""

from strata.bootstrap import application

lambda_handler = application().handlers.authorizer()
