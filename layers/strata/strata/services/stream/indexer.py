"""Indexing: the document of each changed key is written as its row is now, or deleted.

The image in a stream record is ignored, so late, repeated and reordered records do no harm.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from strata.domain.scope import Scope
from strata.ports.language import Embedder
from strata.ports.rows import Item, Key
from strata.ports.search import SearchIndex
from strata.ports.table import Table
from strata.services.records.kinds import Kind, embedded_text, searched
from strata.services.stream.predecessors import Predecessors
from strata.services.table.parallel import Parallel

Rows = Mapping[Key, Item]


class Indexer:
    """Writes the search index; nothing else does.

    Args:
        table: the source of truth.
        index: is written.
        embedder: makes the vectors.
        parallel: embeds and queries several sessions at once.
    """

    def __init__(self, table: Table, index: SearchIndex, embedder: Embedder, parallel: Parallel) -> None:
        self._parallel = parallel
        self._table = table
        self._index = index
        self._embedder = embedder
        self._predecessors = Predecessors(table, parallel)

    def follow(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Bring the index up to date with these keys; keys of rows that are not searched are ignored."""
        kinds = _searched(keys)
        if kinds:
            self._update(scope, kinds, self._table.get_many(scope, list(kinds)))

    def follow_beside(self, scope: Scope, keys: Iterable[Key]) -> None:
        """Do the same while the stream is followed, too: a row that changed meanwhile is indexed again.

        So an old state can't stay in place of a newer one that the stream has written.
        """
        left = _searched(keys)
        while left:
            before = self._table.get_many(scope, list(left))
            self._update(scope, left, before)
            after = self._table.get_many(scope, list(left))
            left = {
                key: kind
                for key, kind in left.items()
                if _version(before.get(key)) != _version(after.get(key))
            }

    def _update(self, scope: Scope, kinds: Mapping[Key, Kind], rows: Rows) -> None:
        gone = [key for key in kinds if key not in rows]
        found = {kinds[key].document_of(key): (kinds[key], row) for key, row in rows.items()}
        found |= self._moved(scope, {key: kinds[key] for key in gone})
        documents = [name for key in gone if (name := kinds[key].document_of(key)) not in found]
        self.write(scope, list(found.values()), documents)

    def _moved(self, scope: Scope, gone: Mapping[Key, Kind]) -> dict[str, tuple[Kind, Item]]:
        """The rows of these keys that are at another place by now, by document: their ids stay the same."""
        pointed = {kind.pointer(kind.id_of(key)): (key, kind) for key, kind in gone.items()}
        pointers = self._table.get_many(scope, list(pointed)) if pointed else {}
        places = {
            place: kind
            for pointer, row in pointers.items()
            for key, kind in [pointed[pointer]]
            if kind.place in row and (place := kind.key(row[kind.place], kind.id_of(key))) != key
        }
        rows = self._table.get_many(scope, list(places)) if places else {}
        return {places[key].document_of(key): (places[key], row) for key, row in rows.items()}

    def over(self, index: SearchIndex) -> "Indexer":
        """An indexer of another index."""
        return Indexer(self._table, index, self._embedder, self._parallel)

    def write(self, scope: Scope, rows: Sequence[tuple[Kind, Item]], gone: Sequence[str] = ()) -> None:
        """Index rows that were just read from the table, and delete the documents of rows that are gone."""
        documents = [kind.document(row) for kind, row in rows]
        if documents:
            vectors, previous = self._parallel.both(
                lambda: self._embedder.embed([embedded_text(each) for each in documents]),
                lambda: self._predecessors.of(scope, rows),
            )
            documents = [
                replace(document, vector=vector, previous=before)
                for document, vector, before in zip(documents, vectors, previous, strict=True)
            ]
        self._index.write(scope, documents, gone)

    def drop(self, scope: Scope, documents: Sequence[str]) -> None:
        """Delete these documents."""
        self._index.write(scope, [], documents)


def _searched(keys: Iterable[Key]) -> dict[Key, Kind]:
    """The searched rows that these changed keys belong to, with their kinds."""
    return {found[1]: found[0] for found in map(searched, keys) if found is not None}


def _version(row: Item | None) -> int | None:
    return None if row is None else row["updated_at"]
