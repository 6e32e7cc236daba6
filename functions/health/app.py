"""Health, totals and the API's description."""

from strata.bootstrap import application

lambda_handler = application().handlers.health()
