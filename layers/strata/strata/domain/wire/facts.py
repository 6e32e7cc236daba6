"""Facts as they go over the wire (Fyso)."""

from strata.domain.facts.found import Category
from strata.domain.wire.base import Wire


class Fact(Wire):
    """What an agent knows about a person, in one sentence.

    `basis` are the person's own words that it rests on, said in the session `session_id`; `supersedes` names
    older facts that it took the place of.
    """

    id: str
    fact: str
    category: Category
    value: str
    basis: str
    session_id: str
    supersedes: list[str] | None = None
    created_at: str


class Facts(Wire):
    """What an agent knows about a person, newest first."""

    facts: list[Fact]
