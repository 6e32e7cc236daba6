"""The choice of the recognizer of entities."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.ports.entities import EntityRecognizer
    from strata.settings import Settings


def entity_recognizer(settings: "Settings") -> "EntityRecognizer":
    """The recognizer that STRATA_ENTITIES names; its model is loaded at the first use."""
    kind, _, pipeline = settings.entities.partition(":")
    match kind:
        case "ner":
            from strata.adapters.entities.onnx import OnnxRecognizer

            return OnnxRecognizer(settings.model_place(kind), settings.model_cache)
        case "spacy":
            from strata.adapters.entities.spacy import SpacyRecognizer

            return SpacyRecognizer(pipeline)
        case _:
            from strata.adapters.entities.builtin import BuiltInRecognizer

            return BuiltInRecognizer()
