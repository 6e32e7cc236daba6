"""Keeps what conversations have been given."""

from strata.bootstrap import application

lambda_handler = application().handlers.ledger()
