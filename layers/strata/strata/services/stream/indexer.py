"""The index follows the table: each changed key is indexed as its row is now, or deleted.

An event's image is never trusted, so late, repeated and reordered events do no harm.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from strata.domain.scope import Scope
from strata.ports import Embedder, Item, Key, Query, SearchIndex, Table
from strata.services.records.parts import numbered
from strata.services.search.kinds import Kind, embedded_text, searched
from strata.services.table.parallel import Parallel

Rows = Mapping[Key, Item]


class Indexer:
    """Writes the search index; nothing else does.

    Args:
        table: the source of truth.
        index: what is written.
        embedder: makes the vectors.
        rounds: asks for several rows at once.
    """

    def __init__(self, table: Table, index: SearchIndex, embedder: Embedder, rounds: Parallel) -> None:
        self._rounds = rounds
        self._table = table
        self._index = index
        self._embedder = embedder

    def follow(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Bring the index up to date with these keys; those that are not searched are passed over."""
        kinds = _searched(keys)
        if kinds:
            self._bring(scope, kinds, self._table.get_many(scope, list(kinds)))

    def follow_beside(self, scope: Scope, keys: Iterable[Key]) -> None:
        """As `follow`, for work beside the stream's: what changed between reading and writing is done again.

        So it can't put an old state over the newer one that the stream has written meanwhile.
        """
        left = _searched(keys)
        while left:
            before = self._table.get_many(scope, list(left))
            self._bring(scope, left, before)
            after = self._table.get_many(scope, list(left))
            left = {
                key: kind
                for key, kind in left.items()
                if _version(before.get(key)) != _version(after.get(key))
            }

    def _bring(self, scope: Scope, kinds: Mapping[Key, Kind], rows: Rows) -> None:
        gone = [kind.document_of(key) for key, kind in kinds.items() if key not in rows]
        self.write(scope, [(kinds[key], row) for key, row in rows.items()], gone)

    def over(self, index: SearchIndex) -> "Indexer":
        """The same for another index."""
        return Indexer(self._table, index, self._embedder, self._rounds)

    def write(self, scope: Scope, rows: Sequence[tuple[Kind, Item]], gone: Sequence[str] = ()) -> None:
        """Index rows that were just read from the table, and drop the documents that are gone."""
        documents = [kind.document(row) for kind, row in rows]
        vectors = self._embedder.embed([embedded_text(each) for each in documents]) if documents else ()
        previous = self._rounds.each([partial(self._previous, scope, kind, row) for kind, row in rows])
        made = [
            replace(document, vector=vector, previous=before)
            for document, vector, before in zip(documents, vectors, previous, strict=True)
        ]
        self._index.write(scope, made, gone)

    def drop(self, scope: Scope, documents: Sequence[str]) -> None:
        """Delete these documents, whose rows are gone."""
        self._index.write(scope, [], documents)

    def _previous(self, scope: Scope, kind: Kind, row: Item) -> str | None:
        """The memory saved just before this one in its session."""
        session = kind.session(row)
        if session is None:
            return None
        query = Query(
            session,
            index="gsi1",
            last=numbered(row["id"] - 1),
            newest_first=True,
            limit=1,
            resumable=False,
        )
        page = self._table.query(scope, query)
        return kind.document_key(page.rows[0].item["id"]) if page.rows else None


def _searched(keys: Iterable[Key]) -> dict[Key, Kind]:
    """The searched rows that these changed keys are about, each once."""
    return {found[1]: found[0] for found in map(searched, keys) if found is not None}


def _version(row: Item | None) -> int | None:
    return None if row is None else row["updated_at"]
