"""Profiles of people: stated by themselves and by agents, and learnt.

One row holds what is said of each field. It changes as a whole, under conditions, with a row that tells of
the change; the hundred latest of those are kept, each in the place of the one a hundred changes before.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from strata.domain.knowledge.borders import Border
from strata.domain.knowledge.profile import (
    FIELDS,
    NAME,
    PATTERNS,
    PREFERENCES,
    STYLE,
    By,
    Shown,
    Statement,
    shown,
    with_statement,
)
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.profiles import Profile, ProfileAnswer, ProfileChange, Provenance
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AnyOf, Check, Condition, Equals, Item, Put
from strata.ports.table import Table
from strata.services.people.consent import refused
from strata.services.people.ownership import Ownership
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import consent_key
from strata.services.records.profiles import past_profile_key, profile_key, statement_item, statements_of
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

MOST_STATEMENTS = 100
"""Statements of one field."""
MOST_CHANGES = 100
"""Changes that the history keeps."""


class Profiles:
    """Reads and changes profiles.

    Args:
        table, clock: the store and the time.
        ownership: knows of whom nothing may be kept.
        clean: takes secrets out of a text.
    """

    def __init__(self, table: Table, clock: Clock, ownership: Ownership, clean: Callable[[str], str]) -> None:
        self._table = table
        self._clock = clock
        self._ownership = ownership
        self._clean_text = clean

    def get(self, scope: Scope, owner: str, agent_id: str | None, project: str | None) -> ProfileAnswer:
        """A person's profile as this agent may see it in this project."""
        found = self.shown(scope, owner, agent_id, project)
        return ProfileAnswer(
            profile=Profile(
                name=found[NAME].value,
                communicationStyle=found[STYLE].value,
                patterns=found[PATTERNS].value or [],
                preferences={} if found[PREFERENCES].value is None else found[PREFERENCES].value,
            ),
            provenance={
                name: [provenance(each) for each in field.statements]
                for name, field in found.items()
                if field.statements
            },
        )

    def shown(self, scope: Scope, owner: str, agent_id: str | None, project: str | None) -> dict[str, Shown]:
        """The value of each field; of a person who refuses only what they stated themselves."""
        key, consent = profile_key(owner), consent_key(owner)
        rows = self._table.get_many(scope, (key, consent))
        stated = statements_of(rows.get(key))
        if refused(rows.get(consent)):
            stated = {name: [one for one in every if one.by == "person"] for name, every in stated.items()}
        return {name: shown(name, stated.get(name, ()), agent_id, project) for name in FIELDS}

    def put(self, scope: Scope, owner: str, change: ProfileChange) -> bool:
        """Write what a person or an agent states; False where nothing may be kept of the person.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        agent, by = change.agent_id, _by(change.agent_id)
        border = Border.of((agent,), (change.project if agent else None,), confined=agent is not None)
        stated = {name: self._clean(value) for name, value in change.stated.items()}

        def attempt(failed: Refused | None) -> bool:
            if (failed is not None and "kept" in failed) or self._ownership.unkept(scope, [owner]):
                return False
            row = self._table.get(scope, profile_key(owner))
            now = self._clock.now_us()
            new = {
                name: None if value is None else Statement(value, by, now, border, agent=agent)
                for name, value in stated.items()
            }
            self._write(scope, owner, row, _changed(row, new, border), new, now)
            return True

        return settled(self._clock, "the profile", attempt)

    def _write(
        self,
        scope: Scope,
        owner: str,
        row: Item | None,
        after: Mapping[str, Sequence[Statement]],
        changes: Mapping[str, Statement | None],
        now: int,
    ) -> None:
        version = (row or {}).get("version", 0) + 1
        seen: Condition = Absent() if row is None else Equals("version", version - 1)
        stored = {name: [statement_item(each) for each in every] for name, every in after.items() if every}
        told = {name: None if each is None else statement_item(each) for name, each in changes.items()}
        transact(
            self._table,
            scope,
            {
                "profile": Put(
                    profile_key(owner),
                    {"user_id": owner, "version": version, "updated_at": now, "statements": stored},
                    seen,
                ),
                "past": Put(
                    past_profile_key(owner, version % MOST_CHANGES),
                    {"user_id": owner, "version": version, "at": now, "changes": told},
                ),
                "kept": keeping(owner),
            },
        )

    def _clean(self, value: Any) -> Any:
        """The value without secrets."""
        if isinstance(value, list):
            return [self._clean(each) for each in value]
        if isinstance(value, dict):
            return {name: self._clean(each) for name, each in value.items()}
        return self._clean_text(value) if isinstance(value, str) else value


def keeping(owner: str) -> list[Action]:
    """Let a transaction fail once nothing may be kept of the person."""
    persists = AnyOf((Absent(), Equals("persist", True), Equals("persist", None)))
    return [Check(consent_key(owner), persists), Check(tombstone_key(owner), Absent())]


def provenance(statement: Statement) -> Provenance:
    """Where a statement is from, as it goes over the wire."""
    return Provenance(
        by=statement.by,
        at=rfc3339(statement.at),
        agent=statement.agent,
        subject=statement.subject or None,
        sources=list(statement.sources) or None,
    )


def _by(agent_id: str | None) -> By:
    return "person" if agent_id is None else "agent"


def _changed(
    row: Item | None, new: Mapping[str, Statement | None], border: Border
) -> dict[str, list[Statement]]:
    """The statements after a change; null takes away an agent's own, and from a person all of the field."""
    after = statements_of(row)
    for name, statement in new.items():
        stated = after.get(name, [])
        if statement is not None:
            after[name] = with_statement(stated, statement, MOST_STATEMENTS)
        elif border.agents:
            after[name] = [each for each in stated if each.by != "agent" or each.border != border]
        else:
            after[name] = []
    return after
