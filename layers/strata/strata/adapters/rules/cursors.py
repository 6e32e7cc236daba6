"""Cursors of queries, bound to their query."""

import hashlib
import json

from strata.domain.cursors import foreign, opened, sealed
from strata.domain.scope import Scope
from strata.ports.table import Query


def encode_cursor(scope: Scope, query: Query, place: tuple[str, ...]) -> str:
    """The cursor that continues after `place`: the sort key and its tie-breaker."""
    return sealed(_fingerprint(scope, query), place)


def decode_cursor(scope: Scope, query: Query, parts: int) -> tuple[str, ...] | None:
    """The place in the query's cursor; None without a cursor.

    Raises:
        InvalidRequest: the cursor was not made by this query.
    """
    if query.cursor is None:
        return None
    place = opened(query.cursor, _fingerprint(scope, query))
    if place is None or len(place) != parts or not all(isinstance(each, str) for each in place):
        raise foreign("listing")
    return tuple(place)


def _fingerprint(scope: Scope, query: Query) -> str:
    """A hash of tenant, partition and direction; the filter may change with time between two pages."""
    named = json.dumps([scope.tenant, query.pk, query.index, query.newest_first])
    return hashlib.blake2b(named.encode(), digest_size=8).hexdigest()
