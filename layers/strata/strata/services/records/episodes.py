"""Rows of episodes, of their pointers and of their change notes."""

from strata.domain.wire.episodes import Episode
from strata.domain.wire.exact_json import to_value
from strata.ports.rows import Item, Key
from strata.services.records.parts import APPLIED_PREFIX, CHANGE_PREFIX, numbered, part, parts_of_note

EPISODE_PREFIX = "EPISODE#"
EPISODE_KIND = "episode"

EPISODES_PREFIX = "EPISODES#"

NO_PROJECT = ""
"""The project of an episode whose calls name none (AEGIS, agtOS); every project of its owner has it."""

_DOCUMENT = "ep-"
_PLACE_SK = "PLACE"


def episodes_pk(owner: str) -> str:
    """The partition that holds an owner's episodes, by id."""
    return EPISODES_PREFIX + part(owner)


def episode_key(owner: str, number: int) -> Key:
    """The row of an episode."""
    return Key(episodes_pk(owner), EPISODE_PREFIX + numbered(number))


def episode_place_key(number: int) -> Key:
    """The pointer from an id to its owner: `{owner}`. It outlives a deleted episode for a while."""
    return Key(EPISODE_PREFIX + numbered(number), _PLACE_SK)


def placed_number(key: Key) -> int | None:
    """The id of the episode whose pointer has this key; None for other rows."""
    return int(key.pk.removeprefix(EPISODE_PREFIX)) if key.sk == _PLACE_SK else None


def session_episodes(session_id: str) -> str:
    """gsi1: the episodes of a session or conversation, by id."""
    return f"EPISODES_OF#{part(session_id)}"


def agent_episodes(agent_id: str) -> str:
    """gsi2: the episodes of an agent, with all its users, by id."""
    return f"EPISODES_BY#{part(agent_id)}"


def episode_change_note_key(owner: str, number: int, at: int) -> Key:
    """The change note of one write of an episode."""
    return Key(episodes_pk(owner), f"{CHANGE_PREFIX}{numbered(at)}#{numbered(number)}#{part(owner)}")


def episode_applied_key(owner: str, until: int, number: int) -> Key:
    """The indexed changes of an owner's episodes that the engine shows from `until` (µs) on."""
    return Key(episodes_pk(owner), f"{APPLIED_PREFIX}{numbered(until)}#{numbered(number)}")


def episode_of(key: Key) -> Key | None:
    """The episode that a changed row is about: the row itself or its change note; None for other rows.

    Raises:
        ValueError: the key of a change note is malformed.
    """
    if not key.pk.startswith(EPISODES_PREFIX):
        return None
    if key.sk.startswith(EPISODE_PREFIX):
        return key
    if key.sk.startswith(CHANGE_PREFIX):
        return Key(key.pk, EPISODE_PREFIX + parts_of_note(key.sk)[1])
    return None


def episode_id(number: int) -> str:
    """The id of an episode over the wire, and of its document in the index: `ep-<number>`."""
    return f"{_DOCUMENT}{number}"


def episode_number(identity: str) -> int | None:
    """The number in an episode's id; None where it is not such an id."""
    digits = identity.removeprefix(_DOCUMENT)
    if digits == identity or not digits.isascii() or not digits.isdigit() or digits != str(int(digits[:17])):
        return None
    return int(digits)


def ingests_key(session_id: str) -> Key:
    """The kept responses of a session: how many, when, of which events: `{count, at_…, event_…}`."""
    return Key(f"SESSION#{part(session_id)}", "INGESTS")


def project_of(row: Item) -> str | None:
    """The project of an episode; None where it is unknown: its row was derived before rows named one."""
    project: str | None = row.get("project", None if row["derived"] else NO_PROJECT)
    return project


def to_episode(item: Item) -> Episode:
    """An episode from its row."""
    notes = {
        name: to_value(item[f"{name}_json"]) if f"{name}_json" in item else item.get(name)
        for name in ("key_decisions", "entities")
    }
    return Episode(
        id=episode_id(item["id"]),
        summary=item["summary"],
        keywords=item["keywords"],
        topic=item["topic"],
        timestamp=item["created_at"] // 1000,
        importance=item["importance"],
        type=item["type"],
        conversation_id=item["session_id"],
        agent_id=item.get("agent_id"),
        user_id=item.get("user_id"),
        project=project_of(item) or None,
        tools_used=item.get("tools_used"),
        **notes,
    )
