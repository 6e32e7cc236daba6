"""Checks of what a language model reads in texts about entities: only what its quoted words bear out is taken."""

import re
from collections.abc import Sequence

from pydantic import BaseModel

from strata.domain.entities.relation_table import TABLE
from strata.domain.entities.relations import takes_back
from strata.domain.entities.shapes import Mention, Relationship
from strata.domain.text.folding import fold

LONGEST_QUOTE = 500
_SURE = 0.8
"""The most confidence in a relationship of a model's, below that of the clearest phrases."""


class ProposedRelationship(BaseModel):
    """A relationship between two names of a text, as a model proposes it."""

    subject: str
    kind: str
    object: str
    quote: str
    confidence: float


def checked(proposed: ProposedRelationship, text: str, mentions: Sequence[Mention]) -> Relationship | str:
    """The relationship that a proposal states, or the check that it fails, as a name for counts.

    Args:
        proposed: the proposal.
        text: the text that the model was given.
        mentions: the entities that the text names.
    """
    subject, target = (_named(each, mentions) for each in (proposed.subject, proposed.object))
    if subject is None or target is None or subject is target:
        return "name"
    if not any(
        line.kind == proposed.kind
        and (target.type if line.turned else subject.type) in line.subjects
        and (subject.type if line.turned else target.type) in line.objects
        for line in TABLE
    ):
        return "kind"
    if not 0 < proposed.confidence <= 1:
        return "confidence"
    quote = proposed.quote
    named = 0 < len(quote) <= LONGEST_QUOTE and all(_stands(each, quote) for each in (subject, target))
    if not named or quote not in text:
        return "quote"
    if takes_back(text, quote):
        return "doubt"
    return Relationship(subject.text, proposed.kind, target.text, quote, min(proposed.confidence, _SURE))


def _named(name: str, mentions: Sequence[Mention]) -> Mention | None:
    return next((each for each in mentions if name in (each.text, *each.also)), None)


def _stands(mention: Mention, quote: str) -> bool:
    """Whether a form of the mention's name stands in the quote as words of its own."""
    forms, words = (mention.text, *mention.also), fold(quote)
    return any(re.search(rf"(?<!\w){re.escape(fold(form))}(?!\w)", words) for form in forms)
