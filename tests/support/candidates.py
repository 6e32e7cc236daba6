"""Hand-made candidates and a lexicon of a few words for the ranking tests."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from strata.domain.retrieval import Candidate

NEAR = ({"car", "automobile"}, {"river", "stream"})
"""Groups of words that mean nearly the same: cosine 0.8 within, 0 otherwise."""


class SmallLexicon:
    """Every word is a stranger to every other, but for the groups above."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def word_vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(words), 512), dtype=np.float32)
        for row, word in enumerate(words):
            group = next((number for number, group in enumerate(NEAR) if word in group), None)
            own = len(NEAR) + self._places.setdefault(word, len(self._places)) % 500
            if group is None:
                rows[row, own] = 1.0
            else:
                rows[row, group], rows[row, own] = np.sqrt(0.8), np.sqrt(0.2)
        return rows

    def rarity(self, words: Sequence[str]) -> NDArray[np.float32]:
        return np.ones(len(words), dtype=np.float32)


def note(key: str, text: str, **more: object) -> Candidate:
    """A memory with a title of its own, found by its words."""
    return Candidate(**{"key": key, "title": "", "text": text, "bm25": 1.0, **more})  # type: ignore[arg-type]


def conversation(session: str, *lines: tuple[str, str]) -> list[Candidate]:
    """Turns `(speaker, text)` of one session, each linked to the one before; keys are `<session><number>`."""
    return [
        Candidate(
            key=f"{session}{number}",
            title=speaker,
            text=f"{speaker}: {text}",
            order=number,
            session_id=session,
            previous=f"{session}{number - 1}" if number else None,
            bm25=1.0,
        )
        for number, (speaker, text) in enumerate(lines)
    ]
