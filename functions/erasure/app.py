"""Erases what is stored about people, step by step."""

from strata.bootstrap import application

lambda_handler = application().handlers.erasure()
