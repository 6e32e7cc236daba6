"""Queries read to their end, page after page, as their rows are asked for."""

from collections.abc import Iterator
from dataclasses import replace

from strata.domain.scope import Scope
from strata.ports import Query, Row, Table


def every_page(table: Table, scope: Scope, query: Query) -> Iterator[list[Row]]:
    """The rows of a query, `query.limit` of them at a time; the last page may be empty."""
    cursor = query.cursor
    while True:
        page = table.query(scope, replace(query, cursor=cursor))
        yield page.rows
        cursor = page.cursor
        if cursor is None:
            return


def every_row(table: Table, scope: Scope, query: Query) -> Iterator[Row]:
    """The rows of a query, one after the other."""
    for rows in every_page(table, scope, query):
        yield from rows
