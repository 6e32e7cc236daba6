"""Keeps what people agree to."""

from strata.bootstrap import application

lambda_handler = application().handlers.privacy()
