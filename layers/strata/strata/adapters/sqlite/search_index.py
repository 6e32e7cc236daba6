"""The port `SearchIndex` over the same file: FTS5 for words, numpy over cached vectors for similarity."""

import os
import secrets
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.documents import (
    Columns,
    Prepared,
    Space,
    candidate,
    delete_documents,
    fetch,
    insert_documents,
    prepared,
    space_of,
    versions,
)
from strata.adapters.sqlite.index_tables import make_anew, problems
from strata.adapters.sqlite.migrations import FIRST_MODEL
from strata.adapters.sqlite.narrow import condition, narrowed
from strata.adapters.sqlite.vector_space import VectorSpace
from strata.adapters.sqlite.words import by_words
from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope
from strata.ports.search import Document, NoIndex, SearchQuery

if TYPE_CHECKING:
    from strata.ports.language import Vectors

_PAGE = 1000

_DOCUMENTS_AT_ONCE, _DELETED_AT_ONCE = 50, 100
_CHARACTERS_AT_ONCE = 100_000
"""Limits of one transaction: other writers wait for it."""


class SqliteSearchIndex:
    """Words and vectors of every tenant's documents, in one `SqliteDatabase`.

    Searched vectors are cached in memory, up to `cache_bytes` over all tenants and kinds (LRU; the space in
    use always fits), and follow writes of other processes. `model` is called when there are vectors. With an
    `identity` every call raises `NoIndex` once the file holds another index.
    """

    def __init__(
        self,
        database: SqliteDatabase,
        model: Callable[[], str] = lambda: FIRST_MODEL,
        *,
        cache_bytes: int = 512 * 1024 * 1024,
        identity: str | None = None,
    ) -> None:
        self._database = database
        self._model = model
        self._cache_bytes = cache_bytes
        self._identity = identity
        self._spaces: OrderedDict[tuple[int, str, int], VectorSpace] = OrderedDict()
        self._pid = os.getpid()
        self._lock = threading.Lock()

    def create(self) -> str:
        """The identity of the file's index, which is given one if it has none."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO index_identities VALUES (1, ?)", (f"sqlite-{secrets.token_hex(8)}",)
            )
            return str(_identity(connection))

    def at(self, identity: str) -> "SqliteSearchIndex":
        """The index of this identity."""
        return SqliteSearchIndex(
            self._database, self._model, cache_bytes=self._cache_bytes, identity=identity
        )

    def _check(self, connection: sqlite3.Connection) -> None:
        if self._identity is not None and _identity(connection) != self._identity:
            raise NoIndex("the file holds another index than before; strata reindex makes it anew")

    def write(self, scope: Scope, documents: Sequence[Document], deleted: Sequence[str] = ()) -> None:
        """Index the documents and delete the deleted keys. Of one key the last counts, and a deletion always.

        Many are written in several transactions, so that no other writer waits long.
        """
        newest = {document.key: document for document in documents}
        for key in deleted:
            newest.pop(key, None)
        made = [prepared(document) for document in newest.values()]
        model = self._model() if any(each.vector for each in made) else None
        gone = list(dict.fromkeys(deleted))
        for start in range(0, len(gone), _DELETED_AT_ONCE):
            with self._database.writing() as connection:
                self._check(connection)
                delete_documents(connection, scope.tenant, gone[start : start + _DELETED_AT_ONCE])
        for part in _parts(made):
            with self._database.writing() as connection:
                self._check(connection)
                delete_documents(connection, scope.tenant, [each.key for each in part])
                insert_documents(connection, scope.tenant, part, model)

    def search(self, scope: Scope, query: SearchQuery) -> list[Candidate]:
        """The candidates of both sides, in no particular order."""
        with self._database.snapshot() as connection:
            self._check(connection)
            space = space_of(connection, scope.tenant, query.kind)
            if space is None or query.limit < 1 or not all(query.where):
                return []
            found: dict[int, Columns] = {}
            cosines: dict[int, float] = {}
            share = 0.0
            if query.vector is not None and query.vector.any():
                cosines, share = self._by_vector(connection, space, query, query.vector, found)
            texts = by_words(connection, space, query, share, found)
        return [
            candidate(found[number], texts.get(number), cosines.get(number)) for number in texts | cosines
        ]

    def catalog(
        self, scope: Scope, kind: str, keys: Sequence[str] | None = None
    ) -> Iterator[tuple[str, int]]:
        """Keys and versions of documents, in pages, so that no read stays open between two of them."""
        if keys is not None:
            with self._database.snapshot() as connection:
                self._check(connection)
                there = space_of(connection, scope.tenant, kind)
                found = versions(connection, scope.tenant, there, keys) if there else []
            yield from found
            return
        after = 0
        while True:
            with self._database.reading() as connection:
                self._check(connection)
                space = space_of(connection, scope.tenant, kind)
                if space is None:
                    return
                rows = connection.execute(
                    "SELECT id, key, version FROM documents WHERE id >= ? AND id <= ? ORDER BY id LIMIT ?",
                    (max(after + 1, space.first), space.last, _PAGE),
                ).fetchall()
            yield from ((key, version) for _, key, version in rows)
            if len(rows) < _PAGE:
                return
            after = rows[-1][0]

    def count(self, scope: Scope, kind: str) -> int:
        """The number of documents of a kind."""
        with self._database.snapshot() as connection:
            space = space_of(connection, scope.tenant, kind)
            if space is None:
                return 0
            within = "SELECT count(*) FROM documents WHERE id BETWEEN ? AND ?"
            return int(connection.execute(within, (space.first, space.last)).fetchone()[0])

    def fits(self) -> bool:
        """Whether the whole index is of this process's model."""
        with self._database.reading() as connection:
            self._check(connection)
            row = connection.execute("SELECT model FROM index_models").fetchone()
        return row is None or row[0] == self._model()

    def begin_rebuild(self, *, resume: bool = False) -> "InPlace":
        """Rebuild in place: each document is replaced while the others can be searched.

        A damaged index is replaced by an empty one of another identity first.
        """
        if self.problems():
            make_anew(self._database)
        return InPlace(self, self.create())

    def problems(self) -> list[str]:
        """The damages of the index, a sentence each."""
        return problems(self._database)

    def settle_model(self) -> None:
        """Record that all vectors are of this process's model now."""
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO index_models VALUES (1, ?)", (self._model(),))

    def optimize(self) -> None:
        """Merge the full-text index into one segment: faster to search, and without deleted words."""
        with self._database.writing() as connection:
            connection.execute("INSERT INTO words (words) VALUES ('optimize')")

    def _by_vector(
        self,
        connection: sqlite3.Connection,
        space: Space,
        query: SearchQuery,
        vector: "Vectors",
        found: dict[int, Columns],
    ) -> tuple[dict[int, float], float]:
        """Cosine by id of the nearest documents, which are added to `found`; the share that pass the filter.

        Cached rows that the file lacks were deleted meanwhile: they are marked dead, and the search is
        repeated with a larger limit until enough rows are live.
        """
        limit, among = query.limit, None
        if query.narrowing:
            among = narrowed(connection, space.first, space.last, condition(query.narrowing))
        with self._guard():
            cached = self._space(space.id, len(vector))
            cached.catch_up(connection, space.first, space.last, space.live)
            while True:
                nearest, share = cached.nearest(vector, query.where, space.last, limit, among)
                found |= fetch(connection, [number for number, _ in nearest if number not in found])
                dead = [number for number, _ in nearest if number not in found]
                if not dead:
                    break
                cached.mark_dead(dead)
                limit *= 2
            self._make_room()
        return dict(nearest[: query.limit]), share

    def _guard(self) -> threading.Lock:
        """The lock of the caches. A forked child shares the caches' memory, but has a lock of its own."""
        if self._pid != os.getpid():
            if self._lock.locked():  # forked in the middle of a change by another thread
                self._spaces.clear()
            self._pid, self._lock = os.getpid(), threading.Lock()
        return self._lock

    def _space(self, number: int, dimensions: int) -> VectorSpace:
        key = (number, self._model(), dimensions)
        if key not in self._spaces:
            self._spaces[key] = VectorSpace(*key[1:])
        self._spaces.move_to_end(key)
        return self._spaces[key]

    def _make_room(self) -> None:
        while (
            len(self._spaces) > 1 and sum(each.nbytes for each in self._spaces.values()) > self._cache_bytes
        ):
            self._spaces.popitem(last=False)


@dataclass(frozen=True, slots=True)
class InPlace:
    """A rebuild of the live index itself."""

    index: SqliteSearchIndex
    identity: str

    def finish(self) -> None:
        """Optimize the full-text index, and record its model as that of all vectors."""
        self.index.optimize()
        self.index.settle_model()


def _parts(documents: Sequence[Prepared]) -> Iterator[list[Prepared]]:
    """The documents in parts that are written in some milliseconds."""
    part: list[Prepared] = []
    size = 0
    for document in documents:
        if part and (len(part) == _DOCUMENTS_AT_ONCE or size + document.size > _CHARACTERS_AT_ONCE):
            yield part
            part, size = [], 0
        part.append(document)
        size += document.size
    if part:
        yield part


def _identity(connection: sqlite3.Connection) -> str | None:
    row = connection.execute("SELECT identity FROM index_identities").fetchone()
    return None if row is None else row[0]
