"""The memory as tools of the Model Context Protocol."""

from strata.cold_start import handler

lambda_handler = handler("mcp")
