"""What a turn gains from its surroundings: a turn alone seldom says what it is about."""

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from strata.domain.ranking.prepared import neighbours

if TYPE_CHECKING:
    from strata.domain.ranking.dialogue import Dialogue
    from strata.domain.ranking.params import RankingParams
    from strata.domain.ranking.prepared import Floats, Pool


def with_neighbours(
    own: "Floats", asked: "Floats", likeness: "Floats", dialogue: "Dialogue", params: "RankingParams"
) -> "Floats":
    """Scores in which a turn also answers for what its neighbours match: (candidates,).

    Term by term, so that a turn is credited with a word it lacks and not twice with one it has.

    Args:
        own: evidence for each term: (candidates, terms).
        asked: factor on a turn's own evidence, below 1 where it only asks: (candidates,).
        likeness: of the document's vector: (candidates,).
        dialogue: who neighbours whom.
        params: weights.
    """
    before, after = neighbours(own, dialogue.previous), neighbours(own, dialogue.next)
    earlier = neighbours(before, dialogue.previous)
    terms = own * asked[:, None]
    for weight, inherited in ((params.previous, before), (params.next, after), (params.earlier, earlier)):
        terms = np.maximum(terms, weight * inherited)
    around = params.previous * neighbours(likeness, dialogue.previous)
    around += params.next * neighbours(likeness, dialogue.next)
    return np.asarray(terms.sum(axis=1) + likeness * asked + around)


def with_session(scores: "Floats", pool: "Pool", dialogue: "Dialogue", params: "RankingParams") -> "Floats":
    """Scores of turns mixed with the mean of their session's best; other memories keep theirs."""
    turns_of: dict[str | None, list[int]] = defaultdict(list)
    for turn in np.flatnonzero(dialogue.turns).tolist():
        turns_of[pool.candidates[turn].session_id].append(turn)
    prior = scores.copy()
    for turns in turns_of.values():
        best = np.sort(scores[turns])[-params.session_depth :]
        prior[turns] = best.sum() / params.session_depth
    return np.asarray(scores + (prior - scores) * params.session / (1 + params.session))
