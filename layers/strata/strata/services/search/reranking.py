"""The best candidates of a search, read by a cross-encoder where the rules are in doubt."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from strata.domain.assembly.passages import Passages
from strata.domain.errors import ModelFailed
from strata.domain.relevance.asking import read
from strata.domain.retrieval import Candidate, Ranked
from strata.ports.language import Lexicon
from strata.ports.reranker import Passage, Reranker

DEPTH = 10
"""The candidates that are read at most, of those that the rules rank best."""

DOUBT = (0.01, 0.9)
"""Relevance by the rules that is in doubt: what is below does not answer, what is above does."""

_PASSAGE = 450
"""Characters of a memory that are read."""

_log = logging.getLogger("strata.search")


@dataclass(frozen=True, slots=True)
class Reranking:
    """Reads candidates.

    Attributes:
        reranker: the model.
        lexicon: chooses what of a long memory is read.
    """

    reranker: Reranker
    lexicon: Lexicon

    def of(self, query: str, ranked: Sequence[Ranked], found: Sequence[Candidate]) -> list[Ranked]:
        """The best candidates with the relevance that reading gives, most relevant first; the others go.

        A message of a few common words is left to the rules, and so is all while the model fails.

        Args:
            query: the message.
            ranked: the candidates that the rules rank, best first.
            found: the candidates with their texts.
        """
        if read(query).bare:
            return list(ranked)
        best = ranked[:DEPTH]
        least, most = DOUBT
        doubtful = [each for each in best if least <= each.relevance < most]
        texts = {each.key: each for each in found}
        passages = Passages(query, self.lexicon)
        read_as = [passage_of(each, texts, passages) for each in doubtful]
        try:
            told = self.reranker.relevance(query, read_as) if read_as else []
        except ModelFailed as error:
            _log.warning("memories are given as the rules rank them: %s", error.message)
            return list(ranked)
        known = {each.key: relevance for each, relevance in zip(doubtful, told, strict=True)}
        again = [replace(each, relevance=known.get(each.key, each.relevance)) for each in best]
        return sorted(again, key=lambda each: -each.relevance)


def passage_of(ranked: Ranked, found: Mapping[str, Candidate], passages: Passages) -> Passage:
    """A candidate as it is read.

    Args:
        ranked: the candidate as the rules rank it.
        found: all candidates by key, among which the turn before is looked for.
        passages: chooses what of a long memory is read.
    """
    candidate = found[ranked.key]
    before = found.get(candidate.previous) if ranked.is_turn and candidate.previous else None
    text = passages.of(candidate.text, _PASSAGE)
    titled = text if text.startswith(candidate.title) else f"{candidate.title}: {text}"
    return Passage(titled, _turn(before) if before else "", ranked.is_turn, ranked.relevance)


def _turn(candidate: Candidate) -> str:
    return f"{candidate.title}: {candidate.text[:_PASSAGE]}"
