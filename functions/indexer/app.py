"""Follows the table's stream into the search index and the totals."""

from strata.bootstrap import application

lambda_handler = application().handlers.indexer()
