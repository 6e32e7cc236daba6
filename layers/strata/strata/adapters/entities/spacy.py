"""Entities by the rules and an installed spaCy pipeline."""

from functools import cached_property
from typing import Any

from strata.domain.entities.merging import mentions_of
from strata.domain.entities.recognition import recognize
from strata.domain.entities.shapes import EntityType, Mention
from strata.domain.errors import ModelFailed
from strata.domain.knowledge.common import is_spanish
from strata.domain.text.folding import fold

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
_LANGUAGES = ("en", "es")
_CONFIDENCE = 0.8
"""spaCy tells no probability of an entity."""


class SpacyRecognizer:
    """An `EntityRecognizer` by the rules, and beside them a pipeline with a component that sets entities.

    The rules have the say where both find a name. A pipeline for one language reads texts in it alone.

    Args:
        name: of the installed pipeline, such as `en_core_web_sm`. It is loaded at the first use.

    Raises:
        ModelFailed: spaCy or the pipeline is not installed.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        found = recognize(text)
        pipeline = self._pipeline
        if pipeline.lang in _LANGUAGES and (pipeline.lang == "es") != is_spanish(fold(text).split()):
            return found
        known = [(each.start, each.end) for each in found]
        names = {name for each in found for name in (each.text, *each.also)}
        spans = ((each, _TYPES.get(each.label_)) for each in pipeline(text).ents)
        more = mentions_of(text, ((e.start_char, e.end_char, kind, _CONFIDENCE) for e, kind in spans if kind))
        found += [
            each
            for each in more
            if each.text not in names
            and all(each.end <= start or each.start >= end for start, end in known)
            and (each.type in ("person", "place") or " " in each.text)
        ]
        return sorted(found, key=lambda each: each.start)

    @cached_property
    def _pipeline(self) -> Any:
        try:
            import spacy  # noqa: PLC0415 - an installation without it is the rule

            return spacy.load(self._name)
        except (ImportError, OSError) as error:
            raise ModelFailed(f"the spaCy pipeline {self._name} is not installed") from error
