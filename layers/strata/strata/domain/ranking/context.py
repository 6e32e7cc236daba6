"""Scores of a turn from its surroundings, because a turn alone seldom names its subject."""

from collections import defaultdict
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from strata.domain.neighbours import neighbours

if TYPE_CHECKING:
    import numpy as np

    from strata.domain.ranking.dialogue import Dialogue
    from strata.domain.ranking.params import RankingParams
    from strata.domain.ranking.prepared import Floats, Pool
else:
    from strata.domain import arrays as np


def with_neighbours(
    own: "Floats", asked: "Floats", likeness: "Floats", dialogue: "Dialogue", params: "RankingParams"
) -> "Floats":
    """Scores in which a turn inherits matches of its neighbours: (candidates,).

    Inheritance is by term: a turn gains a term that it lacks, and no term counts twice.

    Args:
        own: score of each term: (candidates, terms).
        asked: factor on a turn's own score, below 1 if it only asks: (candidates,).
        likeness: similarity of the document's vector: (candidates,).
        dialogue: the neighbours of turns.
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
    """Scores in which turns are mixed with the mean of their session's best turns; others stay."""
    turns_of: dict[str | None, list[int]] = defaultdict(list)
    for turn in np.flatnonzero(dialogue.turns).tolist():
        turns_of[pool.candidates[turn].session_id].append(turn)
    own: list[float] = scores.tolist()
    prior = own.copy()
    for turns in turns_of.values():
        best = sorted([own[turn] for turn in turns])[-params.session_depth :]
        mean = reduce(add, best) / params.session_depth
        for turn in turns:
            prior[turn] = mean
    return np.asarray(scores + (np.array(prior) - scores) * params.session / (1 + params.session))
