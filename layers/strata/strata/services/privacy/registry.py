"""Lists the kinds of rows that hold something of a person, and those that hold nothing of anybody.

`access` gives rows out as this list says; `erasure/remove` decides by it how each kind is erased; `forget`
deletes the facts and derived episodes of people who refuse. A kind of row that is in neither list fails the
tests, so nothing can be stored that an erasure misses.
"""

from collections.abc import Callable
from dataclasses import dataclass

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
        made_by: the functions of `services/records` that make its keys.
        partition, row: the prefixes of its partition keys and sort keys.
        shown: converts it for the person; None for rows that only serve another row.
        counted: whether a receipt counts it.
        kept: why an erasure keeps it; empty for rows that are erased.
    """

    name: str
    made_by: tuple[str, ...]
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


def _session(key: Key, item: Item) -> Json:
    """A session that was only named has its owner and nothing else."""
    named = {"id": session_around(key)} | _plain(key, item)
    return to_session(item).model_dump(exclude_none=True) if item.get("started_at") else named


def _observation(key: Key, item: Item) -> Json:
    return to_observation(item).model_dump(exclude_none=True)


def _episode(key: Key, item: Item) -> Json:
    return to_episode(item).model_dump(exclude_none=True)


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


def _fact(key: Key, item: Item) -> Json:
    return to_fact(item).model_dump(exclude_none=True)


def _profile(key: Key, item: Item) -> Json:
    stated = {name: [_plain(key, each) for each in every] for name, every in item["statements"].items()}
    return {"updated_at": rfc3339(item["updated_at"]), "statements": stated}


def _past_profile(key: Key, item: Item) -> Json:
    return {"at": rfc3339(item["at"]), "changes": [_plain(key, each) for each in item["changes"]]}


def _conclusion(key: Key, item: Item) -> Json:
    return to_conclusion(item).model_dump(exclude_none=True)


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
    Holding("sessions", ("session_key",), _SESSION, SESSION_SK, _session),
    Holding("working_memories", ("head_key",), _SESSION, "WORKING", _working_memory),
    Holding("ledger_items", ("ledger_key",), _SESSION, LEDGER_PREFIX, _ledger),
    Holding("event_logs", ("log_key",), _SESSION, "EVENTS", _plain),
    Holding("events", ("event_key",), _SESSION, EVENT_PREFIX, _event),
    Holding("ids_of_events", ("event_guard_key",), _SESSION, "EVENTID#", counted=False),
    Holding("kept_responses", ("ingests_key",), _SESSION, "INGESTS", counted=False),
    Holding("transcripts", ("transcript_key",), _SESSION, "TRANSCRIPT", _transcript),
    Holding("extractions", ("extraction_key",), _SESSION, EXTRACTION_SK, counted=False),
    Holding("observations", ("observation_key",), "PROJECT#", OBSERVATION_PREFIX, _observation),
    Holding("deleted_observations", ("trash_key",), "PROJECT#", TRASH_PREFIX, _observation),
    Holding("episodes", ("episode_key",), "EPISODES#", EPISODE_PREFIX, _episode),
    Holding("notes_of_episodes", ("episode_change_note_key",), "EPISODES#", "CHANGE#", counted=False),
    Holding("applied_notes_of_episodes", ("episode_applied_key",), "EPISODES#", "APPLIED#", counted=False),
    Holding("pointers_of_episodes", ("episode_place_key",), "EPISODE#", "PLACE", counted=False),
    Holding("facts", ("fact_key",), "FACTS#", FACT_PREFIX, _fact),
    Holding("heads_of_facts", ("facts_head_key",), "FACTS#", "HEAD", counted=False),
    Holding("deleted_facts", ("deleted_fact_key",), "FACTS#", "GONE#", counted=False),
    Holding("profiles", ("profile_key",), "USER#", "PROFILE", _profile),
    Holding("changes_of_profiles", ("past_profile_key",), "USER#", PAST_PREFIX, _past_profile),
    Holding("words_to_consolidate", ("words_key",), _SESSION, "WORDS", _transcript),
    Holding("consolidation_orders", ("consolidation_order_key",), _SESSION, CONSOLIDATION_SK, counted=False),
    Holding("conclusions", ("conclusion_key",), KNOWLEDGE_PREFIX, CONCLUSION_PREFIX, _conclusion),
    Holding("sightings", ("sighted_key",), KNOWLEDGE_PREFIX, SIGHTED_PREFIX, _sighted),
    Holding("consolidations", ("consolidation_key",), KNOWLEDGE_PREFIX, CONSOLIDATION_PREFIX, _run),
    Holding("deleted_conclusions", ("declined_key",), KNOWLEDGE_PREFIX, DECLINED_PREFIX, _plain),
    Holding("heads_of_knowledge", ("knowledge_head_key",), KNOWLEDGE_PREFIX, "HEAD", counted=False),
    Holding("compared_conclusions", ("compared_key",), KNOWLEDGE_PREFIX, "COMPARED", counted=False),
    Holding("entities", ("entity_key",), ENTITIES_PREFIX, ENTITY_PREFIX, _plain),
    Holding("mentions_of_entities", ("mention_key",), ENTITIES_PREFIX, MENTION_PREFIX, _plain),
    Holding("relationships_of_entities", ("edge_key",), ENTITIES_PREFIX, EDGE_PREFIX, _plain),
    Holding("heads_of_entities", ("entities_head_key",), ENTITIES_PREFIX, "HEAD", counted=False),
    Holding("names_of_entities", ("entity_name_key",), ENTITIES_PREFIX, NAME_PREFIX, counted=False),
    Holding("preferences", ("preferences_key",), "USER#", "PREFERENCES", _preferences),
    Holding("devices", ("device_key",), "DEVICE#", "DEVICE", _plain),
    Holding("audit_entries", ("audit_key",), AUDIT_PK, "", _audit, counted=False),
    Holding(
        "statements",
        ("consent_note_key",),
        "USER#",
        CONSENT_PREFIX,
        _plain,
        kept="what the person agreed to and refused must be shown",
    ),
    Holding(
        "consent",
        ("consent_key",),
        "USER#",
        "CONSENT",
        _plain,
        kept="a refusal must be remembered to be kept",
    ),
)

GO_WITH = {
    "pointer_key": "an observation's: it goes, but for its number and project",
    "hash_key": "an observation's, a digest",
    "untyped_hash_key": "an observation's, a digest",
    "topic_guard_key": "an observation's, a digest",
}
"""Keys of rows that are erased in the transaction that erases another row."""

NOBODYS = {
    "api_key_line": "who may enter",
    "api_key_row": "who may enter",
    "agent_config_key": "an agent's",
    "agreement_key": "a time and the caller who accepted it for the tenant",
    "app_key": "a name of an app and a number",
    "applied_key": "numbers and a project, for some seconds",
    "change_note_key": "a number and a project; the stream takes it away",
    "event_count_key": "a random name and a number; the stream takes it away with its log",
    "event_total_key": "a number",
    "index_marker_key": "random names of indexes",
    "limits_key": "a tenant and numbers",
    "maintenance_key": "times and numbers",
    "partition_mark_key": "a digest and a number",
    "request_rate_key": "a tenant and a time",
    "run_key": "numbers",
    "tenant_mark_key": "a tenant",
    "erasure_key": "the receipt; it names the person until the erasure is done",
    "listed_erasure_key": "the id of an erasure",
    "tombstone_key": "a digest, for an hour",
    "spending_key": "numbers",
    "stats_key": "a project and numbers",
}
"""Keys of rows that hold nothing of a person, and what they hold."""

OTHER = Holding("others", (), "", "", _plain)


def holding_of(key: Key) -> Holding:
    """The kind of a row that was found among a person's rows; `OTHER` for a kind that is not listed."""
    return next((each for each in HOLDINGS if each.has(key)), OTHER)
