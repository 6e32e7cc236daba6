"""Ranking of texts that no engine indexes: summaries of sessions, and facts."""

from collections.abc import Iterable

from strata.domain.assembly.passages import Passages
from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.relevance.model import Calibration
from strata.domain.retrieval import Candidate, Method, Ranked
from strata.ports.language import Lexicon


class TextRanking:
    """Ranks a few texts by a query, as searches rank memories."""

    def __init__(self, lexicon: Lexicon, params: RankingParams, calibration: Calibration) -> None:
        self._lexicon = lexicon
        self._params = params
        self._calibration = calibration

    def passages(self, query: str) -> Passages:
        """The chooser of passages for a query."""
        return Passages(query, self._lexicon)

    def ranked(
        self, query: str, texts: Iterable[tuple[str, str, int]], min_relevance: float
    ) -> dict[str, Ranked]:
        """The texts that hold words of the query and are relevant enough, by id, best first.

        Args:
            query: what is asked; a blank one finds nothing.
            texts: id, text and time of each.
            min_relevance: the least relevance.
        """
        if not query.strip():
            return {}
        ranked = rank(
            query,
            [Candidate(key=key, title="", text=text, order=order) for key, text, order in texts],
            lexicon=self._lexicon,
            params=self._params,
            calibration=self._calibration,
        )
        return {
            each.key: each
            for each in ranked
            if each.method is not Method.RECENCY and each.relevance >= min_relevance
        }
