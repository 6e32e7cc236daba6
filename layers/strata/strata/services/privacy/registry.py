"""Lists the kinds of rows that hold something of a person.

`access` gives rows out as this list says; `erasure/remove` decides by it how each kind is erased; `forget`
deletes the facts and derived episodes of people who refuse. A test names the other kinds, and why nobody's
erasure needs them: it fails for a kind that neither lists, so nothing can be stored that an erasure misses.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel

from strata.domain.times import rfc3339
from strata.domain.wire.exact_json import to_value
from strata.ports.rows import Item, Json, Key
from strata.services.records.audit import AUDIT_PK, to_entry
from strata.services.records.conversations import LEDGER_PREFIX, fields_of
from strata.services.records.entities import (
    EDGE_PREFIX,
    ENTITIES_PREFIX,
    ENTITY_PREFIX,
    MENTION_PREFIX,
    NAME_PREFIX,
)
from strata.services.records.episodes import EPISODE_PREFIX, to_episode
from strata.services.records.events import EVENT_PREFIX, to_event
from strata.services.records.knowledge import (
    CONCLUSION_PREFIX,
    CONSOLIDATION_PREFIX,
    CONSOLIDATION_SK,
    DECLINED_PREFIX,
    KNOWLEDGE_PREFIX,
    SIGHTED_PREFIX,
    to_conclusion,
)
from strata.services.records.observations import OBSERVATION_PREFIX, TRASH_PREFIX, to_observation
from strata.services.records.people import CONSENT_PREFIX, EXTRACTION_SK, FACT_PREFIX, to_fact
from strata.services.records.profiles import PAST_PREFIX
from strata.services.records.sessions import SESSION_SK, session_around, to_session

_TIMES = {"at", "created_at", "updated_at", "started_at", "ended_at"}
_OF_THE_STORE = {"write", "forgets", "life", "next", "expires_at"}

Shown = Callable[[Key, Item], Json]
"""Converts a row to the form that the person is given."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A kind of row that holds something of a person.

    Attributes:
        name: its name in receipts and in the data that a person is given.
        partition, row: the prefixes of its partition keys and sort keys.
        shown: converts it for the person; None for rows that only serve another row.
        counted: whether a receipt counts it.
        kept: why an erasure keeps it; empty for rows that are erased.
    """

    name: str
    partition: str
    row: str
    shown: Shown | None = None
    counted: bool = True
    kept: str = ""

    def has(self, key: Key) -> bool:
        """Whether a row with this key is of this kind."""
        return key.pk.startswith(self.partition) and key.sk.startswith(self.row)


def _plain(key: Key, item: Item) -> Json:
    """A row without the attributes that only the store needs, its times as text."""
    return {
        name: rfc3339(value) if name in _TIMES else value
        for name, value in item.items()
        if not name.startswith("gsi") and name not in _OF_THE_STORE
    }


def _as(convert: Callable[[Item], BaseModel]) -> Shown:
    return lambda key, item: convert(item).model_dump(exclude_none=True)


def _session(key: Key, item: Item) -> Json:
    """A session that was only named has its owner and nothing else."""
    named = {"id": session_around(key)} | _plain(key, item)
    return to_session(item).model_dump(exclude_none=True) if item.get("started_at") else named


def _working_memory(key: Key, item: Item) -> Json:
    fields = fields_of(item)
    return {
        "conversation_id": session_around(key),
        "fields": {name: to_value(fields[name]) for name in fields},
    }


def _transcript(key: Key, item: Item) -> Json:
    return {"session_id": session_around(key), "turns": to_value(item["turns"])}


def _ledger(key: Key, item: Item) -> Json:
    return {"conversation_id": session_around(key), "item": item["item"], "value": item["value"]}


def _event(key: Key, item: Item) -> Json:
    return {"session_id": session_around(key)} | to_value(to_event(item).text)


def _profile(key: Key, item: Item) -> Json:
    stated = {name: [_plain(key, each) for each in every] for name, every in item["statements"].items()}
    return {"updated_at": rfc3339(item["updated_at"]), "statements": stated}


def _past_profile(key: Key, item: Item) -> Json:
    return {"at": rfc3339(item["at"]), "changes": [_plain(key, each) for each in item["changes"]]}


def _run(key: Key, item: Item) -> Json:
    """A run of the dreamer, with the conclusions that it changed as they were before."""
    before = [row for each in item["changes"] for row in each["before"].values() if row]
    told = {name: value for name, value in item.items() if name not in ("changes", "sighted")}
    return _plain(key, told) | {"before": [to_conclusion(row).model_dump() for row in before]}


def _sighted(key: Key, item: Item) -> Json:
    """The words of a session that conclusions may rest on."""
    quotes = to_value(item["sightings"])[0]
    return {"session_id": item["session_id"], "source": item["source"], "quotes": quotes}


def _preferences(key: Key, item: Item) -> Json:
    return to_value(item["fields"])


def _audit(key: Key, item: Item) -> Json:
    return to_entry(key, item).model_dump(exclude_none=True)


_SESSION = "SESSION#"

HOLDINGS = (
    Holding("sessions", _SESSION, SESSION_SK, _session),
    Holding("working_memories", _SESSION, "WORKING", _working_memory),
    Holding("ledger_items", _SESSION, LEDGER_PREFIX, _ledger),
    Holding("event_logs", _SESSION, "EVENTS", _plain),
    Holding("events", _SESSION, EVENT_PREFIX, _event),
    Holding("ids_of_events", _SESSION, "EVENTID#", counted=False),
    Holding("kept_responses", _SESSION, "INGESTS", counted=False),
    Holding("transcripts", _SESSION, "TRANSCRIPT", _transcript),
    Holding("extractions", _SESSION, EXTRACTION_SK, counted=False),
    Holding("observations", "PROJECT#", OBSERVATION_PREFIX, _as(to_observation)),
    Holding("deleted_observations", "PROJECT#", TRASH_PREFIX, _as(to_observation)),
    Holding("episodes", "EPISODES#", EPISODE_PREFIX, _as(to_episode)),
    Holding("notes_of_episodes", "EPISODES#", "CHANGE#", counted=False),
    Holding("applied_notes_of_episodes", "EPISODES#", "APPLIED#", counted=False),
    Holding("pointers_of_episodes", "EPISODE#", "PLACE", counted=False),
    Holding("facts", "FACTS#", FACT_PREFIX, _as(to_fact)),
    Holding("heads_of_facts", "FACTS#", "HEAD", counted=False),
    Holding("deleted_facts", "FACTS#", "GONE#", counted=False),
    Holding("profiles", "USER#", "PROFILE", _profile),
    Holding("changes_of_profiles", "USER#", PAST_PREFIX, _past_profile),
    Holding("words_to_consolidate", _SESSION, "WORDS", _transcript),
    Holding("consolidation_orders", _SESSION, CONSOLIDATION_SK, counted=False),
    Holding("conclusions", KNOWLEDGE_PREFIX, CONCLUSION_PREFIX, _as(to_conclusion)),
    Holding("sightings", KNOWLEDGE_PREFIX, SIGHTED_PREFIX, _sighted),
    Holding("consolidations", KNOWLEDGE_PREFIX, CONSOLIDATION_PREFIX, _run),
    Holding("deleted_conclusions", KNOWLEDGE_PREFIX, DECLINED_PREFIX, _plain),
    Holding("heads_of_knowledge", KNOWLEDGE_PREFIX, "HEAD", counted=False),
    Holding("compared_conclusions", KNOWLEDGE_PREFIX, "COMPARED", counted=False),
    Holding("entities", ENTITIES_PREFIX, ENTITY_PREFIX, _plain),
    Holding("mentions_of_entities", ENTITIES_PREFIX, MENTION_PREFIX, _plain),
    Holding("relationships_of_entities", ENTITIES_PREFIX, EDGE_PREFIX, _plain),
    Holding("heads_of_entities", ENTITIES_PREFIX, "HEAD", counted=False),
    Holding("names_of_entities", ENTITIES_PREFIX, NAME_PREFIX, counted=False),
    Holding("preferences", "USER#", "PREFERENCES", _preferences),
    Holding("devices", "DEVICE#", "DEVICE", _plain),
    Holding("audit_entries", AUDIT_PK, "", _audit, counted=False),
    Holding(
        "statements",
        "USER#",
        CONSENT_PREFIX,
        _plain,
        kept="what the person agreed to and refused must be shown",
    ),
    Holding(
        "consent",
        "USER#",
        "CONSENT",
        _plain,
        kept="a refusal must be remembered to be kept",
    ),
)

OTHER = Holding("others", "", "", _plain)


def holding_of(key: Key) -> Holding:
    """The kind of a row that was found among a person's rows; `OTHER` for a kind that is not listed."""
    return next((each for each in HOLDINGS if each.has(key)), OTHER)
