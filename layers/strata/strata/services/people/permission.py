"""Whether an agent may remember a person.

Its configuration must say so, and the person must neither have refused nor be under erasure. This is read
before a model is asked about the person, and is a condition of every write, so a refusal holds from the
moment in which it was accepted.
"""

from collections.abc import Mapping

from strata.domain.wire.agents import AgentConfig
from strata.ports.rows import Absent, AllOf, AnyOf, Check, Equals, Item, Key
from strata.services.people.agents import config_of
from strata.services.people.consent import refused
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import agent_config_key, consent_key


def permission_keys(agent_id: str, owner: str) -> tuple[Key, ...]:
    """The rows that `permitted` decides by."""
    return agent_config_key(agent_id), consent_key(owner), tombstone_key(owner)


def permitted(agent_id: str, owner: str, rows: Mapping[Key, Item]) -> AgentConfig | None:
    """The agent's configuration while it may remember the person; else None."""
    config_key, person, tombstone = permission_keys(agent_id, owner)
    config = config_of(agent_id, rows.get(config_key))
    allowed = config.memory_enabled and not refused(rows.get(person)) and tombstone not in rows
    return config if allowed else None


def permission_checks(agent_id: str, owner: str) -> list[Check]:
    """Let a transaction fail once the agent may no longer remember the person."""
    config_key, person, tombstone = permission_keys(agent_id, owner)
    unrefused = AllOf(
        tuple(AnyOf((Equals(name, True), Equals(name, None))) for name in ("ai_consent", "persist"))
    )
    return [
        Check(person, AnyOf((Absent(), unrefused))),
        Check(tombstone, Absent()),
        Check(config_key, Equals("memory_enabled", True)),
    ]
