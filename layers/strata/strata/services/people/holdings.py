"""Queries that find the rows of a person.

Every row that names its owner is in gsi3, by kind. Rows in the sessions and conversations that a person owns
are theirs as well, also those written before these had an owner; a memory there that names somebody else is
not.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.rows import Item, Key
from strata.ports.table import Query, Row, Table
from strata.services.records.episodes import EPISODE_PREFIX, EPISODES_PREFIX, episodes_pk, session_episodes
from strata.services.records.knowledge import knowledge_pk
from strata.services.records.observations import session_observations, trashed_observations
from strata.services.records.owners import owner_pk
from strata.services.records.people import FACT_KIND
from strata.services.records.sessions import SESSION_KIND, SESSION_SK, session_around, session_key
from strata.services.table.pages import every_row

PAGE = 100


def owned_rows(owner: str) -> Query:
    """Keys of the rows that name their owner, expired ones included."""
    return Query(owner_pk(owner), index="gsi3", limit=PAGE, expired=True)


def owned_sessions(owner: str) -> Query:
    """The same of sessions and conversations only."""
    return replace(owned_rows(owner), first=SESSION_KIND, last=SESSION_KIND)


def owned_facts(owner: str) -> Query:
    """The same of facts only."""
    return replace(owned_rows(owner), first=FACT_KIND, last=FACT_KIND)


def own_partitions(owner: str) -> tuple[Query, ...]:
    """The partitions that are a person's own; rows that an erasure keeps are among theirs."""
    return (
        Query(episodes_pk(owner), prefix=EPISODE_PREFIX, limit=PAGE, expired=True),
        Query(owner_pk(owner), limit=PAGE, expired=True),
        Query(knowledge_pk(owner), limit=PAGE, expired=True),
    )


def in_session(session_id: str) -> tuple[Query, ...]:
    """The rows of a session or conversation, and its memories from an index that may lag."""
    return (
        Query(session_key(session_id).pk, limit=PAGE, expired=True),
        Query(session_observations(session_id), index="gsi1", limit=PAGE, expired=True),
        Query(trashed_observations(session_id), index="gsi1", limit=PAGE, expired=True),
        Query(session_episodes(session_id), index="gsi1", limit=PAGE, expired=True),
    )


def session_of(key: Key) -> str | None:
    """The id of the session whose row has this key; None for other rows."""
    return session_around(key) if key.sk == SESSION_SK else None


def is_theirs(key: Key, item: Item, owner: str) -> bool:
    """Whether a memory in a person's session is theirs: it names them or nobody."""
    named = item.get("user_id")
    if key.pk.startswith(EPISODES_PREFIX):
        return item.get("owner") in (owner, DEFAULT_OWNER) and named in (None, owner)
    return named in (None, owner)


def sessions_among(table: Table, scope: Scope, keys: Iterable[Key]) -> dict[Key, Item]:
    """The rows of the sessions that are among changed rows, as they are now."""
    sessions = [key for key in dict.fromkeys(keys) if key.sk == SESSION_SK]
    return table.get_many(scope, sessions) if sessions else {}


def sessions_of(table: Table, scope: Scope, owner: str, sessions: Iterable[str]) -> dict[str, Item]:
    """The rows of those of these sessions that the person owns now."""
    keys = {session_key(each): each for each in sessions}
    rows = table.get_many(scope, list(keys)) if keys else {}
    return {keys[key]: row for key, row in rows.items() if row.get("user_id") == owner}


def rows_of(table: Table, scope: Scope, query: Query, now: float) -> Iterator[Row]:
    """The rows of a query; rows of an index as they are in the table at `now` (epoch seconds).

    Expired rows that are still stored are among them; gsi3 gives such a row without its item.
    """
    page: list[Row] = []
    for row in every_row(table, scope, query):
        if query.index is None:
            yield row
            continue
        page.append(row)
        if len(page) == PAGE:
            yield from _current(table, scope, page, now)
            page = []
    yield from _current(table, scope, page, now)


def is_expired(item: Item, now: float) -> bool:
    """Whether a row has expired at `now` (epoch seconds)."""
    end = item.get("expires_at")
    return isinstance(end, int | float) and not isinstance(end, bool) and end <= now


def _current(table: Table, scope: Scope, page: list[Row], now: float) -> Iterator[Row]:
    keys = [row.key for row in page]
    rows = table.get_many(scope, keys) if keys else {}
    for row in page:
        if row.key in rows:
            yield Row(row.key, rows[row.key])
        elif not row.item or is_expired(row.item, now):
            yield row
