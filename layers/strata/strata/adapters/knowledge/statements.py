"""Reads what people say of themselves, by weights in this package that were fitted to labelled messages."""

from collections.abc import Sequence
from pathlib import Path

from strata.adapters.crf import CrfTagger
from strata.domain.knowledge.reading import sightings
from strata.domain.knowledge.statements import Said, Sighting

WEIGHTS = Path(__file__).with_name("weights.crfsuite")

_tagger = CrfTagger(WEIGHTS, "statements")


def read_messages(said: Sequence[Said]) -> list[Sighting]:
    """The sightings in a person's messages, in order.

    Raises:
        ModelFailed: CRFsuite is not installed, or the weights are missing or damaged.
    """
    return sightings(said, _tagger)
