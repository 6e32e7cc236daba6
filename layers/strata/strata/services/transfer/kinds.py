"""The kinds of rows that an export of every kind carries, each with its line.

A further kind is one entry of `KINDS`, its model in `domain/wire/lines` and its way back in `lines/`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from strata.domain.times import rfc3339
from strata.domain.wire import knowledge_lines as known
from strata.domain.wire import lines
from strata.domain.wire import profile_lines as profiles
from strata.domain.wire.agents import FREE_FORM
from strata.domain.wire.base import Wire
from strata.domain.wire.exact_json import to_value
from strata.ports.rows import Item, Key
from strata.services.records.conversations import LEDGER_PREFIX, fields_of
from strata.services.records.entities import ENTITIES_PREFIX, ENTITY_PREFIX, MENTION_PREFIX
from strata.services.records.episodes import EPISODE_PREFIX, EPISODES_PREFIX, episode_id
from strata.services.records.events import EVENT_PREFIX, LOG_SK, life_and_place
from strata.services.records.knowledge import (
    CONCLUSION_PREFIX,
    CONSOLIDATION_PREFIX,
    DECLINED_PREFIX,
    KNOWLEDGE_PREFIX,
    SIGHTED_PREFIX,
)
from strata.services.records.observations import OBSERVATION_PREFIX
from strata.services.records.parts import whole
from strata.services.records.people import CONSENT_PREFIX, CONSENT_SK, FACT_PREFIX, FACTS_PREFIX
from strata.services.records.profiles import PAST_PREFIX
from strata.services.records.sessions import SESSION_SK, session_around

_TIMES = {
    *("at", "timestamp", "created_at", "updated_at", "last_seen_at", "superseded_at"),
    *("started_at", "ended_at", "marked_at", "ai_consent_at", "merged_at", "deleted_at", "undone_at"),
}
_OF_THE_STORE = {"write", "forgets", "counted", "owner"}

FACTS, CONCLUSIONS, ENTITIES = "facts", "conclusions", "entities"
CONSENTS = "consents"
"""The kinds that an erasure keeps."""


@dataclass(frozen=True, slots=True)
class LineKind:
    """A kind of row.

    Attributes:
        order: its place; all lines of one place come before those of the next.
        name: its `kind` in a line.
        group: its name in `kinds`.
        model: its line, as an import reads it.
        partition: the beginning of its partition keys.
        row: its sort key, or the beginning of its sort keys where that ends with a `#`.
        line: makes the line of a row.
        admin: whether an import of it needs the scope `admin`, as writing it by its own route does.
    """

    order: int
    name: str
    group: str
    model: type[Wire]
    partition: str
    row: str
    line: Callable[[Key, Item], Item]
    admin: bool = False

    def has(self, key: Key) -> bool:
        """Whether a row with this key is of this kind."""
        begins = key.sk.startswith(self.row) if self.row.endswith("#") else key.sk == self.row
        return begins and key.pk.startswith(self.partition)


def _plain(key: Key, item: Item) -> Item:
    """The attributes that are not the store's own; times as text."""
    return {
        name: rfc3339(value) if name in _TIMES and value is not None else value
        for name, value in item.items()
        if not name.startswith("gsi") and name not in _OF_THE_STORE
    }


def owner_in(key: Key) -> str | None:
    """The person about whom a conclusion or an entity is; None for other rows."""
    return _partition(key) if key.pk.startswith((KNOWLEDGE_PREFIX, ENTITIES_PREFIX)) else None


def _partition(key: Key) -> str:
    return whole(key.pk.partition("#")[2])


def _of_person(key: Key, item: Item) -> Item:
    return {"user_id": _partition(key)} | _plain(key, item)


def _consent(key: Key, item: Item) -> Item:
    return _of_person(key, item) | ({"erase": True} if "forgets" in item else {})


def _sightings(key: Key, item: Item) -> Item:
    return _of_person(key, item) | {"sightings": to_value(item["sightings"])}


def _run(key: Key, item: Item) -> Item:
    changes = [
        {"before": {name: row and _bare(row) for name, row in each["before"].items()}, "after": each["after"]}
        for each in item["changes"]
    ]
    seen = item.get("sighted")
    sighted = {"sighted": _bare(seen) | {"sightings": to_value(seen["sightings"])}} if seen else {}
    return (
        _of_person(key, {name: item[name] for name in _REPORT if name in item} | {"changes": changes})
        | sighted
    )


def _bare(row: Item) -> Item:
    return {name: value for name, value in row.items() if not name.startswith("gsi")}


def _entity(key: Key, item: Item) -> Item:
    fields = known.EntityLine.model_fields
    return _of_person(key, {name: value for name, value in item.items() if name in fields})


def _mention(key: Key, item: Item) -> Item:
    return _of_person(key, item) | {"key": key.sk.rpartition("#")[2]}


def _agent(key: Key, item: Item) -> Item:
    free = {name: to_value(item[name]) for name in FREE_FORM & item.keys()}
    return {"agent_id": _partition(key)} | _plain(key, item) | free


def _profile(key: Key, item: Item) -> Item:
    stated = {name: [_plain(key, each) for each in every] for name, every in item["statements"].items()}
    return _plain(key, item) | {"statements": stated}


def _past_profile(key: Key, item: Item) -> Item:
    return _plain(key, item) | {"changes": [_plain(key, each) for each in item["changes"]]}


def _preferences(key: Key, item: Item) -> Item:
    line = _plain(key, item)
    return line | {"preferences": to_value(line.pop("fields"))}


def _session(key: Key, item: Item) -> Item:
    listed = {"listed": True} if not item.get("persist", True) and "gsi1pk" in item else {}
    return {"id": session_around(key)} | _plain(key, item) | listed


def _observation(key: Key, item: Item) -> Item:
    return _plain(key, {name: value for name, value in item.items() if value is not None}) | {
        "user_id": item.get("user_id")
    }


def _episode(key: Key, item: Item) -> Item:
    line = _plain(key, item) | {"id": episode_id(item["id"]), "user_id": item.get("user_id")}
    line["conversation_id"] = line.pop("session_id")
    for name in ("key_decisions", "entities"):
        objects = line.pop(f"{name}_json", None)
        if objects is not None:
            line[name] = to_value(objects)
    return line


def _event(key: Key, item: Item) -> Item:
    life, place = life_and_place(key)
    texts = {name: to_value(item[name]) for name in ("content", "metadata")}
    return {"session_id": session_around(key), "life": life, "place": place} | _plain(key, item) | texts


def _working(key: Key, item: Item) -> Item:
    fields = {name: to_value(text) for name, text in fields_of(item).items()}
    lasting = {name: item[name] for name in ("life", "ttl_seconds", "expires_at", "kept_until")}
    return {"conversation_id": session_around(key), "fields": fields} | lasting


def _ledger(key: Key, item: Item) -> Item:
    return {"conversation_id": session_around(key)} | _plain(key, item)


_REPORT = {*known.ConsolidationLine.model_fields} - {"changes", "sighted"}
_USER, _AGENT, _SESSION, _DEVICE, _PROJECT = "USER#", "AGENT#", "SESSION#", "DEVICE#", "PROJECT#"
_KNOWN, _NAMED = KNOWLEDGE_PREFIX, ENTITIES_PREFIX

# the order: what refuses others comes first, then what others lie in
_people = partial(LineKind, 0)
_sessions = partial(LineKind, 1)
_mentions = partial(LineKind, 2)
_memories = partial(LineKind, 3)

KINDS = (
    _people("consent", CONSENTS, lines.ConsentLine, _USER, CONSENT_SK, _consent),
    _people("statement", CONSENTS, lines.StatementLine, _USER, CONSENT_PREFIX, _of_person, admin=True),
    _people("agent", "agents", lines.AgentLine, _AGENT, "CONFIG", _agent, admin=True),
    # before the facts: what is learnt from these would stand against the profile
    _sessions("profile", "profiles", profiles.ProfileLine, _USER, "PROFILE", _profile),
    _sessions("past_profile", "profiles", profiles.PastProfileLine, _USER, PAST_PREFIX, _past_profile),
    _sessions("preferences", "preferences", profiles.PreferencesLine, _USER, "PREFERENCES", _preferences),
    _sessions("device", "devices", profiles.DeviceLine, _DEVICE, "DEVICE", _plain),
    _sessions("session", "sessions", lines.SessionLine, _SESSION, SESSION_SK, _session),
    _sessions("event_log", "events", lines.EventLogLine, _SESSION, LOG_SK, _plain),
    _sessions("working_memory", "working_memory", lines.WorkingMemoryLine, _SESSION, "WORKING", _working),
    _sessions("conclusion", CONCLUSIONS, known.ConclusionLine, _KNOWN, CONCLUSION_PREFIX, _of_person),
    _sessions("deleted_conclusion", CONCLUSIONS, known.DeclinedLine, _KNOWN, DECLINED_PREFIX, _of_person),
    _sessions("sightings", CONCLUSIONS, known.SightingsLine, _KNOWN, SIGHTED_PREFIX, _sightings),
    _sessions("consolidation", CONCLUSIONS, known.ConsolidationLine, _KNOWN, CONSOLIDATION_PREFIX, _run),
    # with their mentions before what names them, which is not counted again
    _sessions("entity", ENTITIES, known.EntityLine, _NAMED, ENTITY_PREFIX, _entity),
    _mentions("mention", ENTITIES, known.MentionLine, _NAMED, MENTION_PREFIX, _mention),
    _memories(
        "observation", "observations", lines.ObservationLine, _PROJECT, OBSERVATION_PREFIX, _observation
    ),
    _memories("event", "events", lines.EventLine, _SESSION, EVENT_PREFIX, _event),
    _memories("episode", "episodes", lines.EpisodeLine, EPISODES_PREFIX, EPISODE_PREFIX, _episode),
    _memories("fact", FACTS, lines.FactLine, FACTS_PREFIX, FACT_PREFIX, _plain),
    _memories("ledger_item", "ledger", lines.LedgerLine, _SESSION, LEDGER_PREFIX, _ledger),
)

GROUPS = tuple(dict.fromkeys(kind.group for kind in KINDS))
ON_REQUEST = frozenset({"working_memory", "ledger"})
"""The kinds that live for a day or so: exported only where they are named."""

BY_NAME = {kind.name: kind for kind in KINDS}


def kind_of(key: Key) -> LineKind | None:
    """The kind of a row; None for rows that no export carries."""
    return next((kind for kind in KINDS if kind.has(key)), None)
