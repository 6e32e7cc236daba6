"""Every kind of row: its key, and how it becomes what goes over the wire.

The tenant is not part of any key here; the table's adapter puts the scope's tenant in front.
What comes from a caller is escaped, so that no value can reach into another row's key.
docs/data-model.md lists the same rows with who reads them how.
"""

import hashlib

from strata.domain.models import Observation, Session
from strata.domain.text import rfc3339
from strata.ports import Item, Key

OBSERVATION_PREFIX = "OBS#"
LAST_OBSERVATION = OBSERVATION_PREFIX + "9" * 16
TRASH_PREFIX = "TRASH#"
SESSION_SK = "SESSION"
POINTER_SK = "POINTER"
_POINTED = "OBS#"
STATS_PK = "STATS"
CHANGE_PREFIX = "CHANGE#"
GLOBAL_PK = "GLOBAL"
OBSERVATION_KIND = "observation"


def part(value: str) -> str:
    """A caller's value as one part of a key."""
    return value.replace("%", "%25").replace("#", "%23")


def digest(*values: str) -> str:
    """A key part for values that are too long or too private to stand in a key."""
    return hashlib.sha256("\x1f".join(part(value) for value in values).encode()).hexdigest()


def numbered(identifier: int) -> str:
    """An id or time in a sort key: 16 digits, so that it sorts as a number."""
    return f"{identifier:016d}"


# --- sessions -------------------------------------------------------------------------------------


def session_key(session_id: str) -> Key:
    """The row of a session. A session that was only named by a write has no `started_at` yet."""
    return Key(f"SESSION#{part(session_id)}", SESSION_SK)


def project_summaries(project: str) -> str:
    """gsi2: the ended sessions of a project that have a summary, by start."""
    return f"SUMMARIES#{part(project)}"


def project_sessions(project: str) -> str:
    """gsi1: the sessions of a project, by start."""
    return f"PROJECT#{part(project)}"


def summarized(project: str, started: int, session_id: str, summary: str) -> Item:
    """The attributes that a summary gives a session: itself, and the session's place among the summaries."""
    place = f"{numbered(started)}#{session_id}"
    return {"summary": summary, "gsi2pk": project_summaries(project), "gsi2sk": place}


def to_session(item: Item) -> Session:
    """A session row as it goes over the wire."""
    return Session(
        id=item["id"],
        project=item["project"],
        started_at=rfc3339(item["started_at"]),
        ended_at=rfc3339(item["ended_at"]) if item.get("ended_at") else None,
        summary=item.get("summary"),
        message_count=item.get("message_count", 0),
        agent_id=item.get("agent_id"),
        user_id=item.get("user_id"),
    )


# --- observations ---------------------------------------------------------------------------------


def project_pk(project: str) -> str:
    """The partition that holds a project's observations, by id."""
    return f"PROJECT#{part(project)}"


def observation_key(project: str, observation_id: int) -> Key:
    """The row of a live observation."""
    return Key(project_pk(project), OBSERVATION_PREFIX + numbered(observation_id))


def trash_key(project: str, observation_id: int) -> Key:
    """Where a soft-deleted observation waits, out of every list."""
    return Key(project_pk(project), TRASH_PREFIX + numbered(observation_id))


def pointer_key(observation_id: int) -> Key:
    """From a bare id to its project: `{project, state}`, state `live`, `trash` or `gone`."""
    return Key(f"{_POINTED}{numbered(observation_id)}", POINTER_SK)


def pointed_id(key: Key) -> int:
    """The id that a pointer's key is made of."""
    return int(key.pk.removeprefix(_POINTED))


def session_observations(session_id: str) -> str:
    """gsi1: the observations of a session, by id."""
    return f"SESSION#{part(session_id)}"


def hash_key(project: str, owner: str | None, content_hash: str) -> Key:
    """The guard of one content: `{observation_id, window_until}` (dedup, tier 2)."""
    return Key(f"HASH#{digest(project, owner or '', content_hash)}", "GUARD")


def topic_guard_key(project: str, scope: str, owner: str | None, topic_key: str) -> Key:
    """The guard of one topic: `{observation_id}` (dedup, tier 1)."""
    return Key(f"TOPIC#{digest(project, scope, owner or '', topic_key)}", "GUARD")


def change_key(pk: str, project: str, observation_id: int, at: int) -> Key:
    """The note of one write of an observation: who it is about stands in the key itself."""
    return Key(pk, f"{CHANGE_PREFIX}{numbered(at)}#{numbered(observation_id)}#{part(project)}")


def noted_at(key: Key) -> int | None:
    """When the change was made that a note tells of, in microseconds; None for other rows."""
    return int(key.sk.split("#", 2)[1]) if key.sk.startswith(CHANGE_PREFIX) else None


def observation_of(key: Key) -> Key | None:
    """The observation that a changed row is about: the row itself or its change note; None for other rows."""
    if key.sk.startswith(OBSERVATION_PREFIX):
        return key
    if key.sk.startswith(CHANGE_PREFIX):
        _, _, number, project = key.sk.split("#", 3)
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
    "normalized_hash",
    "revision_count",
    "duplicate_count",
)


# --- totals ---------------------------------------------------------------------------------------


def stats_key(project: str) -> Key:
    """The totals of one project: `{project, observations, sessions}`, folded from the stream."""
    return Key(STATS_PK, f"PROJECT#{part(project)}")


# --- the directory of API keys: not a tenant's, see `Scope.directory` -----------------------------


KEY_LIST_PK = "KEYS"


def api_key_row(key_id: str) -> Key:
    """The row of an API key, its digest and all that is known of it, found by the id inside the key."""
    return Key(f"KEY#{part(key_id)}", "KEY")


def api_key_line(tenant: str, key_id: str) -> Key:
    """Its line in the list of all keys, by tenant: `{id}`."""
    return Key(KEY_LIST_PK, f"{tenant}#{key_id}")
