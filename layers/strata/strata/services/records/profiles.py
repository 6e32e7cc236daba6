"""Rows of people's profiles: the statements of each field, and the changes before."""

from typing import Any

from strata.domain.knowledge.borders import Border
from strata.domain.knowledge.profile import MOST_CHANGES, Statement, normalized
from strata.domain.text.strings import project_name
from strata.ports.rows import Item, Key
from strata.services.records.owners import owner_pk
from strata.services.records.parts import digest, numbered

PAST_PREFIX = "PASTPROFILE#"


def profile_key(owner: str) -> Key:
    """A person's profile: `{version, updated_at, statements, refused}`, statements by field."""
    return Key(owner_pk(owner), "PROFILE")


def past_profile_key(owner: str, version: int) -> Key:
    """A change of a profile, in the place of the one before it: `{version, at, changes}`."""
    return Key(owner_pk(owner), PAST_PREFIX + numbered(version % MOST_CHANGES))


def statement_item(statement: Statement) -> Item:
    """A statement as it is stored."""
    border = statement.border
    item: Item = {"value": statement.value, "by": statement.by, "at": statement.at}
    optional = {
        "agents": sorted(border.agents),
        "projects": sorted(border.projects),
        "confined": border.confined,
        "subject": statement.subject,
        "sources": list(statement.sources),
        "agent": statement.agent,
    }
    return item | {name: value for name, value in optional.items() if value}


def told_item(field: str, statement: Statement) -> Item:
    """A statement of a change, with its field; without a value it tells of a removal."""
    return statement_item(statement) | {"field": field}


def told_of(row: Item) -> list[tuple[str, Statement]]:
    """The statements of a change, with their fields."""
    return [(each["field"], to_statement(each)) for each in row["changes"]]


def value_digest(field: str, statement: Statement) -> str:
    """Names a learnt value that a person took away, without holding it."""
    return digest(field, statement.subject, normalized(statement.value))


def to_statement(item: Item) -> Statement:
    """A statement from its stored form."""
    projects = map(project_name, item.get("projects", ()))  # earlier versions kept the name as it was sent
    border = Border.of(item.get("agents", ()), projects, confined=item.get("confined", False))
    return Statement(
        value=item["value"],
        by=item["by"],
        at=item["at"],
        border=border,
        subject=item.get("subject", ""),
        sources=tuple(item.get("sources", ())),
        agent=item.get("agent"),
    )


def statements_of(row: Item | None) -> dict[str, list[Statement]]:
    """The statements of a profile's row by field."""
    stored: dict[str, list[Any]] = (row or {}).get("statements", {})
    return {name: [to_statement(each) for each in stated] for name, stated in stored.items()}
