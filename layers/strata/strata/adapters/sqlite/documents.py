"""The documents of the index: writes to its three tables, and reads."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from strata.adapters.sqlite import narrow
from strata.adapters.sqlite.match import Where, facets
from strata.domain.retrieval import Candidate
from strata.domain.text.analysis import searchable
from strata.domain.text.strings import encodable
from strata.ports.search import Document

_SPACE_BITS = 40
_CHUNK = 500  # ids or keys in one statement

_FETCH = (
    "SELECT id, key, title, text, keywords, position, session_id, previous, fields"
    " FROM documents WHERE id IN ({})"
)

Columns = list[Any]
"""key, title, text, keywords, order, session_id, previous, and the fields as JSON"""


class Space(NamedTuple):
    """One kind of one tenant: its range of ids, and its number of vectors."""

    id: int
    first: int
    last: int
    live: int


def space_of(connection: sqlite3.Connection, tenant: str, kind: str) -> Space | None:
    """The space; None when nothing was ever written to it."""
    row = connection.execute(
        "SELECT id, last, live FROM spaces WHERE tenant = ? AND kind = ?", (tenant, encodable(kind))
    ).fetchone()
    if row is None:
        return None
    base = row[0] << _SPACE_BITS
    return Space(row[0], base + 1, base + row[1], row[2])


def fetch(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Columns]:
    """The documents by id; deleted ones are left out."""
    found: dict[int, Columns] = {}
    for start in range(0, len(ids), _CHUNK):
        chunk = ids[start : start + _CHUNK]
        for number, *columns in connection.execute(_FETCH.format(_holes(len(chunk))), chunk):
            found[number] = columns
    return found


def candidate(columns: Columns, bm25: float | None, cosine: float | None) -> Candidate:
    """The candidate from a row of `fetch` and its scores."""
    key, title, text, keywords, order, session_id, previous, fields = columns
    return Candidate(
        key, title, text, keywords, order, session_id, previous, bm25, cosine, dict(_parsed(fields))
    )


def has_facets(columns: Columns, where: Where) -> bool:
    """Whether a row of `fetch` passes the filter."""
    fields = _parsed(columns[-1])
    return all(any(fields.get(field) == value for field, value in clause) for clause in where)


def versions(
    connection: sqlite3.Connection, tenant: str, space: Space, keys: Sequence[str]
) -> list[tuple[str, int]]:
    """Keys and versions of those documents that are in the space."""
    found: list[tuple[str, int]] = []
    stored = list(dict.fromkeys(map(encodable, keys)))
    for start in range(0, len(stored), _CHUNK):
        chunk = stored[start : start + _CHUNK]
        found += connection.execute(
            f"SELECT key, version FROM documents WHERE tenant = ? AND key IN ({_holes(len(chunk))})"  # noqa: S608
            " AND id BETWEEN ? AND ?",
            (tenant, *chunk, space.first, space.last),
        )
    return found


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document as its tables store it, which was worked out before any lock is taken.

    Attributes:
        key, kind: the document's.
        columns: of its row in `documents`, after the id, the tenant and the key.
        words: of its row in `words`, after the id.
        fields: the facets, as JSON.
        narrowing: of its row in `narrowings`, after the id.
        vector: the bytes of its vector; None without one.
    """

    key: str
    kind: str
    columns: tuple[str | int | None, ...]
    words: tuple[str, ...]
    fields: str
    narrowing: tuple[int | None, int | None, str]
    vector: bytes | None

    @property
    def size(self) -> int:
        """The characters of its text, which take most of the time of a write."""
        return sum(map(len, self.words))


def prepared(document: Document) -> Prepared:
    """The document as it is stored."""
    texts = [encodable(text) for text in (document.title, document.text, document.keywords)]
    fields = json.dumps(dict(document.fields), separators=(",", ":"))
    vector = document.vector
    return Prepared(
        encodable(document.key),
        encodable(document.kind),
        (*texts, document.order, document.session_id, document.previous, fields, document.version),
        (*map(searchable, texts), facets(document.fields)),
        fields,
        narrow.stored(document),
        vector.astype("<f4", copy=False).tobytes() if vector is not None and vector.any() else None,
    )


def insert_documents(
    connection: sqlite3.Connection, tenant: str, documents: Sequence[Prepared], model: str | None
) -> None:
    """Add documents with new keys, inside the caller's transaction. `model` made the vectors, if any."""
    by_kind: dict[str, list[Prepared]] = {}
    for document in documents:
        by_kind.setdefault(document.kind, []).append(document)
    for kind, of_kind in by_kind.items():
        vectors = sum(document.vector is not None for document in of_kind)
        first = _take_ids(connection, tenant, kind, len(of_kind), vectors)
        numbered = list(enumerate(of_kind, first))
        connection.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, tenant, document.key, *document.columns) for number, document in numbered],
        )
        connection.executemany(
            "INSERT INTO words (rowid, title, text, keywords, facets) VALUES (?, ?, ?, ?, ?)",
            [(number, *document.words) for number, document in numbered],
        )
        connection.executemany(
            "INSERT OR REPLACE INTO narrowings VALUES (?, ?, ?, ?)",
            [(number, *document.narrowing) for number, document in numbered],
        )
        if vectors:
            connection.execute("INSERT OR IGNORE INTO index_models VALUES (1, ?)", (model,))
            connection.executemany(
                "INSERT INTO vectors (id, fields, vector, model) VALUES (?, ?, ?, ?)",
                [
                    (number, document.fields, document.vector, model)
                    for number, document in numbered
                    if document.vector is not None
                ],
            )


def delete_documents(connection: sqlite3.Connection, tenant: str, keys: Sequence[str]) -> None:
    """Remove the documents of these keys, of any kind, inside the caller's transaction."""
    stored = [encodable(key) for key in keys]
    ids: list[tuple[int]] = []
    for start in range(0, len(stored), _CHUNK):
        chunk = stored[start : start + _CHUNK]
        ids += connection.execute(
            f"SELECT id FROM documents WHERE tenant = ? AND key IN ({_holes(len(chunk))})",  # noqa: S608
            (tenant, *chunk),
        )
    if not ids:
        return
    connection.executemany("DELETE FROM documents WHERE id = ?", ids)
    connection.executemany("DELETE FROM words WHERE rowid = ?", ids)
    connection.executemany("DELETE FROM narrowings WHERE id = ?", ids)
    for (number,) in ids:
        if connection.execute("DELETE FROM vectors WHERE id = ?", (number,)).rowcount:
            connection.execute("UPDATE spaces SET live = live - 1 WHERE id = ?", (number >> _SPACE_BITS,))


def _take_ids(connection: sqlite3.Connection, tenant: str, kind: str, count: int, vectors: int) -> int:
    """The first of `count` new ids of the space, which is created if necessary."""
    row = connection.execute(
        "INSERT INTO spaces (tenant, kind, last, live) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, kind)"
        " DO UPDATE SET last = last + excluded.last, live = live + excluded.live RETURNING id, last",
        (tenant, kind, count, vectors),
    ).fetchone()
    return int((row[0] << _SPACE_BITS) + row[1] - count + 1)


@lru_cache(maxsize=4096)
def _parsed(fields: str) -> dict[str, str]:
    """Parse facets, cached: most documents of a project have the same ones."""
    parsed: dict[str, str] = json.loads(fields)
    return parsed


def _holes(count: int) -> str:
    return ",".join("?" * count)
