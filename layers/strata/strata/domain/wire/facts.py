"""Facts as they go over the wire (Fyso)."""

from strata.domain.facts.found import Category
from strata.domain.wire.base import Wire


class Fact(Wire):
    """A fact about a person, in one sentence.

    `basis` quotes the person's own words in the session `session_id`. `supersedes` lists the older facts that
    this one replaced.
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
    """The facts that an agent knows about a person, newest first."""

    facts: list[Fact]
