"""Entities by the built-in weights and an installed spaCy pipeline."""

from collections.abc import Collection
from functools import cached_property
from typing import Any

from strata.adapters.entities.builtin import recognize
from strata.domain.entities.merging import Span, mentions_of
from strata.domain.entities.reading import words
from strata.domain.entities.shapes import EntityType, Mention
from strata.domain.errors import ModelFailed
from strata.domain.text.common import is_spanish
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
    """An `EntityRecognizer` by the built-in weights and a pipeline with a component that sets entities.

    The weights have the say where both find a name. A pipeline for English or Spanish reads texts in it
    alone, and adds only places inside a sentence: what else it adds is wrong more often than it is right.

    Args:
        name: of the installed pipeline, such as `en_core_web_sm`. It is loaded at the first use.

    Raises:
        ModelFailed: spaCy or the pipeline is not installed, or the weights cannot be loaded.
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
        begins = {word.start for word in words(text) if word.begins or not word.capital}
        spans = (
            Span(each.start_char, each.end_char, kind, _CONFIDENCE)
            for each in pipeline(text).ents
            if (kind := _TYPES.get(each.label_))
        )
        found += [
            each
            for each in mentions_of(text, spans)
            if each.text not in names
            and all(each.end <= start or each.start >= end for start, end in known)
            and self._adds(each, begins)
        ]
        return sorted(found, key=lambda each: each.start)

    def _adds(self, mention: Mention, begins: Collection[int]) -> bool:
        if self._pipeline.lang in _LANGUAGES:
            return mention.type == "place" and mention.start not in begins
        return mention.type in ("person", "place") or " " in mention.text

    @cached_property
    def _pipeline(self) -> Any:
        try:
            import spacy  # noqa: PLC0415 - an installation without it is the rule

            return spacy.load(self._name)
        except (ImportError, OSError) as error:
            raise ModelFailed(f"the spaCy pipeline {self._name} is not installed") from error
