"""The index follows the table: each changed key is indexed as its row is now, or deleted.

An event's image is never trusted, so late, repeated and reordered events do no harm.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from strata.domain.scope import Scope
from strata.ports import Document, Embedder, Item, Key, Query, SearchIndex, Table
from strata.services.records import (
    OBSERVATION_KIND,
    numbered,
    observation_id_of,
    observation_of,
    session_observations,
)
from strata.services.rounds import Rounds


class Indexing:
    """Writes the search index; nothing else does.

    Args:
        table: the source of truth.
        index: what is written.
        embedder: makes the vectors.
        rounds: asks for several rows at once.
    """

    def __init__(self, table: Table, index: SearchIndex, embedder: Embedder, rounds: Rounds) -> None:
        self._rounds = rounds
        self._table = table
        self._index = index
        self._embedder = embedder

    def follow(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Bring the index up to date with these keys; those that are not searched are passed over."""
        searched = list(dict.fromkeys(key for key in map(observation_of, keys) if key is not None))
        if not searched:
            return
        rows = self._table.get_many(scope, searched)
        gone = [str(observation_id_of(key)) for key in searched if key not in rows]
        self.write(scope, list(rows.values()), gone)

    def follow_beside(self, scope: Scope, keys: Iterable[Key]) -> None:
        """As `follow`, for work beside the stream's: what changed between reading and writing is done again.

        So it can't put an old state over the newer one that the stream has written meanwhile.
        """
        left = list(dict.fromkeys(key for key in map(observation_of, keys) if key is not None))
        while left:
            before = self._table.get_many(scope, left)
            gone = [str(observation_id_of(key)) for key in left if key not in before]
            self.write(scope, list(before.values()), gone)
            after = self._table.get_many(scope, left)
            left = [key for key in left if _version(before.get(key)) != _version(after.get(key))]

    def over(self, index: SearchIndex) -> "Indexing":
        """The same for another index."""
        return Indexing(self._table, index, self._embedder, self._rounds)

    def write(self, scope: Scope, rows: Sequence[Item], gone: Sequence[str] = ()) -> None:
        """Index rows that were just read from the table, and drop the documents that are gone."""
        vectors = self._embedder.embed([embedded_text(row) for row in rows]) if rows else ()
        previous = self._rounds.each([partial(self._previous, scope, row) for row in rows])
        documents = [
            document(row, vector=vector, previous=before)
            for row, vector, before in zip(rows, vectors, previous, strict=True)
        ]
        self._index.write(scope, documents, gone)

    def drop(self, scope: Scope, documents: Sequence[str]) -> None:
        """Delete these documents, whose rows are gone."""
        self._index.write(scope, [], documents)

    def _previous(self, scope: Scope, row: Item) -> str | None:
        """The observation saved just before this one in its session."""
        query = Query(
            session_observations(row["session_id"]),
            index="gsi1",
            last=numbered(row["id"] - 1),
            newest_first=True,
            limit=1,
            resumable=False,
        )
        page = self._table.query(scope, query)
        return str(page.rows[0].item["id"]) if page.rows else None


def _version(row: Item | None) -> int | None:
    return None if row is None else row["updated_at"]


def embedded_text(row: Item) -> str:
    """What a vector stands for: everything that a search by words would look at."""
    return " ".join(filter(None, (row["title"], keywords(row), row["content"])))


def keywords(row: Item) -> str:
    """Tags and topic key as searchable text."""
    return " ".join([*(row.get("tags") or ()), row.get("topic_key") or ""]).strip()


def fields(row: Item) -> dict[str, str]:
    """What an observation can be filtered by."""
    named = {name: row.get(name) for name in ("project", "type", "scope", "user_id")}
    return {name: value for name, value in named.items() if value}


def document(row: Item, *, vector: object, previous: str | None) -> Document:
    """An observation's row as the index holds it."""
    return Document(
        key=str(row["id"]),
        kind=OBSERVATION_KIND,
        title=row["title"],
        text=row["content"],
        keywords=keywords(row),
        order=row["id"],
        session_id=row["session_id"],
        previous=previous,
        fields=fields(row),
        vector=vector,  # type: ignore[arg-type]
        version=row["updated_at"],
    )
