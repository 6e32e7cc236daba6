"""Searching one kind of memories: the engine proposes, the rules rank, the table has the last word.

Two rounds of calls. The first asks the engine for candidates, and the table for the notes of what the engine
does not show yet. The second reads the rows of the answer's page and of the noted ones, which are
ranked among the candidates. A hit whose row has gone since it was indexed is replaced by the next best one.
While the engine is away, the same rules rank the newest rows of the table; while vectors can't be had, or
the index holds another model's, words alone find.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from strata.domain.errors import Unavailable
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.retrieval import Candidate, Method, Mode, Ranked
from strata.domain.scope import Scope
from strata.domain.text.analysis import MAX_TERMS, query_terms
from strata.ports import Embedder, Item, Key, Lexicon, SearchIndex, SearchQuery, Table
from strata.services.search.change_notes import NEWEST, ChangeNotes
from strata.services.search.expansion import Expansion
from strata.services.search.filters import Filter
from strata.services.search.kinds import Kind
from strata.services.search.unindexed import candidates, embedded
from strata.services.table.parallel import Parallel

if TYPE_CHECKING:
    from strata.ports import Vectors

_log = logging.getLogger("strata.search")

_SPARE = 10
"""Rows read beyond the page, so that a few stale hits cost no further round."""


W = TypeVar("W", bound=Filter)

Newest = Callable[[Scope, W, int], list[Item]]
"""The newest rows, at most so many, among which those that are wanted are; newest first."""


@dataclass(frozen=True, slots=True)
class Found:
    """A memory's row with why it was found."""

    row: Item
    score: float
    method: Method


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found; `degraded` when only the newest rows were ranked, or words alone had to find."""

    found: list[Found]
    degraded: bool = False


class Searcher(Generic[W]):
    """Finds memories of one kind.

    Args:
        kind: what is searched.
        newest: its newest rows, for when the index is away.
        table, index, freshness, rounds: the stores, and how they are asked.
        embedder, lexicon: what texts and words mean.
        params: the weights of the ranking.
        candidates: how many each side of the engine proposes.
        expansion: finds further words to look for; the ranking goes by the query's own.
    """

    def __init__(
        self,
        kind: Kind,
        newest: Newest[W],
        table: Table,
        index: SearchIndex,
        freshness: ChangeNotes,
        rounds: Parallel,
        embedder: Embedder,
        lexicon: Lexicon,
        *,
        params: RankingParams,
        candidates: int = 200,
        expansion: Expansion | None = None,
    ) -> None:
        self._kind = kind
        self._newest = newest
        self._table = table
        self._index = index
        self._freshness = freshness
        self._rounds = rounds
        self._embedder = embedder
        self._lexicon = lexicon
        self._params = params
        self._candidates = candidates
        self._expansion = expansion

    def search(
        self,
        scope: Scope,
        query: str,
        wanted: W,
        *,
        limit: int,
        mode: Mode = Mode.HYBRID,
        min_score: float | None = None,
    ) -> Answer:
        """The best memories for a query, best first; a blank query finds nothing."""
        if not query.strip() or limit < 1:
            return Answer([])
        vector = self._vector(query) if mode is not Mode.BM25 else None
        asked = SearchQuery(
            self._kind.name,
            terms=self._terms(scope, query) if mode is not Mode.VECTOR or vector is None else (),
            vector=vector,
            where=wanted.clauses(),
            limit=max(self._candidates, limit),
        )
        out = {self._kind.document_key(number) for number in wanted.without}

        def ranked(found: Sequence[Candidate]) -> list[Ranked]:
            return [hit for hit in self._rank(query, found, mode) if hit.key not in out]

        hunt = _Hunt(wanted, limit, min_score, ranked)
        proposed, changed = self._rounds.both(
            lambda: self._proposed(scope, asked),
            lambda: self._freshness.unsettled(scope, wanted.partitions(), self._kind),
        )
        if proposed is None:
            return self._from_table(scope, asked, hunt)
        answer = self._from_index(scope, asked, hunt, proposed, changed)
        whole = mode is Mode.BM25 or (vector is not None and self._fits())
        return answer if whole else replace(answer, degraded=True)

    def _terms(self, scope: Scope, query: str) -> tuple[str, ...]:
        own = query_terms(query)
        return own if self._expansion is None else (*own, *self._expansion.words(scope, query))[:MAX_TERMS]

    def _fits(self) -> bool:
        try:
            return self._index.fits()
        except Unavailable:
            return True  # what becomes of the search tells

    def _vector(self, query: str) -> "Vectors | None":
        """What the query means; None when words alone must find."""
        if not self._fits():
            _log.warning("the index holds vectors of another model; strata reindex makes it anew")
            return None
        vectors = embedded(self._embedder, [query])
        return None if vectors is None else vectors[0]

    def _proposed(self, scope: Scope, asked: SearchQuery) -> list[Candidate] | None:
        """What the index proposes; None when it does not answer."""
        try:
            return self._index.search(scope, asked)
        except Unavailable as error:
            _log.warning("the index does not answer: %s", error.message)
            return None

    def _rank(self, query: str, candidates: Sequence[Candidate], mode: Mode) -> list[Ranked]:
        if mode is Mode.VECTOR and all(each.cosine is None for each in candidates):
            mode = Mode.BM25
        return rank(query, candidates, lexicon=self._lexicon, params=self._params, mode=mode)

    def _from_table(self, scope: Scope, asked: SearchQuery, hunt: "_Hunt[W]") -> Answer:
        """The same ranking over the newest rows, while the index is away."""
        newest = self._newest(scope, hunt.wanted, NEWEST)
        rows = {self._kind.document_key(row["id"]): row for row in newest}
        admitted = [row for row in rows.values() if hunt.wanted.admits(row)]
        ranked = hunt.rank(candidates(self._kind, admitted, asked, self._embedder))
        return Answer(hunt.pick(ranked, rows), degraded=True)

    def _from_index(
        self,
        scope: Scope,
        asked: SearchQuery,
        hunt: "_Hunt[W]",
        proposed: Sequence[Candidate],
        changed: Sequence[Key],
    ) -> Answer:
        """Rank what the index proposes, with what it does not show yet, and confirm the page in the table."""
        kind, blind = self._kind, False
        keys = {kind.document_of(key): key for key in changed}
        shown = [candidate for candidate in proposed if candidate.key not in keys]
        ranked = hunt.rank(shown)
        page = [hit.key for hit in ranked[: hunt.limit + _SPARE]]
        to_read = [*keys, *page]
        places = {found.key: found.fields[kind.place] for found in shown}
        read = self._read(scope, keys, places, to_read)
        if changed:
            fresh = [
                row for name in to_read[: len(changed)] if (row := read[name]) and hunt.wanted.admits(row)
            ]
            unseen = candidates(kind, fresh, asked, self._embedder)
            blind = asked.vector is not None and any(each.cosine is None for each in unseen)
            ranked = hunt.rank([*shown, *unseen])
        picked = hunt.pick(ranked, read)
        unread = [hit.key for hit in ranked if hit.key not in read]
        while len(picked) < hunt.limit and unread:
            more, unread = unread[: hunt.limit + _SPARE], unread[hunt.limit + _SPARE :]
            read |= self._read(scope, keys, places, more)
            picked = hunt.pick(ranked, read)
        return Answer(picked, degraded=blind)

    def _read(
        self, scope: Scope, keys: Mapping[str, Key], places: Mapping[str, str], names: Sequence[str]
    ) -> dict[str, Item | None]:
        """The rows of these candidates as they are now; None for those that are gone.

        A candidate's key is known, or made of its place: of the few that are read, not of all that were
        proposed.
        """
        kind = self._kind
        asked = {name: keys[name] for name in names if name in keys}
        asked |= {
            name: kind.key(places[name], number)
            for name in names
            if name not in asked and (number := kind.number(name)) is not None
        }
        rows = self._table.get_many(scope, list(asked.values())) if asked else {}
        return {name: rows.get(asked[name]) if name in asked else None for name in names}


@dataclass(frozen=True, slots=True)
class _Hunt(Generic[W]):
    """What one search is after: which rows, how many, how good, in which order."""

    wanted: W
    limit: int
    min_score: float | None
    rank: Callable[[Sequence[Candidate]], list[Ranked]]

    def pick(self, ranked: Sequence[Ranked], rows: Mapping[str, Item | None]) -> list[Found]:
        """The best hits whose rows were read and still say what was asked for."""
        picked: list[Found] = []
        for hit in ranked:
            row = rows.get(hit.key)
            if self.min_score is not None and hit.score < self.min_score:
                break
            if row is not None and self.wanted.admits(row):
                picked.append(Found(row, hit.score, hit.method))
                if len(picked) == self.limit:
                    break
        return picked
