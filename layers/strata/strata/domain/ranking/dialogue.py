"""Turns of conversations among the candidates, and their speakers.

Turns are recognised by their titles: a few labels that repeat and alternate within a session. Notes have
titles of their own, so the rules for turns do not apply to them.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from strata.domain.ranking.prepared import Floats, Indices, Pool, PreparedQuery
else:
    from strata.domain import arrays as np

_RETURNS = 3
_LONGEST_LABEL = 4


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The conversations in the pool.

    Attributes:
        turns: true for candidates that are turns: (candidates,).
        speakers: the stems of all speakers' labels.
        previous, next: the neighbours of turns, -1 for none.
    """

    turns: "NDArray[np.bool_]"
    speakers: frozenset[str]
    previous: "Indices"
    next: "Indices"


def find_dialogue(pool: "Pool") -> Dialogue:
    """Find the turns among the candidates."""
    uses = Counter(
        memo.label
        for memo, candidate in zip(pool.memos, pool.candidates, strict=True)
        if candidate.session_id is not None and 0 < len(memo.label_stems) <= _LONGEST_LABEL
    )
    returning = {label for label, count in uses.items() if count >= _RETURNS}
    answering: set[str] = set()
    for position, before in enumerate(pool.previous):
        label, other = pool.memos[position].label, pool.memos[before].label
        if before >= 0 and label != other and label in returning and other in returning:
            answering |= {label, other}
    turns = np.array(
        [
            memo.label in answering and candidate.session_id is not None
            for memo, candidate in zip(pool.memos, pool.candidates, strict=True)
        ],
        dtype=bool,
    )
    return Dialogue(
        turns=turns,
        speakers=frozenset().union(
            *(memo.label_stems for memo, turn in zip(pool.memos, turns, strict=True) if turn)
        ),
        previous=np.where(turns & turns[pool.previous], pool.previous, -1),
        next=np.where(turns & turns[pool.next], pool.next, -1),
    )


def talk(pool: "Pool") -> Dialogue:
    """Take every candidate of a session as a turn, also where one speaker alone is there."""
    return Dialogue(
        turns=np.array([candidate.session_id is not None for candidate in pool.candidates], dtype=bool),
        speakers=frozenset(),
        previous=pool.previous,
        next=pool.next,
    )


def spoken_by(query: "PreparedQuery", pool: "Pool", dialogue: Dialogue) -> "Floats":
    """1 for each turn whose speaker the query names, else 0: (candidates,)."""
    named = dialogue.speakers & set(query.stems)
    return np.array(
        [
            float(turn and not named.isdisjoint(memo.label_stems))
            for memo, turn in zip(pool.memos, dialogue.turns, strict=True)
        ]
    )


def names_something(pool: "Pool", dialogue: Dialogue) -> "Floats":
    """1 for each memory that contains a name, except names of speakers, else 0: (candidates,)."""

    speakers = tuple(dialogue.speakers)

    @cache
    def speaks(name: str) -> bool:
        return name.startswith(speakers) or any(speaker.startswith(name) for speaker in speakers)

    return np.array([float(not all(map(speaks, memo.names))) for memo in pool.memos])
