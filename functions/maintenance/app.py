"""Maintenance by hand, and what runs came to."""

from strata.bootstrap import application

lambda_handler = application().handlers.maintenance()
