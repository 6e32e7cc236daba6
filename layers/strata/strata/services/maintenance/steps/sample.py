"""Samples of partitions: the newest rows, and some from anywhere."""

import random

from strata.domain.scope import Scope
from strata.ports.rows import Item
from strata.ports.table import Query, Table
from strata.services.records.kinds import Kind
from strata.services.records.parts import numbered

NEWEST = 20
OLDER = 20


def sample(table: Table, scope: Scope, kind: Kind, partition: str) -> list[Item]:
    """Up to 40 rows of a partition, by at most three queries; over the days every row has its turn.

    Malformed rows are left out: the indexer has put them aside.
    """

    def rows(query: Query) -> tuple[int, list[Item]]:
        """The number of rows that were read, and the whole ones among them."""
        read = table.query(scope, query).rows
        return len(read), [row.item for row in read if kind.is_whole(row.item)]

    count, newest = rows(Query(partition, prefix=kind.prefix, newest_first=True, limit=NEWEST))
    if count < NEWEST or not newest:
        return newest
    _, oldest = rows(Query(partition, prefix=kind.prefix, limit=1))
    first, last = (oldest or newest)[0]["id"], newest[-1]["id"] - 1
    if first > last:
        return newest
    bounds = (kind.prefix + numbered(number) for number in (random.randint(first, last), last))
    from_there, until = bounds
    _, older = rows(Query(partition, first=from_there, last=until, limit=OLDER))
    return newest + older
