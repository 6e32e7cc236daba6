"""The rows that make, replace and remove an episode."""

import secrets
from collections.abc import Sequence

from strata.domain.times import DAY
from strata.domain.wire.episodes import words_of
from strata.domain.wire.exact_json import to_text
from strata.ports.rows import Absent, Action, AnyOf, Delete, Equals, Item, Present, Put
from strata.services.records.change_notes import change_notes
from strata.services.records.episodes import (
    EPISODE_KIND,
    NO_PROJECT,
    agent_episodes,
    episode_key,
    episode_place_key,
    session_episodes,
)
from strata.services.records.kinds import EPISODES
from strata.services.records.owners import owned
from strata.services.records.parts import numbered


def episode_row(
    number: int,
    *,
    session_id: str,
    project: str | None,
    owner: str,
    user_id: str | None,
    agent_id: str | None,
    words: Item,
    importance: float,
    kind: str,
    now: int,
    derived: bool,
    ttl_seconds: int | None,
) -> Item:
    """Make an episode's attributes, its places in the indexes included.

    Args:
        number: its id, the microsecond at which it was made.
        session_id, owner, user_id, agent_id: where it belongs; `user_id` is None where no user was named.
        project: the one that it is stored with, else its session's; None where there is neither, so that it
            belongs to every project.
        words: `summary, keywords, topic` and, where there are any, `key_decisions, entities, tools_used`.
        importance: from 0 to 1.
        kind: its type.
        now: when it is written, in microseconds.
        derived: whether Strata derived it from a conversation.
        ttl_seconds: how long it is kept; None for good.
    """
    row: Item = (
        {
            "id": number,
            "session_id": session_id,
            "project": project or NO_PROJECT,
            "owner": owner,
            "importance": importance,
            "type": kind,
            "derived": derived,
            "created_at": number,
            "updated_at": now,
            "write": secrets.randbits(53),
            "gsi1pk": session_episodes(session_id),
            "gsi1sk": numbered(number),
        }
        | _searchable(words)
        | owned(owner, EPISODE_KIND)
    )
    if user_id:
        row["user_id"] = user_id
    if agent_id:
        row |= {"agent_id": agent_id, "gsi2pk": agent_episodes(agent_id), "gsi2sk": numbered(number)}
    if ttl_seconds is not None:
        row["expires_at"] = now // 1_000_000 + ttl_seconds
    return row


def _searchable(words: Item) -> Item:
    """Store notes that are objects as their words, with the objects as JSON beside them."""
    fields = {
        name: value for name, value in words.items() if value or name in ("summary", "keywords", "topic")
    }
    for name in ("key_decisions", "entities"):
        notes = fields.get(name) or []
        if any(not isinstance(note, str) for note in notes):
            fields[name] = [words_of(note) for note in notes]
            fields[f"{name}_json"] = to_text(notes)
    return fields


def insertion(row: Item, *, again: bool = False) -> dict[str, Action | Sequence[Action]]:
    """Return the actions that write an episode: `episode`, `pointer`, `notes`.

    `again` replaces the episode that has this id. A forgotten episode is not written again: for a day its
    pointer's `state` is "gone". A pointer that outlives its episode names the owner, so it counts among the
    owner's rows.
    """
    pointer = pointer_row(row)
    known = AnyOf((Absent(), Equals("state", "live")))
    return {
        "episode": Put(episode_key(row["owner"], row["id"]), row, None if again else Absent()),
        "pointer": Put(episode_place_key(row["id"]), pointer, known if again else Absent()),
        "notes": change_notes(EPISODES, row, row["updated_at"]),
    }


def pointer_row(row: Item) -> Item:
    """Return the pointer of an episode."""
    pointer: Item = {"owner": row["owner"], "state": "live"}
    if "expires_at" in row:
        pointer |= {"expires_at": row["expires_at"] + DAY} | owned(row["owner"], EPISODE_KIND)
    return pointer


def removal(owner: str, number: int, session_id: str, now: int, *, if_there: bool = False) -> list[Action]:
    """Return the actions that remove an episode; they fail where it is not there, unless `if_there`.

    The pointer that stays names the session: what rests on the episode may be known about its owner of now.
    """
    gone: Item = {"owner": owner, "state": "gone", "session_id": session_id}
    gone["expires_at"] = now // 1_000_000 + DAY
    return [
        Delete(episode_key(owner, number), None if if_there else Present()),
        Put(episode_place_key(number), gone | owned(owner, EPISODE_KIND)),
        *change_notes(EPISODES, {"owner": owner, "id": number}, now),
    ]


def topic_of(keywords: Sequence[str]) -> str:
    """Choose the topic where none is given: the best keyword."""
    return keywords[0] if keywords else ""
