"""Searching observations: the engine proposes, the rules rank, the table has the last word.

Two rounds of calls: candidates by words and by vector in the first, the rows of the answer's page in the
second. A hit whose row has changed or gone since it was indexed is replaced by the next best one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.analysis import query_terms
from strata.domain.models import GLOBAL_SCOPE, SearchHit
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.retrieval import Method, Mode, Ranked
from strata.domain.scope import Scope
from strata.ports import Embedder, Item, Key, Lexicon, SearchIndex, SearchQuery, Table
from strata.services.records import OBSERVATION_KIND, observation_key

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


class Searching:
    """Finds observations."""

    def __init__(
        self,
        table: Table,
        index: SearchIndex,
        embedder: Embedder,
        lexicon: Lexicon,
        *,
        params: RankingParams,
        candidates: int = 200,
    ) -> None:
        self._table = table
        self._index = index
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
    ) -> list[SearchHit]:
        """The best observations for a query, best first; a blank query finds nothing."""
        found = self.find(scope, query, wanted, limit=limit, mode=mode, min_score=min_score)
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
            for hit in found
        ]

    def find(
        self,
        scope: Scope,
        query: str,
        wanted: Wanted,
        *,
        limit: int,
        mode: Mode = Mode.HYBRID,
        min_score: float | None = None,
    ) -> list[Found]:
        """The same as rows of the table."""
        if not query.strip() or limit < 1:
            return []
        candidates = self._index.search(
            scope,
            SearchQuery(
                OBSERVATION_KIND,
                terms=query_terms(query) if mode is not Mode.VECTOR else (),
                vector=self._embedder.embed([query])[0] if mode is not Mode.BM25 else None,
                where=wanted.clauses(),
                limit=max(self._candidates, limit),
            ),
        )
        ranked = rank(query, candidates, lexicon=self._lexicon, params=self._params, mode=mode)
        if min_score is not None:
            ranked = [hit for hit in ranked if hit.score >= min_score]
        projects = {candidate.key: candidate.fields["project"] for candidate in candidates}
        return self._confirm(scope, ranked, projects, wanted, limit)

    def _confirm(
        self, scope: Scope, ranked: Sequence[Ranked], projects: dict[str, str], wanted: Wanted, limit: int
    ) -> list[Found]:
        """The first `limit` hits whose rows still say what was asked for."""
        confirmed: list[Found] = []
        place = 0
        while place < len(ranked) and len(confirmed) < limit:
            page = ranked[place : place + limit - len(confirmed) + _SPARE]
            place += len(page)
            keys: dict[str, Key] = {hit.key: observation_key(projects[hit.key], int(hit.key)) for hit in page}
            rows = self._table.get_many(scope, list(keys.values()))
            for hit in page:
                row = rows.get(keys[hit.key])
                if row is not None and wanted.admits(row):
                    confirmed.append(Found(row, hit.score, hit.method))
        return confirmed[:limit]
