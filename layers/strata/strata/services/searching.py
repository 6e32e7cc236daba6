"""Searching observations: the engine proposes, the rules rank, the table has the last word.

Two rounds of calls. The first asks the engine for candidates, and the table for the notes of what the engine
does not show yet. The second reads the rows of the answer's page and of the noted observations, which are
ranked among the candidates. A hit whose row has gone since it was indexed is replaced by the next best one.
While the engine is away, the same rules rank the newest rows of the table.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from strata.domain.analysis import query_terms
from strata.domain.errors import Unavailable
from strata.domain.models import GLOBAL_SCOPE, SearchHit
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.retrieval import Candidate, Method, Mode, Ranked
from strata.domain.scope import Scope
from strata.ports import Embedder, Item, Key, Lexicon, SearchIndex, SearchQuery
from strata.services.freshness import NEWEST, Freshness
from strata.services.reading import Reading
from strata.services.recall import candidates
from strata.services.records import OBSERVATION_KIND, observation_id_of, observation_key
from strata.services.rounds import Rounds

_log = logging.getLogger("strata.search")

_SPARE = 10
"""Rows read beyond the page, so that a few stale hits cost no further round."""


@dataclass(frozen=True, slots=True)
class Found:
    """An observation's row with why it was found."""

    row: Item
    score: float
    method: Method


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which observations may be found: a project's with the tenant's global ones, of a type, of a scope."""

    project: str | None = None
    type: str | None = None
    scope: str | None = None

    def clauses(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The same for the engine: each inner tuple needs one match."""
        clauses: list[tuple[tuple[str, str], ...]] = []
        if self.project is not None:
            clauses.append((("project", self.project), ("scope", GLOBAL_SCOPE)))
        if self.type:
            clauses.append((("type", self.type),))
        if self.scope:
            clauses.append((("scope", self.scope),))
        return tuple(clauses)

    def admits(self, row: Item) -> bool:
        """Whether a row, as it is now, may be in the answer."""
        return (
            (self.project in (None, row["project"]) or row["scope"] == GLOBAL_SCOPE)
            and self.type in (None, "", row["type"])
            and self.scope in (None, "", row["scope"])
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found; `degraded` when the index was away and only the newest rows were ranked."""

    found: list[Found]
    degraded: bool = False

    def hits(self) -> list[SearchHit]:
        """The same as it goes over the wire."""
        return [
            SearchHit(
                id=hit.row["id"],
                type=hit.row["type"],
                title=hit.row["title"],
                content=hit.row["content"],
                rank=-hit.score,
                method=hit.method,
                topic_key=hit.row.get("topic_key"),
            )
            for hit in self.found
        ]


class Searching:
    """Finds observations."""

    def __init__(
        self,
        reading: Reading,
        index: SearchIndex,
        freshness: Freshness,
        rounds: Rounds,
        embedder: Embedder,
        lexicon: Lexicon,
        *,
        params: RankingParams,
        candidates: int = 200,
    ) -> None:
        self._reading = reading
        self._index = index
        self._freshness = freshness
        self._rounds = rounds
        self._embedder = embedder
        self._lexicon = lexicon
        self._params = params
        self._candidates = candidates

    def search(
        self,
        scope: Scope,
        query: str,
        wanted: Wanted,
        *,
        limit: int,
        mode: Mode = Mode.HYBRID,
        min_score: float | None = None,
    ) -> Answer:
        """The best observations for a query, best first; a blank query finds nothing."""
        if not query.strip() or limit < 1:
            return Answer([])
        asked = SearchQuery(
            OBSERVATION_KIND,
            terms=query_terms(query) if mode is not Mode.VECTOR else (),
            vector=self._embedder.embed([query])[0] if mode is not Mode.BM25 else None,
            where=wanted.clauses(),
            limit=max(self._candidates, limit),
        )
        hunt = _Hunt(wanted, limit, min_score, lambda found: self._rank(query, found, mode))
        proposed, changed = self._rounds.both(
            lambda: self._proposed(scope, asked), lambda: self._freshness.unsettled(scope, wanted.project)
        )
        if proposed is None:
            return self._from_table(scope, asked, hunt)
        return self._from_index(scope, asked, hunt, proposed, changed)

    def _proposed(self, scope: Scope, asked: SearchQuery) -> list[Candidate] | None:
        """What the index proposes; None when it does not answer."""
        try:
            return self._index.search(scope, asked)
        except Unavailable as error:
            _log.warning("the index does not answer: %s", error.message)
            return None

    def _rank(self, query: str, candidates: Sequence[Candidate], mode: Mode) -> list[Ranked]:
        return rank(query, candidates, lexicon=self._lexicon, params=self._params, mode=mode)

    def _from_table(self, scope: Scope, asked: SearchQuery, hunt: "_Hunt") -> Answer:
        """The same ranking over the newest rows, while the index is away."""
        newest = self._reading.newest(scope, project=hunt.wanted.project, limit=NEWEST)
        rows = {str(row["id"]): row for row in newest}
        admitted = [row for row in rows.values() if hunt.wanted.admits(row)]
        return Answer(hunt.pick(hunt.rank(candidates(admitted, asked, self._embedder)), rows), degraded=True)

    def _from_index(
        self,
        scope: Scope,
        asked: SearchQuery,
        hunt: "_Hunt",
        proposed: Sequence[Candidate],
        changed: Sequence[Key],
    ) -> Answer:
        """Rank what the index proposes, with what it does not show yet, and confirm the page in the table."""
        keys = {str(observation_id_of(key)): key for key in changed}
        shown = [candidate for candidate in proposed if candidate.key not in keys]
        ranked = hunt.rank(shown)
        page = [hit.key for hit in ranked[: hunt.limit + _SPARE]]
        to_read = [*keys, *page]
        keys |= {found.key: observation_key(found.fields["project"], int(found.key)) for found in shown}
        read = self._read(scope, keys, to_read)
        if changed:
            fresh = [
                row for name in to_read[: len(changed)] if (row := read[name]) and hunt.wanted.admits(row)
            ]
            ranked = hunt.rank([*shown, *candidates(fresh, asked, self._embedder)])
        picked = hunt.pick(ranked, read)
        unread = [hit.key for hit in ranked if hit.key not in read]
        while len(picked) < hunt.limit and unread:
            more, unread = unread[: hunt.limit + _SPARE], unread[hunt.limit + _SPARE :]
            read |= self._read(scope, keys, more)
            picked = hunt.pick(ranked, read)
        return Answer(picked)

    def _read(self, scope: Scope, keys: Mapping[str, Key], names: Sequence[str]) -> dict[str, Item | None]:
        """The rows of these candidates as they are now; None for those that are gone."""
        rows = self._reading.rows(scope, [keys[name] for name in names])
        return {name: rows.get(keys[name]) for name in names}


@dataclass(frozen=True, slots=True)
class _Hunt:
    """What one search is after: which rows, how many, how good, in which order."""

    wanted: Wanted
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
