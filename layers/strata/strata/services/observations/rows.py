"""The rows of a new observation, saved or imported."""

import secrets
from typing import TypeVar

from strata.domain.dedup import normalized_hash
from strata.domain.redaction.texts import redacted_fields
from strata.domain.wire.observations import GLOBAL_SCOPE, PROJECT_SCOPE, NewObservation
from strata.ports.rows import Absent, Action, Condition, Item, Put
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import (
    GLOBAL_PK,
    OBSERVATION_KIND,
    content_guards,
    observation_key,
    pointer_key,
    session_observations,
    topic_guard_key,
)
from strata.services.records.owners import owned
from strata.services.records.parts import numbered

Saved = TypeVar("Saved", bound=NewObservation)


def observation_row(fields: Item) -> Item:
    """An observation's attributes with its places in the indexes."""
    row = fields | {
        "gsi1pk": session_observations(fields["session_id"]),
        "gsi1sk": numbered(fields["id"]),
    }
    row |= owned(fields["user_id"], OBSERVATION_KIND)
    if fields["scope"] == GLOBAL_SCOPE:
        row |= global_place(fields["id"])
    return row


def new_row(new: NewObservation, owner: str | None, agent: str | None, now: int) -> Item:
    """The row of an observation that is saved now (µs, unique among ids)."""
    return observation_row(
        {
            "id": now,
            "session_id": new.session_id,
            "type": new.type,
            "title": new.title,
            "content": new.content,
            "tags": new.tags or None,
            "project": new.project,
            "scope": new.scope or PROJECT_SCOPE,
            "topic_key": new.topic_key,
            "user_id": owner,
            "agent_id": agent,
            "metadata": new.metadata or None,
            "normalized_hash": normalized_hash(new.content),
            "revision_count": 1,
            "duplicate_count": 1,
            "last_seen_at": now,
            "created_at": now,
            "updated_at": now,
            "write": secrets.randbits(53),
        }
    )


def global_place(identifier: int) -> Item:
    """The attributes that list a global observation among its tenant's."""
    return {"gsi2pk": GLOBAL_PK, "gsi2sk": numbered(identifier)}


def insertion(
    observation: Item, *, window_us: int, content_free: Condition | None, noted_at: int
) -> dict[str, Action]:
    """The actions that make an observation: `row`, `pointer`, the guards `content` and, if any, `topic`.

    The change note of `noted_at` (µs), which the caller writes with them, counts it.
    """
    project, identifier = observation["project"], observation["id"]
    guard = {"observation_id": identifier, "window_until": observation["created_at"] + window_us}
    note = OBSERVATIONS.change_note_key(project, identifier, noted_at)
    pointer: Item = {"project": project, "state": "live", "counted": True, "noted": note.sk}
    made: dict[str, Action] = {
        "row": Put(observation_key(project, identifier), observation, Absent()),
        "pointer": Put(pointer_key(identifier), pointer, Absent()),
        "content": Put(content_guards(observation)[0], guard, content_free),
    }
    if observation["topic_key"]:
        owner, topic = observation["user_id"], observation["topic_key"]
        key = topic_guard_key(project, observation["scope"], owner, topic)
        made["topic"] = Put(key, {"observation_id": identifier}, Absent())
    return made


def redacted(new: Saved) -> Saved:
    """The observation without its secrets."""
    words = new.model_dump(include={"type", "title", "content", "topic_key", "tags", "metadata"})
    cleaned = redacted_fields(words)
    return new if cleaned == words else new.model_copy(update=cleaned)
