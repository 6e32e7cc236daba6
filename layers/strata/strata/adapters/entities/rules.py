"""Entities by the rules of `domain/entities`."""

from strata.domain.entities.recognition import recognize
from strata.domain.entities.shapes import Mention


class RuleRecognizer:
    """An `EntityRecognizer` without a model, for English and Spanish side by side."""

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        return recognize(text)
