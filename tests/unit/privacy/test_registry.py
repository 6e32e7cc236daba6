"""Every kind of row is somebody's, to be found and erased, or nobody's for a reason."""

from typing import get_type_hints

import pytest

from strata.ports.rows import Delete, Key
from strata.services.privacy.erasure.remove import Remover
from strata.services.privacy.registry import HOLDINGS, OTHER, holding_of
from support.record_keys import MADE

UNKNOWN = Key("SESSION#s1", "SOMETHING_NEW")
HELD = {
    "session_key": "sessions",
    "head_key": "working_memories",
    "ledger_key": "ledger_items",
    "log_key": "event_logs",
    "event_key": "events",
    "event_guard_key": "ids_of_events",
    "ingests_key": "kept_responses",
    "transcript_key": "transcripts",
    "extraction_key": "extractions",
    "observation_key": "observations",
    "trash_key": "deleted_observations",
    "episode_key": "episodes",
    "episode_change_note_key": "notes_of_episodes",
    "episode_applied_key": "applied_notes_of_episodes",
    "episode_place_key": "pointers_of_episodes",
    "fact_key": "facts",
    "facts_head_key": "heads_of_facts",
    "deleted_fact_key": "deleted_facts",
    "profile_key": "profiles",
    "past_profile_key": "changes_of_profiles",
    "words_key": "words_to_consolidate",
    "consolidation_order_key": "consolidation_orders",
    "conclusion_key": "conclusions",
    "sighted_key": "sightings",
    "consolidation_key": "consolidations",
    "declined_key": "deleted_conclusions",
    "knowledge_head_key": "heads_of_knowledge",
    "compared_key": "compared_conclusions",
    "entity_key": "entities",
    "mention_key": "mentions_of_entities",
    "edge_key": "relationships_of_entities",
    "entities_head_key": "heads_of_entities",
    "entity_name_key": "names_of_entities",
    "preferences_key": "preferences",
    "device_key": "devices",
    "audit_key": "audit_entries",
    "consent_note_key": "statements",
    "consent_key": "consent",
}
"""The kind of holding of each function that makes keys of rows which hold something of a person."""
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
    "erased_device_key": "the id of an erasure, a digest",
    "tombstone_key": "a digest, for an hour",
    "spending_key": "numbers",
    "stats_key": "a project and numbers",
}
"""Keys of rows that hold nothing of a person, and what they hold."""


def made(name: str) -> Key:
    hints = {each: hint for each, hint in get_type_hints(MADE[name]).items() if each != "return"}
    return MADE[name](
        **{each: 7 if hint is int else "PROJECT#x" if each == "pk" else "x" for each, hint in hints.items()}
    )


@pytest.mark.parametrize("name", sorted(MADE))
def test_every_key_is_held_by_one_kind_or_by_nobody(name):
    assert (name in HELD) + (name in GO_WITH) + (name in NOBODYS) == 1, f"say here whose {name} is"
    if name in HELD:
        assert holding_of(made(name)).name == HELD[name]


def test_what_is_listed_here_is_there():
    assert {*HELD, *GO_WITH, *NOBODYS} <= set(MADE)
    assert sorted(HELD.values()) == sorted(each.name for each in HOLDINGS)


def test_a_row_of_an_unknown_kind_among_a_persons_is_given_out_and_erased_too():
    kind = holding_of(UNKNOWN)
    assert kind is OTHER
    assert kind.shown is not None
    assert kind.counted
    assert not kind.kept


@pytest.mark.parametrize("kind", [each for each in HOLDINGS if each.counted], ids=lambda each: each.name)
def test_what_is_counted_is_given_out_too(kind):
    assert kind.shown is not None


@pytest.mark.parametrize("kind", [*HOLDINGS, OTHER], ids=lambda each: each.name)
def test_an_erasure_knows_how_to_erase_every_kind_but_those_it_keeps(kind):
    key = next((made(name) for name, each in HELD.items() if each == kind.name), UNKNOWN)
    names = "id owner user_id updated_at normalized_hash project app life topic_key scope type device_id"
    item = dict.fromkeys(names.split(), "x") | {"id": 7, "external_ref": "x", "metadata": {}}
    if kind.kept:
        with pytest.raises(NotImplementedError, match=kind.name):
            Remover("e1", 0).removal(key, item)
        return
    first, *others = Remover("e1", 0).removal(key, item).actions
    assert first.key == key
    emptied = kind.name in ("sessions", "pointers_of_episodes", "audit_entries")
    assert isinstance(first, Delete) is not emptied
    beside = kind.name in ("observations", "deleted_observations", "episodes", "event_logs", "devices")
    assert bool(others) is beside
