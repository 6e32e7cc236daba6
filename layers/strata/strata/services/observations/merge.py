"""Merging a save into the row that has its content already: dedup must not lose what it adds."""

from collections.abc import Sequence
from itertools import islice

from strata.domain.wire.fields import MAX_METADATA, MAX_TAGS
from strata.domain.wire.observations import GLOBAL_SCOPE
from strata.ports.rows import Absent, Action, AllOf, AnyOf, Delete, Equals, Item, Key, Present, Put, Update
from strata.services.observations.rows import global_place
from strata.services.records.change_notes import change_notes
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import observation_key, topic_guard_key
from strata.services.table.transaction import Named


def gain(before: Item, new: Item) -> Item:
    """The attributes that a row gains from a save of the same content.

    A global save widens the row's scope, a topic key is adopted by a row without one, tags and metadata
    are united; of one key of the metadata the newer value counts.
    """
    gained: Item = {}
    if new["scope"] == GLOBAL_SCOPE != before["scope"]:
        gained |= {"scope": GLOBAL_SCOPE} | global_place(before["id"])
    if new["topic_key"] and not before.get("topic_key"):
        gained["topic_key"] = new["topic_key"]
    tags = list(dict.fromkeys([*(before.get("tags") or ()), *(new["tags"] or ())]))[:MAX_TAGS]
    if tags != list(before.get("tags") or ()):
        gained["tags"] = tags
    known = before.get("metadata") or {}
    metadata = dict(islice((known | (new["metadata"] or {})).items(), MAX_METADATA))
    if metadata != known:
        gained["metadata"] = metadata
    return gained


def merging(before: Item, gained: Item, now: int, *, keeping_topic: bool = False) -> Named:
    """The actions that count a save and write what the row gains; `keeping_topic` moves no topic's guard.

    They fail where the row has changed since it was read (`row`), or another row has the topic (`topic`).
    """
    same = tuple(Equals(name, before[name]) for name in ("updated_at", "duplicate_count"))
    changed = max(now, before["updated_at"] + 1)
    after = before | gained
    named: dict[str, Action | Sequence[Action]] = {
        "row": Update(
            observation_key(before["project"], before["id"]),
            set=gained | {"last_seen_at": now, "updated_at": changed},
            add={"duplicate_count": 1},
            condition=AllOf((Present(), *same)),
        ),
        "notes": change_notes(OBSERVATIONS, after, changed),
    }
    return named if keeping_topic else named | _topic(before, after)


def _topic(before: Item, after: Item) -> dict[str, Action]:
    """The guard of the row's topic, which is named by its scope, too."""
    old, new = (_guard(row) if row.get("topic_key") else None for row in (before, after))
    if new is None or new == old:
        return {}
    mine = AnyOf((Absent(), Equals("observation_id", before["id"])))
    actions: dict[str, Action] = {"topic": Put(new, {"observation_id": before["id"]}, mine)}
    if old is not None:
        actions["old_topic"] = Delete(old, mine)
    return actions


def _guard(row: Item) -> Key:
    return topic_guard_key(row["project"], row["scope"], row.get("user_id"), row["topic_key"])
