"""Rows of observations: themselves, their pointers, guards and change notes."""

from strata.domain.times import rfc3339
from strata.domain.wire.observations import Observation
from strata.ports.rows import Item, Key
from strata.services.records.parts import (
    APPLIED_PREFIX,
    CHANGE_PREFIX,
    POINTER_SK,
    digest,
    numbered,
    part,
    parts_of_note,
)

OBSERVATION_PREFIX = "OBS#"
LAST_OBSERVATION = OBSERVATION_PREFIX + "9" * 16
TRASH_PREFIX = "TRASH#"
_POINTED = "OBS#"
GLOBAL_PK = "GLOBAL"
GUARD_SK = "GUARD"
_PLACES = ("PROJECT#", GLOBAL_PK)
"""The prefixes of the partitions of observations and their notes."""
OBSERVATION_KIND = "observation"


def project_pk(project: str) -> str:
    """The partition that holds a project's observations, by id."""
    return f"PROJECT#{part(project)}"


def observation_key(project: str, observation_id: int) -> Key:
    """The row of a live observation."""
    return Key(project_pk(project), OBSERVATION_PREFIX + numbered(observation_id))


def trash_key(project: str, observation_id: int) -> Key:
    """The row of a soft-deleted observation, which no list shows."""
    return Key(project_pk(project), TRASH_PREFIX + numbered(observation_id))


def pointer_key(observation_id: int) -> Key:
    """The pointer from an id to its project: `{project, state}`, state `live`, `trash` or `gone`."""
    return Key(f"{_POINTED}{numbered(observation_id)}", POINTER_SK)


def pointed_id(key: Key) -> int:
    """The id in a pointer's key."""
    return int(key.pk.removeprefix(_POINTED))


def session_observations(session_id: str) -> str:
    """gsi1: the observations of a session, by id."""
    return f"SESSION#{part(session_id)}"


def trashed_observations(session_id: str) -> str:
    """gsi1: the soft-deleted observations of a session, by id."""
    return f"TRASH_OF#{part(session_id)}"


def hash_key(project: str, owner: str | None, content_hash: str, kind: str) -> Key:
    """The guard of one content of one type: `{observation_id, window_until}` (dedup, tier 2)."""
    return Key(f"HASH#{digest(project, owner or '', content_hash, kind)}", GUARD_SK)


def untyped_hash_key(project: str, owner: str | None, content_hash: str) -> Key:
    """The guard of one content of whatever type, as earlier versions wrote it: it guards its row's type."""
    return Key(f"HASH#{digest(project, owner or '', content_hash)}", GUARD_SK)


def content_guards(row: Item) -> tuple[Key, Key]:
    """The guard of an observation's content, and the one that an earlier version may have written for it."""
    about = row["project"], row.get("user_id"), row["normalized_hash"]
    return hash_key(*about, row["type"]), untyped_hash_key(*about)


def has_content_of(there: Item | None, row: Item) -> bool:
    """Whether the observation that a guard names has the content and type of this one."""
    return there is not None and all(there[name] == row[name] for name in ("normalized_hash", "type"))


def topic_guard_key(project: str, scope: str, owner: str | None, topic_key: str) -> Key:
    """The guard of one topic: `{observation_id}` (dedup, tier 1)."""
    return Key(f"TOPIC#{digest(project, scope, owner or '', topic_key)}", GUARD_SK)


MARK = ("superseded_by", "superseded_reason", "superseded_at")
"""The attributes of an observation that a newer one superseded."""


def change_note_key(pk: str, project: str, observation_id: int, at: int) -> Key:
    """The change note of one write of an observation; its key names the observation."""
    return Key(pk, f"{CHANGE_PREFIX}{numbered(at)}#{numbered(observation_id)}#{part(project)}")


def applied_key(pk: str, until: int, number: int) -> Key:
    """The indexed changes of a partition that the engine shows from `until` (µs) on; a random number."""
    return Key(pk, f"{APPLIED_PREFIX}{numbered(until)}#{numbered(number)}")


def observation_of(key: Key) -> Key | None:
    """The observation that a changed row is about: the row itself or its change note; None for other rows.

    Raises:
        ValueError: the key of a change note is malformed.
    """
    if not key.pk.startswith(_PLACES):
        return None
    if key.sk.startswith(OBSERVATION_PREFIX):
        return key
    if key.sk.startswith(CHANGE_PREFIX):
        _, number, project = parts_of_note(key.sk)
        return Key(f"PROJECT#{project}", OBSERVATION_PREFIX + number)
    return None


def observation_id_of(key: Key) -> int:
    """The id in an observation's sort key."""
    return int(key.sk.removeprefix(OBSERVATION_PREFIX))


def to_observation(item: Item) -> Observation:
    """An observation row as it goes over the wire."""
    return Observation(
        **{name: item.get(name) for name in _PLAIN},
        last_seen_at=rfc3339(item["last_seen_at"]),
        created_at=rfc3339(item["created_at"]),
        updated_at=rfc3339(item["updated_at"]),
        superseded_at=rfc3339(item["superseded_at"]) if item.get("superseded_at") else None,
    )


_PLAIN = (
    "id",
    "session_id",
    "type",
    "title",
    "content",
    "tags",
    "project",
    "scope",
    "topic_key",
    "user_id",
    "agent_id",
    "metadata",
    "normalized_hash",
    "revision_count",
    "duplicate_count",
    "superseded_by",
    "superseded_reason",
)
