"""The choice of the recognizer of entities."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.ports.entities import EntityRecognizer


def entity_recognizer(chosen: str) -> "EntityRecognizer":
    """The recognizer that STRATA_ENTITIES names; its model is loaded at the first use."""
    kind, _, name = chosen.partition(":")
    match kind:
        case "onnx":
            from strata.adapters.entities.onnx import OnnxRecognizer

            return OnnxRecognizer(Path(name))
        case "spacy":
            from strata.adapters.entities.spacy import SpacyRecognizer

            return SpacyRecognizer(name)
        case _:
            from strata.adapters.entities.rules import RuleRecognizer

            return RuleRecognizer()
