"""The port `Entailment` over multilingual-e5-small with weights fitted to this project's own labelled pairs.

Both notes are read as one text, so that each word is seen beside those of the other note.
`evals/contradictions/encoder` fits what is added to the model, the file `entailment_weights.npz`. Its
likelihood is weighed together with that of the rules of `domain/contradictions`, which know numbers and units
better.
"""

import math
from collections.abc import Sequence
from pathlib import Path

from strata.adapters.e5_fitted import FittedModel, blend, log_odds
from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import likelihood
from strata.ports.entailment import Entailed

WEIGHTS = Path(__file__).with_name("entailment_weights.npz")
_MODEL = "multilingual-e5-small-q4/contradictions-2"
LONGEST = 80
"""Tokens of a note; more are cut."""
_AT_ONCE = 32
"""Pairs that are read together."""
_CONTRADICTS, _SAME = 0, 2
"""The places of what the decision tells apart; between them stands that both can be so."""
_NO_REASON = -3.0
"""The log odds that stand for rules which see no reason."""


class FittedEntailment:
    """Tells whether two short notes about one person contradict each other. English and Spanish are fitted.

    A pair takes some 45 ms of a processor in both orders, the model 120 MB of memory; it is loaded at the
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
        return self._model.weighed

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
        """The model's own likelihoods.

        Raises:
            ModelFailed: the model's file cannot be read.
        """
        if pairs:
            self._model.load()
        texts = [tuple(self._model.file.tokens(text)[:LONGEST] for text in pair) for pair in pairs]
        found = []
        for row in self._model.decide(texts, _AT_ONCE):
            powers = [math.exp(each - max(row)) for each in row]
            found.append(Entailed(powers[_SAME] / sum(powers), powers[_CONTRADICTS] / sum(powers)))
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
    return log_odds(likely), log_odds(by_rules) if by_rules else _NO_REASON, float(not by_rules)
