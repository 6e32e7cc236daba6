"""Profiles learn from facts while these hold, and forget them after.

It follows the stream and looks at each fact as it is now: a change that comes twice, late or out of turn
changes nothing more.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from strata.domain.knowledge.borders import Border
from strata.domain.knowledge.profile import Statement, from_fact
from strata.domain.scope import Scope
from strata.ports.rows import Check, Item, Key
from strata.ports.table import Table
from strata.services.knowledge.learning import ProfileLearning
from strata.services.knowledge.profile_rows import NoLongerAllowed, Told
from strata.services.people.permission import permission_checks
from strata.services.records.parts import whole
from strata.services.records.people import FACT_HOLDS, FACT_PREFIX, fact_id, is_fact
from strata.services.records.sessions import session_key


class FactLearning:
    """Hands facts on to the profiles of their people."""

    def __init__(self, table: Table, profiles: ProfileLearning) -> None:
        self._table = table
        self._profiles = profiles

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream: learn facts that hold, take away superseded, deleted and expired ones.

        Raises:
            Conflict: concurrent writers of a profile did not let this one settle.
        """
        facts = [key for key in dict.fromkeys(keys) if is_fact(key)]
        rows = self._table.get_many(scope, facts) if facts else {}
        self._learn(scope, {key: row for key, row in rows.items() if row.get("superseded_by") is None})
        superseded: defaultdict[str, set[str]] = defaultdict(set)
        gone: defaultdict[str, set[str]] = defaultdict(set)
        for key in facts:
            row = rows.get(key)
            if row is None or row.get("superseded_by") is not None:
                owner = whole(key.pk.rpartition("#")[2])
                number = int(key.sk.removeprefix(FACT_PREFIX))
                (gone if row is None else superseded)[owner].add(fact_id(number))
        for owner, sources in superseded.items():
            self._profiles.fall(scope, owner, sources)
        for owner, sources in gone.items():
            self._profiles.fall(scope, owner, sources, from_past=True)

    def _learn(self, scope: Scope, holding: Mapping[Key, Item]) -> None:
        telling = {key: row for key, row in holding.items() if _said(row) is not None}
        sessions = {row["session_id"]: session_key(row["session_id"]) for row in telling.values()}
        there = self._table.get_many(scope, list(sessions.values())) if sessions else {}
        projects = {
            each: project
            for each, key in sessions.items()
            if (project := there.get(key, {}).get("project")) is not None
        }
        for key, row in telling.items():
            owner = row["user_id"]
            checks = [*permission_checks(row["agent_id"], owner, row["session_id"]), Check(key, FACT_HOLDS)]
            try:
                self._profiles.learn(scope, owner, learnt_from_facts([row], projects), checks)
            except NoLongerAllowed:
                continue


def learnt_from_facts(facts: Iterable[Item], projects: Mapping[str, str]) -> list[Told]:
    """The profile that follows from the facts that hold: name, language, likes and dislikes.

    Args:
        facts: rows of facts.
        projects: the projects of their sessions, by session.
    """
    learnt = []
    for fact in facts:
        said = _said(fact)
        if said is None:
            continue
        name, subject, value = said
        border = Border.of((fact["agent_id"],), (projects.get(fact["session_id"]),), confined=True)
        sources = (fact_id(fact["id"]),)
        learnt.append((name, Statement(value, "learnt", fact["created_at"], border, subject, sources)))
    return learnt


def _said(fact: Item) -> tuple[str, str, str] | None:
    return from_fact(fact["category"], fact["value"], fact["fact"])
