"""The search index as the services use it: the one that the marker in the table says is whole.

Without that index every search raises `NoIndex`, so that it is answered from the table and says so, and every
write raises it, too, so that the stream waits. A lost, replaced or emptied engine is never taken for an empty
memory.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from strata.domain.errors import Unavailable
from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Key
from strata.ports.search import (
    INDEX_SHAPE,
    Document,
    DocumentsRefused,
    NoIndex,
    Rebuild,
    SearchEngine,
    SearchIndex,
    SearchQuery,
)
from strata.ports.table import Table
from strata.services.search.adoption import Adoption
from strata.services.search.marker import SECONDS, IndexMarker, Marked
from strata.services.table.parallel import Parallel

_ADVICE = "strata reindex makes it anew"

T = TypeVar("T")


class MarkedIndex:
    """The port `SearchIndex` over the index that is whole.

    Args:
        engine: holds the indexes.
        place: names the engine among those of the table, also when it is replaced.
        table: holds the marker.
        clock: tells how old a reading of it is.
        parallel: reads the marker beside a search.
    """

    def __init__(
        self, engine: SearchEngine, place: str, table: Table, clock: Clock, parallel: Parallel
    ) -> None:
        self._engine = engine
        self._marker = IndexMarker(place, table, clock)
        self._adoption = Adoption(table, engine, clock)
        self._clock = clock
        self._parallel = parallel
        self._views: dict[str, SearchIndex] = {}
        self._is_marked = False

    # --- searches

    def search(self, scope: Scope, query: SearchQuery) -> list[Candidate]:
        """The candidates of both sides, in no particular order.

        Raises:
            NoIndex: no index is known to be whole, or the one that is has gone.
            Unavailable: also where the query narrows, and the documents are of a version before it could.
        """

        def search(marked: Marked | None) -> list[Candidate]:
            if query.narrowing and not self._narrows(marked):
                raise Unavailable(f"the search index is of a version without these filters; {_ADVICE}")
            return self._read(marked, scope.tenant, lambda index: index.search(scope, query), [])

        return self._go_by(search)

    def _narrows(self, marked: Marked | None) -> bool:
        """Whether all documents have what a narrowing filter asks for."""
        return self._adoption.is_new() if marked is None else marked.shape >= INDEX_SHAPE

    def fits(self) -> bool:
        """Whether the index was made with this process's model."""
        return self._go_by(
            lambda marked: self._read(marked, None, lambda index: index.fits(), True), refresh=False
        )

    def filters(self) -> bool:
        """Whether the index knows every filter; one of a version before filters does not."""
        marked = self._marker.read()
        return marked is None or marked.index is None or self._narrows(marked)

    def is_outdated(self) -> bool:
        """Whether its documents have the shape of an earlier version."""
        marked = self._marker.read()
        return (marked is None or marked.index is not None) and not self._narrows(marked)

    def catalog(
        self, scope: Scope, kind: str, keys: Sequence[str] | None = None
    ) -> Iterator[tuple[str, int]]:
        """Keys and versions of the documents of the index that is whole, or else of the one being filled.

        None where it has gone: then the index lacks everything.
        """
        marked, begun = self._marker.read(), False
        identity = marked and (marked.index or marked.next)
        index = self._at(identity) if identity else self._engine
        try:
            for each in index.catalog(scope, kind, keys):
                begun = True
                yield each
        except NoIndex as error:
            if begun:
                raise Unavailable("the search index was replaced") from error

    def _read(
        self, marked: Marked | None, tenant: str | None, call: Callable[[SearchIndex], T], nothing: T
    ) -> T:
        """The call's result on the index that is whole; `nothing` for a new table that has no index yet."""
        if marked is not None and marked.index is not None:
            return call(self._at(marked.index))
        if marked is not None:
            raise NoIndex("the search index is being rebuilt")
        if self._adoption.is_new():
            try:
                return call(self._engine)
            except NoIndex:
                return nothing
        if not self._adoption.is_whole(tenant):
            raise NoIndex(f"the search index lacks memories; {_ADVICE}")
        return call(self._engine)

    def _go_by(self, act: Callable[[Marked | None], T], *, refresh: bool = True) -> T:
        """Act by a marker of some seconds ago, and again where it is another one by now.

        It is read again beside the act when it is due, and whenever the index has gone. Without `refresh` it
        is not read for being due, since an act that asks nobody would have to wait for it.
        """
        known = self._marker.known
        if known is None:
            return act(self._marker.read())

        def by_the_known() -> T | NoIndex:
            try:
                return act(known)
            except NoIndex as error:
                return error

        now: Marked | None = known
        if refresh and self._marker.is_due:
            result, now = self._parallel.both(by_the_known, self._marker.read)
        else:
            result = by_the_known()
            if isinstance(result, NoIndex):
                now = self._marker.read()
        if now != known:
            return act(now)
        if isinstance(result, NoIndex):
            raise result
        return result

    # --- writes

    def write(self, scope: Scope, documents: Sequence[Document], deleted: Sequence[str] = ()) -> None:
        """Write to the index that is whole, and to the one that is being filled.

        Raises:
            NoIndex: the index that is whole has gone: a rebuild is needed.
            DocumentsRefused: the engine rejects some for their content; all others are written.
        """
        self._go_by(lambda marked: self._write(marked or self._mark(scope.tenant), scope, documents, deleted))

    def _write(
        self, marked: Marked, scope: Scope, documents: Sequence[Document], deleted: Sequence[str]
    ) -> None:
        refused: dict[str, str] = {}
        for identity in (marked.index, marked.next):
            if identity is None:
                continue
            try:
                self._at(identity).write(scope, documents, deleted)
            except DocumentsRefused as error:
                refused |= error.reasons
            except NoIndex:
                if marked.index in (identity, None):
                    raise  # a rebuild that was given up may be gone: nobody needs what it lacks
        if refused:
            raise DocumentsRefused(refused)

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Make the first index of a new table, or take over an earlier version's; a consumer of the stream.

        It comes before the consumer by which a table is known not to be new.
        """
        if self._is_marked:
            return
        if self._marker.read() is None:
            if self._adoption.is_new():
                self._mark(scope.tenant)
            else:
                with suppress(Unavailable):  # who writes the index will tell
                    self._mark(scope.tenant)
        self._is_marked = self._marker.known is not None

    def _mark(self, tenant: str | None) -> Marked:
        """The marker of a table that had none."""
        is_new = self._adoption.is_new()
        if not is_new and not self._adoption.is_whole(tenant):
            raise NoIndex(f"no search index is known to be whole; {_ADVICE}")
        return self._marker.write_first(Marked(self._engine.create(), shape=INDEX_SHAPE if is_new else 1))

    # --- rebuilds

    def begin_rebuild(self, *, resume: bool = False) -> Rebuild:
        """Begin to build the index again. What the stream brings is written to both, if there are two."""
        marked = self._marker.read()
        if marked is None:
            with suppress(NoIndex):
                marked = self._mark(None)
        if marked is not None and marked.next_shape < INDEX_SHAPE:
            resume = False  # what an earlier version wrote lacks what filters need
        rebuild = self._engine.begin_rebuild(resume=resume)
        whole = marked.index if marked is not None and self._is_there(marked.index) else None
        if rebuild.identity != whole:
            self._marker.write(Marked(whole, rebuild.identity, marked.shape if marked else 1))
            if whole is not None:
                self._clock.sleep(SECONDS)  # until every process that writes has read it
        index = self if rebuild.index is self._engine else rebuild.index
        return _MarkedRebuild(index, rebuild.identity, rebuild, self._marker)

    def close(self) -> None:
        """Close the engine's connections."""
        close = getattr(self._engine, "close", None)
        if close is not None:
            close()

    def _is_there(self, identity: str | None) -> bool:
        if identity is None:
            return False
        try:
            self._engine.at(identity).fits()
        except NoIndex:
            return False
        return True

    def _at(self, identity: str) -> SearchIndex:
        """The index of an identity; it is kept, with what it has cached, until others are asked for."""
        if identity not in self._views:
            if len(self._views) > 1:
                self._views.clear()
            self._views[identity] = self._engine.at(identity)
        return self._views[identity]


@dataclass(frozen=True, slots=True)
class _MarkedRebuild:
    index: SearchIndex
    identity: str
    _rebuild: Rebuild
    _marker: IndexMarker

    def finish(self) -> None:
        self._marker.write(Marked(self.identity))
        self._rebuild.finish()
