"""The numbers of the ranking rules."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RankingParams:
    """Weights of the rules, all without a unit, with the values that were measured best.

    Each is a round number from the middle of a plateau: halving or doubling any of them moves recall by about
    a hundredth.

    Attributes:
        text, soft, vector: shares of the words found, their nearest words, and the document's vector.
        k1, b: BM25's saturation and length normalisation.
        sharpness: exponent on the cosine of two words, so that near words count and vague likeness does not.
        previous, next, earlier: how much a turn inherits of what the turns before and after it match, and of
            what the turn before the previous one matches.
        session: weight of the session's best turns against the turn's own score.
        session_depth: how many of a session's best turns make its score.
        speaker: how much a turn gains when the query names who said it.
        name: how much a memory that names something gains when the query asks who, where or which.
        time: how much a memory that speaks of time gains when the query asks for one.
        asking: how much a turn loses when all it does is ask.
    """

    text: float = 0.3
    soft: float = 0.5
    vector: float = 0.2
    k1: float = 0.9
    b: float = 0.3
    sharpness: float = 1.5
    previous: float = 0.5
    next: float = 0.3
    earlier: float = 0.2
    session: float = 0.6
    session_depth: int = 3
    speaker: float = 0.5
    name: float = 0.2
    time: float = 0.2
    asking: float = 0.2
