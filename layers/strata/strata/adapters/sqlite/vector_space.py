"""Exact nearest neighbours over the vectors of one space, cached in memory and updated from the file."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from strata.adapters.sqlite.match import Where

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from strata.ports.language import Vectors

CHUNK = 8192
"""Rows of one block of memory: 8 MiB at 256 dimensions. Growing adds a block and copies nothing."""


class _Chunk:
    """Up to `CHUNK` rows: ids in rising order, vectors, and a code for each facet's value (0: none)."""

    def __init__(self, dimensions: int) -> None:
        import numpy as np  # noqa: PLC0415 - 0.15 s that a process without vectors saves

        self.size = 0
        self.ids = np.empty(CHUNK, np.int64)
        self.vectors = np.empty((CHUNK, dimensions), np.float32)
        self.alive = np.ones(CHUNK, np.bool_)
        self.codes: dict[str, NDArray[np.int32]] = {}

    def column(self, field: str) -> "NDArray[np.int32]":
        """The codes of one facet, created with its first row."""
        import numpy as np  # noqa: PLC0415

        if field not in self.codes:
            self.codes[field] = np.zeros(CHUNK, np.int32)
        return self.codes[field]


class VectorSpace:
    """The vectors of one kind of one tenant and of one model. Not thread-safe: its owner locks.

    Rows are only added, in the order of their ids, and marked dead; the file's ids are never reused, so
    reading the ids above the highest known one is a complete update.
    """

    def __init__(self, model: str, dimensions: int) -> None:
        self.model = model
        self.dimensions = dimensions
        self._chunks: list[_Chunk] = []
        self._values: dict[str, dict[str, int]] = {}
        self._last = 0
        self._alive = 0
        self._rows = 0

    @property
    def nbytes(self) -> int:
        """Approximate memory in bytes."""
        return self._rows * (self.dimensions * 4 + 9 + 4 * len(self._values))

    def catch_up(self, connection: sqlite3.Connection, first: int, last: int, live: int) -> None:
        """Read the rows added up to id `last`, and compact when many are dead.

        `first` is the lowest id of the space, `live` the number of its rows in the file.
        """
        if last > self._last:
            rows = connection.execute(
                "SELECT id, fields, vector FROM vectors WHERE id > ? AND id <= ? AND model = ? ORDER BY id",
                (max(first - 1, self._last), last, self.model),
            )
            self._append(rows)
            self._last = last
        if self._alive - live > max(1000, self._alive // 4):
            self._bury(connection.execute("SELECT id FROM vectors WHERE id BETWEEN ? AND ?", (first, last)))
        if self._rows - self._alive > max(CHUNK, self._rows // 2):
            self._compact()

    def nearest(
        self,
        query: "Vectors",
        where: Where,
        last: int,
        limit: int,
        among: "NDArray[np.int64] | None" = None,
    ) -> tuple[list[tuple[int, float]], float]:
        """(id, cosine) of the `limit` nearest matching rows, best first, up to id `last`, and `among` these.

        Also about how many of all rows match, as a share.
        """
        import numpy as np  # noqa: PLC0415

        wanted = [self._wanted(clause) for clause in where]
        found = [
            part for chunk in self._chunks for part in _search(chunk, query, wanted, last, limit, among=among)
        ]
        if not found:
            return [], 0.0
        ids = np.concatenate([part[0] for part in found])
        scores = np.concatenate([part[1] for part in found])
        best = np.argsort(-scores, kind="stable")[:limit]
        share = min(sum(part[2] for part in found) / max(self._alive, 1), 1.0)
        return list(zip(ids[best].tolist(), scores[best].tolist(), strict=True)), share

    def mark_dead(self, ids: Sequence[int]) -> None:
        """Exclude these rows from now on."""
        import numpy as np  # noqa: PLC0415

        gone = np.asarray(sorted(ids), np.int64)
        for chunk in self._chunks:
            hit = np.isin(chunk.ids[: chunk.size], gone) & chunk.alive[: chunk.size]
            chunk.alive[: chunk.size][hit] = False
            self._alive -= int(hit.sum())

    def _wanted(self, clause: tuple[tuple[str, str], ...]) -> list[tuple[str, int]]:
        """The clause in codes, without values that no row has."""
        coded = ((field, self._values.get(field, {}).get(value, 0)) for field, value in clause)
        return [(field, code) for field, code in coded if code]

    def _append(self, rows: Iterable[tuple[int, str, bytes]]) -> None:
        import numpy as np  # noqa: PLC0415

        known: dict[str, list[tuple[str, int]]] = {}
        for row_id, fields, blob in rows:
            if len(blob) != 4 * self.dimensions:  # its name lies: such vectors never mix
                continue
            chunk, place = self._room()
            chunk.ids[place] = row_id
            chunk.vectors[place] = np.frombuffer(blob, np.float32)
            codes = known.get(fields)
            if codes is None:
                codes = known[fields] = self._coded(json.loads(fields))
            for field, code in codes:
                chunk.column(field)[place] = code

    def _coded(self, fields: dict[str, str]) -> list[tuple[str, int]]:
        coded = []
        for field, value in fields.items():
            values = self._values.setdefault(field, {})
            coded.append((field, values.setdefault(value, len(values) + 1)))
        return coded

    def _room(self) -> tuple[_Chunk, int]:
        if not self._chunks or self._chunks[-1].size == CHUNK:
            self._chunks.append(_Chunk(self.dimensions))
        chunk = self._chunks[-1]
        place, chunk.size = chunk.size, chunk.size + 1
        self._rows += 1
        self._alive += 1
        return chunk, place

    def _bury(self, ids: Iterable[tuple[int]]) -> None:
        """Mark every row dead that is not among `ids`."""
        import numpy as np  # noqa: PLC0415

        there = np.fromiter((row[0] for row in ids), np.int64)
        self._alive = 0
        for chunk in self._chunks:
            chunk.alive[: chunk.size] &= np.isin(chunk.ids[: chunk.size], there)
            self._alive += int(chunk.alive[: chunk.size].sum())

    def _compact(self) -> None:
        """Move the live rows together, block by block, so that there is never a second full copy."""
        old, self._chunks, self._rows, self._alive = self._chunks[::-1], [], 0, 0
        while old:
            chunk = old.pop()
            for place in chunk.alive[: chunk.size].nonzero()[0].tolist():
                target, free = self._room()
                target.ids[free] = chunk.ids[place]
                target.vectors[free] = chunk.vectors[place]
                for field, codes in chunk.codes.items():
                    target.column(field)[free] = codes[place]


def _search(
    chunk: _Chunk,
    query: "Vectors",
    wanted: list[list[tuple[str, int]]],
    last: int,
    limit: int,
    *,
    among: "NDArray[np.int64] | None",
) -> Iterator[tuple["NDArray[np.int64]", "Vectors", int]]:
    """The best `limit` rows of one block, filtered first, and how many passed the filter."""
    import numpy as np  # noqa: PLC0415

    size = int(np.searchsorted(chunk.ids[: chunk.size], last, side="right"))
    mask = chunk.alive[:size].copy()
    for clause in wanted:
        match = np.zeros(size, np.bool_)
        for field, code in clause:
            if field in chunk.codes:
                match |= chunk.codes[field][:size] == code
        mask &= match
    if among is not None:
        mask &= np.isin(chunk.ids[:size], among, assume_unique=True)
    rows = mask.nonzero()[0]
    matching = len(rows)
    if matching == 0:
        return
    few = matching < size // 4  # then copying them together costs less than scoring the rest
    # einsum keeps to one thread: it reads as fast as memory goes, and BLAS threads of several server
    # processes would wait for each other.
    scores = np.einsum("ij,j->i", chunk.vectors[rows] if few else chunk.vectors[:size], query)
    if not few:
        scores = scores[rows]
    if matching > limit:
        best = np.argpartition(-scores, limit - 1)[:limit]
        rows, scores = rows[best], scores[best]
    yield chunk.ids[rows], scores, matching
