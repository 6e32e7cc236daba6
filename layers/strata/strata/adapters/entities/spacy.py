"""Entities by an installed spaCy pipeline."""

from functools import cached_property
from typing import Any

from strata.domain.entities.merging import mentions_of
from strata.domain.entities.shapes import EntityType, Mention
from strata.domain.errors import ModelFailed

_TYPES: dict[str, EntityType] = {
    "PERSON": "person",
    "PER": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organization",
    "EVENT": "event",
    "PRODUCT": "thing",
    "WORK_OF_ART": "thing",
}
_CONFIDENCE = 0.8
"""spaCy tells no probability of an entity."""


class SpacyRecognizer:
    """An `EntityRecognizer` over a pipeline with a component that sets entities.

    Args:
        name: of the installed pipeline, such as `en_core_web_sm`. It is loaded at the first use.

    Raises:
        ModelFailed: spaCy or the pipeline is not installed.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        """The entities that the text names."""
        found = ((entity, _TYPES.get(entity.label_)) for entity in self._pipeline(text).ents)
        return mentions_of(
            text, ((each.start_char, each.end_char, kind, _CONFIDENCE) for each, kind in found if kind)
        )

    @cached_property
    def _pipeline(self) -> Any:
        try:
            import spacy  # noqa: PLC0415 - an installation without it is the rule

            return spacy.load(self._name)
        except (ImportError, OSError) as error:
            raise ModelFailed(f"the spaCy pipeline {self._name} is not installed") from error
