"""Queries over all pages, each read when its rows are needed."""

from collections.abc import Iterator
from dataclasses import replace

from strata.domain.scope import Scope
from strata.ports.table import Query, Row, Table


def every_page(table: Table, scope: Scope, query: Query) -> Iterator[list[Row]]:
    """The pages of a query, of `query.limit` rows each; the last one may be empty."""
    cursor = query.cursor
    while True:
        page = table.query(scope, replace(query, cursor=cursor))
        yield page.rows
        cursor = page.cursor
        if cursor is None:
            return


def every_row(table: Table, scope: Scope, query: Query) -> Iterator[Row]:
    """The rows of a query, over all its pages."""
    for rows in every_page(table, scope, query):
        yield from rows
