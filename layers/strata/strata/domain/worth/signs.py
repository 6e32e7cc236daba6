"""Signs that a conversation is worth remembering, compiled from their table."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from strata.domain.worth.sieve import Sieve
from strata.domain.worth.sign_table import CLAUSE, TABLE, EpisodeType


@dataclass(frozen=True, slots=True)
class Sign:
    """Ways to say one thing that is worth remembering.

    Attributes:
        kind: its meaning.
        role: the speaker.
        sieve: matches their sentences.
        replies: whether it counts only after a message of the assistant.
        unasked: whether it does not count in answer to a question of the assistant.
    """

    kind: EpisodeType
    role: str
    sieve: Sieve
    replies: bool = False
    unasked: bool = False


def _sign(kind: EpisodeType, said: str, patterns: Iterable[str]) -> Sign:
    """`said`: by `user` or `assistant`; as a user's `reply`, or as an `answer`: a reply to anything but a question."""
    sieve, replies = Sieve(patterns, [CLAUSE]), said in ("reply", "answer")
    return Sign(kind, _role(said), sieve, replies=replies, unasked=said == "answer")


def _role(said: str) -> str:
    return "assistant" if said == "assistant" else "user"


SIGNS = tuple(
    _sign(kind, said, (pattern for *_, pattern in lines))
    for (kind, said), lines in groupby(TABLE, key=lambda line: line[:2])
)
"""The signs in the order of the table, neighbours of one meaning in one."""

_SIEVES = {
    role: Sieve((pattern for _, said, pattern in TABLE if _role(said) == role), [CLAUSE])
    for role in ("user", "assistant")
}


def may_sign(role: str, sentence: str) -> bool:
    """Whether a sentence of this speaker matches the pattern of any sign."""
    return _SIEVES[role].matches(sentence)
