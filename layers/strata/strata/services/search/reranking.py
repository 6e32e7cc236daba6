"""The best candidates of a search, read by a cross-encoder where the rules are in doubt."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from strata.domain.assembly.passages import Passages
from strata.domain.errors import ModelFailed
from strata.domain.relevance.asking import read
from strata.domain.relevance.purpose import SURE, purpose
from strata.domain.retrieval import Candidate, Ranked
from strata.ports.language import Lexicon
from strata.ports.reranker import Passage, Reranker

DEPTH = 10
"""The memories that are read at most, of those in doubt that the rules rank best."""

DOUBT = (0.003, 0.9)
"""Relevance by the rules that is in doubt: what is below does not answer, what is above does."""

_PASSAGE_BYTES = 420
"""Bytes of a memory that are read: some 110 tokens, of Chinese as of English."""

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

    def reread(self, query: str, ranked: Sequence[Ranked], found: Sequence[Candidate]) -> list[Ranked]:
        """The candidates by the relevance that reading gives, the highest first.

        Those of which the rules are sure keep theirs; further ones in doubt, which are not read, go.

        Plain small talk and a few common words are left to the rules. So is all without vectors, where the
        rules' relevance is another one, and while the model fails.

        Args:
            query: the message.
            ranked: the candidates that the rules rank, best first.
            found: the candidates with their texts.
        """
        doubtful = [each for each in ranked if is_doubtful(each.relevance)][:DEPTH]
        if not doubtful or not _is_read(query) or all(each.cosine is None for each in found):
            return list(ranked)
        texts = {each.key: each for each in found}
        passages = Passages(query, self.lexicon)
        try:
            told = self.reranker.relevance(query, [passage_of(each, texts, passages) for each in doubtful])
        except ModelFailed as error:
            _log.warning("memories are given as the rules rank them: %s", error.message)
            return list(ranked)
        known = {each.key: relevance for each, relevance in zip(doubtful, told, strict=True)}
        again = [
            replace(each, relevance=known.get(each.key, each.relevance))
            for each in ranked
            if each.key in known or not is_doubtful(each.relevance)
        ]
        return sorted(again, key=lambda each: -each.relevance)


def _is_read(query: str) -> bool:
    """Whether a message is more than a few common words, and not plainly small talk."""
    return not read(query).bare and purpose(query) == SURE


def is_doubtful(relevance: float) -> bool:
    """Whether a relevance by the rules is in doubt."""
    least, most = DOUBT
    return least <= relevance < most


def passage_of(ranked: Ranked, found: Mapping[str, Candidate], passages: Passages) -> Passage:
    """A candidate as it is read.

    Args:
        ranked: the candidate as the rules rank it.
        found: all candidates by key, among which the turn before is looked for.
        passages: chooses what of a long memory is read.
    """
    candidate = found[ranked.key]
    before = found.get(candidate.previous) if ranked.is_turn and candidate.previous else None
    text = passages.of(candidate.text, _most(candidate.text))
    spoken = _titled(before.title, before.text[: _most(before.text)]) if before else ""
    return Passage(_titled(candidate.title, text), spoken, ranked.is_turn, ranked.relevance)


def _most(text: str) -> int:
    """The characters of a text that are read."""
    return _PASSAGE_BYTES * len(text) // max(len(text.encode(errors="replace")), 1)


def _titled(title: str, text: str) -> str:
    return text if text.startswith(title) else f"{title}: {text}"
