"""Rows about people and the agents that know them: configuration, consent, facts, transcripts, orders."""

from strata.domain.times import rfc3339
from strata.domain.wire.facts import Fact
from strata.ports.rows import AllOf, Equals, Item, Key, Present
from strata.services.records.owners import owner_pk
from strata.services.records.parts import numbered, part
from strata.services.records.sessions import session_key

FACT_KIND = "fact"
DEVICE_KIND = "device"
FACT_PREFIX = "FACT#"
FACTS_PREFIX = "FACTS#"
GONE_PREFIX = "GONE#"
FACT_HOLDS = AllOf((Present(), Equals("superseded_by", None)))
"""The condition that a fact is there, and no newer one took its place."""
CONSENT_PREFIX = "CONSENT#"
EXTRACTION_SK = "EXTRACTION"
CONSENT_SK = "CONSENT"
_FACT = "fact-"


def agent_config_key(agent_id: str) -> Key:
    """The fields of an agent's configuration that were set."""
    return Key(f"AGENT#{part(agent_id)}", "CONFIG")


def consent_key(owner: str) -> Key:
    """A person's consent, for every agent of the tenant: `{ai_consent, persist, updated_at}`.

    With `forgets`, their name, while what a refusal erases is still to be looked for once more.
    """
    return Key(owner_pk(owner), CONSENT_SK)


def consent_note_key(owner: str, at: int) -> Key:
    """A statement of a person, and the caller who reported it: `{ai_consent, persist, at, by}`."""
    return Key(owner_pk(owner), CONSENT_PREFIX + numbered(at))


def preferences_key(owner: str) -> Key:
    """A user's preferences: `{user_id, fields, version, updated_at}`, the fields as JSON text."""
    return Key(owner_pk(owner), "PREFERENCES")


def device_key(device_id: str) -> Key:
    """The user of a device: `{device_id, user_id, updated_at}`."""
    return Key(f"DEVICE#{part(device_id)}", "DEVICE")


def facts_pk(agent_id: str, owner: str) -> str:
    """The partition of an agent's facts about a person."""
    return f"{FACTS_PREFIX}{part(agent_id)}#{part(owner)}"


def facts_head_key(agent_id: str, owner: str) -> Key:
    """Changes with every write of facts there, so that each is compared with all others: `{version}`."""
    return Key(facts_pk(agent_id, owner), "HEAD")


def fact_key(agent_id: str, owner: str, number: int) -> Key:
    """One fact."""
    return Key(facts_pk(agent_id, owner), FACT_PREFIX + numbered(number))


def deleted_fact_key(agent_id: str, owner: str, fact_hash: str) -> Key:
    """Keeps a deleted fact from being written again for a day: `{id, session_id, value, basis}`."""
    return Key(facts_pk(agent_id, owner), GONE_PREFIX + part(fact_hash))


def transcript_key(session_id: str) -> Key:
    """The user's words in an ended session whose facts are still to be extracted: `{turns}`, as JSON text."""
    return Key(session_key(session_id).pk, "TRANSCRIPT")


def extraction_key(session_id: str) -> Key:
    """The order to extract a session's facts, see `services/facts/orders`."""
    return Key(session_key(session_id).pk, EXTRACTION_SK)


def fact_id(number: int) -> str:
    """The id of a fact as it goes over the wire: `fact-<number>`."""
    return f"{_FACT}{number}"


def is_fact(key: Key) -> bool:
    """Whether a row is a fact."""
    return key.pk.startswith(FACTS_PREFIX) and key.sk.startswith(FACT_PREFIX)


def fact_number(identity: str) -> int | None:
    """The number in the id of a fact; None for other ids."""
    digits = identity.removeprefix(_FACT)
    known = digits != identity and digits.isascii() and digits.isdigit() and len(digits) <= 16
    return int(digits) if known and str(int(digits)) == digits else None


def to_fact(item: Item) -> Fact:
    """A fact's row as it goes over the wire."""
    return Fact(
        id=fact_id(item["id"]),
        fact=item["fact"],
        category=item["category"],
        value=item["value"],
        basis=item["basis"],
        session_id=item["session_id"],
        supersedes=[fact_id(each) for each in item.get("supersedes", ())] or None,
        created_at=rfc3339(item["created_at"]),
    )
