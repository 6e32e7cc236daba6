"""The parts of episodes and facts that are read for the entities that they name."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel

from strata.domain.entities.proposed import ProposedRelationship, checked
from strata.domain.entities.shapes import Mention, Relationship
from strata.domain.errors import ModelFailed
from strata.domain.scope import Scope
from strata.domain.text.recalled import without_recalled
from strata.ports.models import Question
from strata.ports.rows import Item, Key
from strata.ports.table import Table
from strata.services.people.permission import may_conclude, permission_keys

LONGEST_TEXT = 20_000

Shape = TypeVar("Shape", bound=BaseModel)


class Ask(Protocol):
    """Asks a language model within the tenant's budget (`services/models/ask`)."""

    def __call__(self, scope: Scope, question: Question, shape: type[Shape], /) -> Shape:
        """The model's answer, with the errors of `BudgetedModel.ask`."""


def answered(
    ask: Ask, scope: Scope, instructions: str, shown: Item, shape: type[Shape], counts: Counter[str]
) -> Shape | None:
    """The model's answer about what it is shown; None where it has no usable form, which is counted.

    Raises:
        AgreementMissing, BudgetSpent, Unavailable: the model is not asked, or does not answer.
    """
    try:
        return ask(scope, Question(instructions, json.dumps(shown, ensure_ascii=False)), shape)
    except ModelFailed:  # asked again, it would cost the same once more
        counts["refused_answer"] += 1
        return None


def about(row: Item) -> tuple[str | None, str, str]:
    """The agent, the owner and the session of an episode or a fact."""
    return row.get("agent_id"), row["owner"] if "owner" in row else row["user_id"], row["session_id"]


def permitted(table: Table, scope: Scope, rows: Mapping[Key, Item]) -> dict[Key, Item]:
    """The episodes and facts from which something may be concluded still."""
    keys = (
        permission_keys(agent or "", owner, session) for agent, owner, session in map(about, rows.values())
    )
    leave = table.get_many(scope, list({key for some in keys for key in some}))
    return {key: row for key, row in rows.items() if may_conclude(*about(row), leave)}


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
