"""Reads what people say of themselves, by weights in this package that were fitted to labelled messages."""

from collections.abc import Sequence
from pathlib import Path

from strata.adapters.crf import CrfTagger
from strata.domain.knowledge.clues import clues
from strata.domain.knowledge.reading import sightings
from strata.domain.knowledge.stated import Tagger
from strata.domain.knowledge.statements import Said, Sighting

WEIGHTS = Path(__file__).with_name("weights.crfsuite")

BY_CLUES = CrfTagger(WEIGHTS, "statements")


def tagged(by_clues: CrfTagger) -> Tagger:
    """A tagger of messages by the clues of their words."""
    return lambda written, words: by_clues(list(clues(written, words)))


def read_messages(said: Sequence[Said]) -> list[Sighting]:
    """The sightings in a person's messages, in order.

    Raises:
        ModelFailed: CRFsuite is not installed, or the weights are missing or damaged.
    """
    return sightings(said, tagged(BY_CLUES))
