"""Consumers of the table's change stream: the search index and the totals."""
