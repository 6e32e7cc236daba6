"""One page of a partition, from the table or from one of its sparse indexes."""

import sqlite3
from typing import Any

from strata.adapters.rules.conditions import holds
from strata.adapters.rules.cursors import decode_cursor, encode_cursor
from strata.adapters.rules.keys import KEYS_ONLY, partition, stored_key
from strata.adapters.sqlite.rows import parsed
from strata.domain.scope import Scope
from strata.ports.rows import Item, Key
from strata.ports.table import Page, Query, Row


def run_query(connection: sqlite3.Connection, scope: Scope, query: Query, now: float) -> Page:
    """Read until `limit` rows pass the filter, and one more to see whether a page follows.

    Raises:
        InvalidRequest: the cursor was not made by this query.
    """
    statement, parameters = _statement(scope, query, now)
    rows: list[Row] = []
    place: tuple[str, ...] = ()
    cursor = connection.execute(statement, parameters)
    try:
        for pk, sk, text, index_sk in cursor:
            item: Item = {} if query.keys_only or query.index == KEYS_ONLY else parsed(text)
            if query.where is not None and not holds(query.where, item):
                continue
            if len(rows) == query.limit:
                return Page(rows, encode_cursor(scope, query, place))
            rows.append(Row(Key(pk.partition("#")[2], sk), item))
            place = (sk,) if query.index is None else (index_sk, pk, sk)
            if len(rows) == query.limit and not query.resumable:
                break
    finally:
        cursor.close()
    return Page(rows, None)


def _statement(scope: Scope, query: Query, now: float) -> tuple[str, list[Any]]:
    """The SELECT in the order of the sort key; an index's ties are ordered by the row's own key."""
    sort = "sk" if query.index is None else f"{query.index}sk"
    order = ("sk",) if query.index is None else (sort, "pk", "sk")
    column = "pk" if query.index is None else f"{query.index}pk"
    clauses, parameters = [f"{column} = ?"], [partition(scope, query.pk)]
    for operator, end in _bounds(query):
        clauses.append(f"{sort} {operator} ?")
        parameters.append(end)
    after = decode_cursor(scope, query, len(order))
    if after is not None:
        holes = ", ".join("?" * len(order))
        clauses.append(f"({', '.join(order)}) {'<' if query.newest_first else '>'} ({holes})")
        parameters += after
    direction = "DESC" if query.newest_first else "ASC"
    ordering = ", ".join(f"{name} {direction}" for name in order)
    stored_key(scope, Key(query.pk, "".join(parameters[1:])))
    bound: list[Any] = [*parameters]
    if not query.expired:
        clauses.append("(expires_at IS NULL OR expires_at > ?)")
        bound.append(now)
    return (
        f"SELECT pk, sk, item, {sort} FROM items WHERE {' AND '.join(clauses)}"  # noqa: S608 - our own names
        f" ORDER BY {ordering}",
        bound,
    )


def _bounds(query: Query) -> list[tuple[str, str]]:
    bounds: list[tuple[str, str]] = []
    if query.first is not None:
        bounds.append((">=", query.first))
    if query.last is not None:
        bounds.append(("<=", query.last))
    if query.prefix:
        bounds.append((">=", query.prefix))
        beyond = after_prefix(query.prefix)
        if beyond is not None:
            bounds.append(("<", beyond))
    return bounds


def after_prefix(prefix: str) -> str | None:
    """The least string above all with this prefix, by code points; None when there is none."""
    for end in range(len(prefix), 0, -1):
        code = ord(prefix[end - 1]) + 1
        if 0xD800 <= code <= 0xDFFF:  # surrogates are no characters
            code = 0xE000
        if code <= 0x10FFFF:
            return prefix[: end - 1] + chr(code)
    return None
