"""The memory as tools of the Model Context Protocol."""

from strata.bootstrap import application

lambda_handler = application().handlers.mcp()
