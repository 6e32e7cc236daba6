"""Who may enter: checks API keys and tokens."""

from strata.bootstrap import application

lambda_handler = application().handlers.authorizer()
