"""What is read of the episodes and facts that name entities."""

from collections.abc import Sequence

from strata.domain.entities.proposed import ProposedRelationship, checked
from strata.domain.entities.shapes import Mention, Relationship
from strata.domain.text.recalled import without_recalled
from strata.ports.rows import Item

LONGEST_TEXT = 20_000


def text_of(row: Item) -> str:
    """The text of an episode or a fact in which names are found, without recalled memory."""
    notes = [*(row.get("key_decisions") or ()), *(row.get("entities") or ())]
    text = row["basis"] if "basis" in row else "\n".join([row["summary"], *notes])
    return without_recalled(text)[:LONGEST_TEXT]


def related_by_model(row: Item, text: str, mentions: Sequence[Mention]) -> list[Relationship]:
    """The relationships that a model found in an episode, as far as its text bears them out still."""
    proposed = (ProposedRelationship.model_validate(each) for each in row.get("related") or ())
    found = [checked(each, text, mentions) for each in proposed]
    return [each for each in found if isinstance(each, Relationship)]
