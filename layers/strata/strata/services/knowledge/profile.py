"""Profiles of people as they state them themselves and their agents do, with what was learnt beneath."""

from collections.abc import Callable, Sequence
from typing import Any

from strata.domain.knowledge.borders import Border
from strata.domain.knowledge.profile import (
    FIELDS,
    NAME,
    PATTERNS,
    PREFERENCES,
    STYLE,
    By,
    Statement,
    shown,
    with_statement,
)
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.profiles import (
    PastProfile,
    Profile,
    ProfileAnswer,
    ProfileChange,
    ProfileHistory,
    Provenance,
    Stated,
)
from strata.ports.table import Table
from strata.services.knowledge.profile_rows import Contents, ProfileRows, Told
from strata.services.people.agents import remembers
from strata.services.people.consent import refused
from strata.services.records.people import agent_config_key, consent_key
from strata.services.records.profiles import profile_key, statements_of, told_of, value_digest

Clean = Callable[[dict[str, Any]], dict[str, Any]]


class Profiles:
    """Reads and changes profiles.

    Args:
        table, rows: the store, and what changes the rows of profiles in it.
        clean: takes secrets out of fields.
    """

    def __init__(self, table: Table, rows: ProfileRows, clean: Clean) -> None:
        self._table = table
        self._rows = rows
        self._clean = clean

    def get(self, scope: Scope, owner: str, agent_id: str | None, project: str | None) -> ProfileAnswer:
        """A person's profile as this agent may see it in this project."""
        key, consent, agent = profile_key(owner), consent_key(owner), agent_config_key(agent_id or "")
        rows = self._table.get_many(scope, (key, consent, agent))
        stated = statements_of(rows.get(key))
        if refused(rows.get(consent)) or not remembers(rows.get(agent)):
            stated = {name: own(every) for name, every in stated.items()}
        found = {name: shown(name, stated.get(name, ()), agent_id, project) for name in FIELDS}
        return ProfileAnswer(
            profile=Profile(
                name=found[NAME].value,
                communicationStyle=found[STYLE].value,
                patterns=found[PATTERNS].value or [],
                preferences={} if found[PREFERENCES].value is None else found[PREFERENCES].value,
            ),
            provenance={
                name: [Provenance(**_from(each)) for each in field.statements]
                for name, field in found.items()
                if field.statements
            },
        )

    def history(
        self, scope: Scope, owner: str, agent_id: str | None, project: str | None, limit: int
    ) -> ProfileHistory:
        """The latest changes of a person's profile that this agent may see in this project, newest first."""
        consent, agent = consent_key(owner), agent_config_key(agent_id or "")
        rows = self._table.get_many(scope, (consent, agent))
        silent = refused(rows.get(consent)) or not remembers(rows.get(agent))
        found = []
        for row in self._rows.past(scope, owner):
            told = [(name, each) for name, each in told_of(row) if each.border.admits(agent_id, project)]
            seen = [(name, each) for name, each in told if not silent or each.by == "person"]
            if seen:
                changes = [Stated(field=name, value=each.value, **_from(each)) for name, each in seen]
                found.append(PastProfile(at=rfc3339(row["at"]), changes=changes))
        return ProfileHistory(history=found[:limit])

    def put(self, scope: Scope, owner: str, change: ProfileChange) -> bool:
        """Write what a person or an agent states; False where nothing may be kept of the person.

        An agent's null takes away what it stated itself, a person's null all that is said of the field; nulls
        alone do that of everybody.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        agent = change.agent_id
        by: By = "person" if agent is None else "agent"
        border = Border.of((agent,), (change.project if agent else None,), confined=agent is not None)
        stated = self._clean(change.stated)

        def changed(contents: Contents, now: int) -> list[Told]:
            told = [(name, Statement(value, by, now, border, agent=agent)) for name, value in stated.items()]
            return [(name, each) for name, each in told if _state(contents, name, each)]

        if not any(value is not None for value in stated.values()):
            self._rows.take_away(scope, owner, changed)
            return True
        return self._rows.change(scope, owner, changed)


def own(statements: Sequence[Statement]) -> list[Statement]:
    """The statements of the person themselves."""
    return [each for each in statements if each.by == "person"]


def _state(contents: Contents, name: str, statement: Statement) -> bool:
    """Add a statement to a field; one without a value takes statements away. Whether anything changed."""
    before = contents.statements.get(name, [])
    if statement.value is not None:
        contents.statements[name] = with_statement(before, statement)
    elif statement.by == "agent":
        contents.statements[name] = [each for each in before if each.slot != statement.slot]
    else:
        for each in before:
            if each.by == "learnt":
                contents.refused[value_digest(name, each)] = list(each.sources)
        contents.statements[name] = []
    return contents.statements[name] != before


def _from(statement: Statement) -> dict[str, Any]:
    """The origin of a statement, as fields of the wire."""
    return {
        "by": statement.by,
        "at": rfc3339(statement.at),
        "agent": statement.agent,
        "subject": statement.subject or None,
        "sources": list(statement.sources) or None,
    }
