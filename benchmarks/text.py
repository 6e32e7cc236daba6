"""Invented memories that look like language to an index.

Words are the tokenizer's own whole words in the order of their frequency, drawn by Zipf's law, in sentences
with the small words of English: posting lists are then as long, and rare words as rare, as in real text.
"""

import json
from bisect import bisect
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from strata.adapters import static_embeddings

SESSION = 20
"""Memories of one session."""

_ZIPF = 1.0
_SHORTEST, _LONGEST = 25, 40
_NAMES = "Ada Bram Chiara Dmitri Esra Femi Greta Hugo Ines Jonas Keiko Lars Mina Nadia Otto Priya".split()  # noqa: SIM905
_TIMES = ("last week", "on Monday", "in March", "yesterday", "before the summer", "on 4 May", "this morning")
_SENTENCES = (
    "{name} said that the {a} of the {b} should {c} before the {d}",
    "We decided to {a} the {b} because {c} was too {d} for {e}",
    "I went to the {a} with {name} {time} and saw a {b} {c}",
    "The {a} does not {b} when {c} and {d} are in the {e}",
    "It was {name} who found the {a} {b} near the {c} {time}",
    "After the {a} they moved {b} to {c}, which made the {d} {e}",
    "Do not {a} the {b} again: {c} is {d}, and {name} needs it {time}",
)
_QUESTIONS = (
    "What did {name} say about the {a} and the {b}?",
    "Why was the {a} of {b} {c}?",
    "When did we {a} the {b} with {c}?",
    "Which {a} is near the {b}, {c} or {d}?",
    "{a} {b} {c}",
)


class Writer:
    """Writes memories and questions; the same seed writes the same ones."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._words = _vocabulary()
        self._sums = list(accumulate(1 / (rank + 3) ** _ZIPF for rank in range(len(self._words))))

    def memory(self) -> str:
        """25 to 40 words."""
        target = self._random.randint(_SHORTEST, _LONGEST)
        words: list[str] = []
        while len(words) < target:
            words += self._fill(self._random.choice(_SENTENCES) + ".").split()
        return " ".join(words[:target])

    def observations(self, project: str, count: int) -> list[dict[str, Any]]:
        """Bodies of saves, in order: sessions of `SESSION`, every other one a talk of two people."""
        return [self._observation(project, number) for number in range(count)]

    def question(self) -> str:
        """A question, or a few words, of which no two are likely the same."""
        return self._fill(self._random.choice(_QUESTIONS))

    def questions(self, count: int) -> list[str]:
        """Distinct questions."""
        found: dict[str, None] = {}
        while len(found) < count:
            found[self.question()] = None
        return list(found)

    def _observation(self, project: str, number: int) -> dict[str, Any]:
        session = number // SESSION
        talk = session % 2 == 0
        speakers = (_NAMES[session % len(_NAMES)], _NAMES[(session + 5) % len(_NAMES)])
        return {
            "session_id": f"{project}-{session}",
            "project": project,
            "type": "discovery" if talk else "decision",
            "title": speakers[number % 2] if talk else f"{self._word()} {self._word()} {self._word()}",
            "content": self.memory(),
        }

    def _fill(self, sentence: str) -> str:
        words = {letter: self._word() for letter in "abcde"}
        return sentence.format(name=self._random.choice(_NAMES), time=self._random.choice(_TIMES), **words)

    def _word(self) -> str:
        return self._words[bisect(self._sums, self._random.random() * self._sums[-1])]


@cache
def _vocabulary() -> list[str]:
    """Whole words of the tokenizer, the most frequent first; short pieces are mostly no words."""
    folder: Path = static_embeddings._package_folder()
    pieces: dict[str, int] = json.loads((folder / static_embeddings._TOKENIZER).read_text(encoding="utf-8"))[
        "model"
    ]["vocab"]
    begins = "\u2581"  # marks where a word begins
    whole = [piece[1:] for piece in sorted(pieces, key=pieces.__getitem__) if piece.startswith(begins)]
    return [word for word in whole if len(word) >= 4 and word.isascii() and word.isalpha() and word.islower()]
