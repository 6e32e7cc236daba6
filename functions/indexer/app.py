"""Follows the table's stream into the search index and the totals."""

from strata.cold_start import handler

lambda_handler = handler("indexer")
