"""Whether an agent may remember a person.

Its configuration must say so, and the person must neither have refused, for this session or for all of them,
nor be under erasure. This is read
before a model is asked about the person, and is a condition of every write, so a refusal holds from the
moment in which it was accepted.
"""

from collections.abc import Mapping

from strata.domain.wire.agents import AgentConfig
from strata.ports.rows import Absent, AllOf, AnyOf, Check, Equals, Item, Key
from strata.services.people.agents import config_of, remembers
from strata.services.people.consent import refused
from strata.services.people.ownership import claimable
from strata.services.people.session_consent import refused_in
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import agent_config_key, consent_key
from strata.services.records.sessions import session_key

_AGREED = tuple(AnyOf((Equals(name, True), Equals(name, None))) for name in ("ai_consent", "persist"))
_UNREFUSED = AnyOf((Absent(), AllOf(_AGREED)))


def permission_keys(agent_id: str, owner: str, session_id: str) -> tuple[Key, ...]:
    """The rows that `permitted` decides by."""
    return agent_config_key(agent_id), consent_key(owner), tombstone_key(owner), session_key(session_id)


def permitted(agent_id: str, owner: str, session_id: str, rows: Mapping[Key, Item]) -> AgentConfig | None:
    """The agent's configuration while it may remember what the person said in the session; else None."""
    config = config_of(agent_id, rows.get(agent_config_key(agent_id)))
    allowed = config.memory_enabled and _willing(owner, session_id, rows)
    return config if allowed else None


def permission_checks(agent_id: str, owner: str, session_id: str) -> list[Check]:
    """Let a transaction fail once the agent may no longer remember what the person said in the session."""
    return [
        *_willing_checks(owner, session_id),
        Check(agent_config_key(agent_id), Equals("memory_enabled", True)),
    ]


def persistence_check(owner: str) -> Check:
    """Let a transaction fail once the person refuses that anything of them is kept."""
    return Check(consent_key(owner), AnyOf((Absent(), Equals("persist", True), Equals("persist", None))))


def learning_check(owner: str) -> Check:
    """Let a transaction fail once the person refuses that anything is learnt about them."""
    return Check(consent_key(owner), _UNREFUSED)


def may_conclude(agent_id: str | None, owner: str, session_id: str, rows: Mapping[Key, Item]) -> bool:
    """Whether conclusions may be drawn from the session: also with an agent that nobody configured."""
    config = rows.get(agent_config_key(agent_id)) if agent_id is not None else None
    return remembers(config) and _willing(owner, session_id, rows)


def conclusion_checks(
    agent_id: str | None, owner: str, session_id: str, *, unclaimed: bool = False
) -> list[Check]:
    """Let a transaction fail once no conclusions may be drawn from the session any more.

    With `unclaimed` also once somebody else owns the session: what nobody owned may get an owner at any time.
    """
    allowing = AnyOf((Absent(), Equals("memory_enabled", True)))
    agents = [] if agent_id is None else [Check(agent_config_key(agent_id), allowing)]
    session = Check(session_key(session_id), AnyOf((Absent(), AllOf((*_AGREED, claimable(owner))))))
    checks = _willing_checks(owner, session_id)
    return [*(session if unclaimed and each.key == session.key else each for each in checks), *agents]


def _willing(owner: str, session_id: str, rows: Mapping[Key, Item]) -> bool:
    session = rows.get(session_key(session_id))
    kept = (session or {}).get("persist", True) and not refused_in(session)
    return bool(kept) and not refused(rows.get(consent_key(owner))) and tombstone_key(owner) not in rows


def _willing_checks(owner: str, session_id: str) -> list[Check]:
    return [
        learning_check(owner),
        Check(session_key(session_id), _UNREFUSED),
        Check(tombstone_key(owner), Absent()),
    ]
