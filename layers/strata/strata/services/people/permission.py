"""Whether an agent may remember a person.

Its configuration must say so, and the person must neither have refused, for this session or for all of them,
nor be under erasure. This is read
before a model is asked about the person, and is a condition of every write, so a refusal holds from the
moment in which it was accepted.
"""

from collections.abc import Mapping

from strata.domain.wire.agents import AgentConfig
from strata.ports.rows import Absent, AllOf, AnyOf, Check, Equals, Item, Key
from strata.services.people.agents import config_of
from strata.services.people.consent import refused
from strata.services.people.session_consent import refused_in
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import agent_config_key, consent_key
from strata.services.records.sessions import session_key


def permission_keys(agent_id: str, owner: str, session_id: str) -> tuple[Key, ...]:
    """The rows that `permitted` decides by."""
    return agent_config_key(agent_id), consent_key(owner), tombstone_key(owner), session_key(session_id)


def permitted(agent_id: str, owner: str, session_id: str, rows: Mapping[Key, Item]) -> AgentConfig | None:
    """The agent's configuration while it may remember what the person said in the session; else None."""
    config_key, person, tombstone, session = permission_keys(agent_id, owner, session_id)
    config = config_of(agent_id, rows.get(config_key))
    willing = not refused(rows.get(person)) and not refused_in(rows.get(session))
    allowed = config.memory_enabled and willing and tombstone not in rows
    return config if allowed else None


def permission_checks(agent_id: str, owner: str, session_id: str) -> list[Check]:
    """Let a transaction fail once the agent may no longer remember what the person said in the session."""
    config_key, person, tombstone, session = permission_keys(agent_id, owner, session_id)
    unrefused = AllOf(
        tuple(AnyOf((Equals(name, True), Equals(name, None))) for name in ("ai_consent", "persist"))
    )
    return [
        Check(person, AnyOf((Absent(), unrefused))),
        Check(session, AnyOf((Absent(), Equals("ai_consent", True), Equals("ai_consent", None)))),
        Check(tombstone, Absent()),
        Check(config_key, Equals("memory_enabled", True)),
    ]
