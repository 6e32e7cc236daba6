"""Search of one kind of memory: the engine proposes, the rules rank, the table has the last word.

Two rounds of calls. The first asks the engine for candidates and the table for the change notes. The second
reads the rows of the result page and of the changed memories, which are ranked among the candidates; after
many changes the page's rows take a round of their own. A hit whose row is gone is replaced by the next best
one. Where it is asked for, a reranker reads what the rules are unsure of. While the engine is down, the same
rules rank the newest rows of the table; without vectors, or while the index holds another model's, the search
goes by words alone.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from strata.domain.errors import Unavailable
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.relevance.asking import asks_something
from strata.domain.relevance.model import BY_WORDS, Calibration
from strata.domain.retrieval import Candidate, Mode, Ranked
from strata.domain.scope import Scope
from strata.domain.text.analysis import MAX_TERMS, query_terms, stem, words
from strata.ports.language import Embedder, Lexicon
from strata.ports.rows import Item, Key
from strata.ports.search import SearchIndex, SearchQuery
from strata.ports.table import Table
from strata.services.records.kinds import Kind
from strata.services.search.change_notes import FOLLOWED, NEWEST, Changed, ChangeNotes
from strata.services.search.expansion import Expansion
from strata.services.search.filters import Filter
from strata.services.search.hits import H, SearchResult
from strata.services.search.reranking import DOUBT, Reranking
from strata.services.search.unindexed import best, candidates, embedded
from strata.services.table.parallel import Parallel

if TYPE_CHECKING:
    from strata.ports.language import Vectors

_log = logging.getLogger("strata.search")

_SPARE = 10
"""Rows read beyond the page, so that a few stale hits cost no further round."""

_FEW = 32
"""The most changed memories that are read with the page, which is ranked without them first for that."""

F = TypeVar("F", bound=Filter)

Newest = Callable[[Scope, F, int], list[Item]]
"""Reads the newest rows, newest first and at most so many, which contain those that the filter admits."""

MakeHit = Callable[[Item, Ranked], H]

Read = Callable[[Candidate], Candidate]


class Searcher(Generic[F, H]):
    """Finds memories of one kind.

    Args:
        kind: the kind.
        newest: reads its newest rows while the index is down.
        make_hit: makes a hit of a row and its place in the ranking.
        table, index, change_notes, parallel: the stores, and how they are queried.
        embedder, lexicon: the meaning of texts and words.
        params: the weights of the ranking.
        calibration: tells how relevant hits are.
        candidates: how many each side of the engine proposes.
        expansion: finds further words to look for; the ranking goes by the query's own.
        reranking: reads the best candidates where a search asks for it; None where nothing does.
    """

    def __init__(
        self,
        kind: Kind,
        newest: Newest[F],
        make_hit: MakeHit[H],
        table: Table,
        index: SearchIndex,
        change_notes: ChangeNotes,
        parallel: Parallel,
        embedder: Embedder,
        lexicon: Lexicon,
        *,
        params: RankingParams,
        candidates: int,
        calibration: Calibration = BY_WORDS,
        expansion: Expansion | None = None,
        reranking: Reranking | None = None,
    ) -> None:
        self._kind = kind
        self._newest = newest
        self._make_hit = make_hit
        self._table = table
        self._index = index
        self._change_notes = change_notes
        self._parallel = parallel
        self._embedder = embedder
        self._lexicon = lexicon
        self._params = params
        self._candidates = candidates
        self._calibration = calibration
        self._expansion = expansion
        self._reranking = reranking

    @property
    def has_reranker(self) -> bool:
        """Whether `rerank` makes a difference."""
        return self._reranking is not None

    def search(
        self,
        scope: Scope,
        query: str,
        wanted: F,
        *,
        limit: int,
        mode: Mode = Mode.HYBRID,
        min_score: float | None = None,
        min_relevance: float = 0.0,
        rerank: bool = False,
        read: Read | None = None,
    ) -> SearchResult[H]:
        """The best memories for a query, best first; a blank query finds nothing.

        Hits below `min_score` or `min_relevance` are left out; a query that asks nothing has no relevant hit.
        With `rerank` and a `min_relevance` above 0 the best candidates are read, where there is a reranker:
        hits are given by the relevance that reading gives, most relevant first.
        `read` makes of what was found what it is ranked by, where not all of it is given.
        """
        if not query.strip() or limit < 1 or (min_relevance > 0 and not asks_something(query)):
            return SearchResult([])
        vector = self._vector(query) if mode is not Mode.BM25 else None
        engine = SearchQuery(
            self._kind.name,
            terms=self._terms(scope, query) if mode is not Mode.VECTOR or vector is None else (),
            vector=vector,
            where=wanted.clauses(),
            limit=max(self._candidates, limit),
            narrowing=wanted.narrowing(),
        )
        excluded = {self._kind.document_key(number) for number in wanted.without}
        reads = self._reranking if rerank and min_relevance > 0 else None
        request = _Request(
            query, mode, wanted, limit, min_score, min_relevance, engine, excluded, reads, read
        )
        # the notes first: a change that is indexed between the two calls then stands in both, not in neither
        changed, proposed = self._parallel.both(
            lambda: self._change_notes.changed(scope, wanted.partitions(), self._kind),
            lambda: self._proposed(scope, engine),
        )
        if proposed is None:
            return self._from_table(scope, request)
        if not changed.is_whole:
            _log.warning("more changes than %d are not indexed yet: the newest %d are read", NEWEST, FOLLOWED)
        result = self._from_index(scope, request, proposed, changed)
        whole = mode is Mode.BM25 or (vector is not None and self._fits())
        return result if whole else replace(result, degraded=True)

    def _terms(self, scope: Scope, query: str) -> tuple[str, ...]:
        own = query_terms(query)
        return own if self._expansion is None else (*own, *self._expansion.words(scope, query))[:MAX_TERMS]

    def _fits(self) -> bool:
        try:
            return self._index.fits()
        except Unavailable:
            return True  # the search itself will tell

    def _vector(self, query: str) -> "Vectors | None":
        """The query's vector; None when the search must go by words alone."""
        if not self._fits():
            _log.warning("the index holds vectors of another model; strata reindex makes it anew")
            return None
        return embedded(lambda: self._embedder.embed_query(query))

    def _proposed(self, scope: Scope, engine: SearchQuery) -> list[Candidate] | None:
        """The candidates of the index; None when it does not answer."""
        try:
            return self._index.search(scope, engine)
        except Unavailable as error:
            _log.warning("searching without the index: %s", error.message)
            return None

    def _from_table(self, scope: Scope, request: "_Request[F]") -> SearchResult[H]:
        """The same ranking over the newest rows, while the index is down."""
        newest = filter(self._kind.is_whole, self._newest(scope, request.wanted, NEWEST))
        rows = {self._kind.document_key(row["id"]): row for row in newest}
        admitted = [row for row in rows.values() if request.wanted.admits(row)]
        made = candidates(self._kind, admitted, request.engine, self._embedder)
        found = request.as_read(best(made, request.engine.limit))
        ranked = _reranked(request, self._ranked(request, found), found)
        return SearchResult(self._page(request, ranked, rows), degraded=True)

    def _from_index(
        self, scope: Scope, request: "_Request[F]", proposed: Sequence[Candidate], changed: Changed
    ) -> SearchResult[H]:
        """Rank the index's candidates with the changed rows, and confirm the page in the table."""
        kind, blind, at_once = self._kind, False, request.limit + _SPARE
        keys = {kind.document_of(key): key for key in changed.rows}
        shown = request.as_read([candidate for candidate in proposed if candidate.key not in keys])
        places = {candidate.key: candidate.fields[kind.place] for candidate in shown}
        ranked = self._ranked(request, shown) if len(keys) <= _FEW else []
        if not keys:
            ranked = _reranked(request, ranked, shown)
        rows = self._read(scope, keys, places, [*keys, *(each.key for each in ranked[:at_once])])
        if keys:
            fresh = [row for name in keys if (row := rows[name]) and request.wanted.admits(row)]
            unseen = candidates(kind, fresh, request.engine, self._embedder)
            blind = request.engine.vector is not None and any(each.cosine is None for each in unseen)
            shown = [*shown, *request.as_read(best(unseen, request.engine.limit))]
            ranked = _reranked(request, self._ranked(request, shown), shown)
        page: list[H] = []
        for start in range(0, len(ranked), at_once):
            part = ranked[start : start + at_once]
            rows |= self._read(scope, keys, places, [each.key for each in part if each.key not in rows])
            page += self._page(request, part, rows)
            if len(page) >= request.limit:
                break
        return SearchResult(page[: request.limit], degraded=blind or not changed.is_whole)

    def _ranked(self, request: "_Request[F]", found: Sequence[Candidate]) -> list[Ranked]:
        """The candidates, best first, without those that are excluded or not relevant enough."""
        mode = request.mode
        if mode is Mode.VECTOR and all(each.cosine is None for each in found):
            mode = Mode.BM25
        ranked = rank(
            request.query,
            found,
            lexicon=self._lexicon,
            params=self._params,
            mode=mode,
            calibration=self._calibration,
        )
        least = request.min_relevance
        if request.reranking is not None:
            least = min(least, DOUBT[0])
        given = {each.key for each in ranked if each.relevance >= least} | _by_added_words(request, found)
        return [
            each
            for each in ranked
            if each.key not in request.excluded
            and each.key in given
            and (request.min_score is None or each.score >= request.min_score)
        ]

    def _page(
        self, request: "_Request[F]", ranked: Sequence[Ranked], rows: Mapping[str, Item | None]
    ) -> list[H]:
        """The best hits among the rows that were read and still match the request."""
        page: list[H] = []
        for each in ranked:
            row = rows.get(each.key)
            if row is not None and request.wanted.admits(row):
                page.append(self._make_hit(row, each))
                if len(page) == request.limit:
                    break
        return page

    def _read(
        self, scope: Scope, keys: Mapping[str, Key], places: Mapping[str, str], names: Sequence[str]
    ) -> dict[str, Item | None]:
        """The rows of these candidates as they are now; None for those that are gone or malformed.

        The key of a candidate is known or made from its place, here and not for everything that was
        proposed: only a few are read.
        """
        kind = self._kind
        asked = {name: keys[name] for name in names if name in keys}
        asked |= {
            name: kind.key(places[name], number)
            for name in names
            if name not in asked and (number := kind.number(name)) is not None
        }
        rows = self._table.get_many(scope, list(asked.values())) if asked else {}
        rows = {key: row for key, row in rows.items() if kind.is_whole(row)}
        return {name: rows.get(asked[name]) if name in asked else None for name in names}


def _reranked(request: "_Request[F]", ranked: list[Ranked], found: Sequence[Candidate]) -> list[Ranked]:
    """The candidates as the reranker reads them, without those that are not relevant enough to it."""
    if request.reranking is None:
        return ranked
    added, least = _by_added_words(request, found), request.min_relevance
    read = request.reranking.reread(request.query, ranked, found)
    return [each for each in read if each.relevance >= least or each.key in added]


def _by_added_words(request: "_Request[F]", found: Sequence[Candidate]) -> set[str]:
    """The candidates that hold a word which the model added: relevance knows the query's own words only."""
    own = query_terms(request.query)
    added = {stem(term) for term in request.engine.terms if term not in own}
    if not added:
        return set()
    texts = {each.key: f"{each.title} {each.keywords} {each.text}" for each in found}
    return {key for key, text in texts.items() if not added.isdisjoint(map(stem, words(text)))}


@dataclass(frozen=True, slots=True)
class _Request(Generic[F]):
    """One search: the caller's wishes, the engine's query, the documents that are excluded, what reads."""

    query: str
    mode: Mode
    wanted: F
    limit: int
    min_score: float | None
    min_relevance: float
    engine: SearchQuery
    excluded: set[str]
    reranking: Reranking | None
    read: Read | None

    def as_read(self, found: Sequence[Candidate]) -> list[Candidate]:
        """The candidates as they are ranked."""
        return [*found] if self.read is None else [*map(self.read, found)]
