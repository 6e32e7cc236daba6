"""Weights of the ranking rules."""

from dataclasses import dataclass

from strata.domain.embedders import E5


@dataclass(frozen=True, slots=True)
class RankingParams:
    """Weights of the rules, without units, with the best measured values as defaults.

    Each is a round number from the middle of a plateau: half or double the weight changes recall by about a
    hundredth.

    Attributes:
        text, soft, vector: shares of exact words, nearest words, and the document's vector.
        k1, b: BM25's saturation and length normalisation.
        sharpness: exponent on the cosine of two words, so that only near words count.
        previous, next, earlier: share of a match that a turn inherits from the turn before it, from the turn
            after it, and from the turn before the previous one.
        session: weight of the session's best turns against the turn's own score.
        session_depth: number of best turns in the score of a session.
        speaker: gain of a turn if the query names its speaker.
        name: gain of a memory with a name if the query asks who, where or which.
        time: gain of a memory that names a time if the query asks for one.
        asking: loss of a turn that only asks.
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


_MEASURED = {E5: RankingParams(vector=0.5)}


def measured(embedder: str) -> RankingParams:
    """The best measured weights for an embedder: those of the static table where no others were measured."""
    return _MEASURED.get(embedder, RankingParams())
