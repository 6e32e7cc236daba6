"""Malformed rows and change notes cost a log line and a message for redrive, and hide nothing else."""

import logging
from collections import defaultdict
from typing import Any

import pytest

from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.domain.wire.episodes import NewEpisode
from strata.ports.rows import Key, Put, Update
from strata.services.records.change_notes import shard_pk
from strata.services.records.kinds import EPISODES, OBSERVATIONS
from strata.services.records.observations import GLOBAL_PK, observation_key, project_pk
from strata.services.records.sessions import session_key
from strata.services.search.filters import ObservationFilter
from support.faults import away
from support.memory import Memory, record

DEMO, ANN = project_pk("demo"), EPISODES.partition("ann")
MALFORMED_NOTES = [
    Key(DEMO, "CHANGE#"),
    Key(DEMO, "CHANGE#secret"),
    Key(DEMO, "CHANGE#1767225600000000#1767225600000000"),
    Key(DEMO, "CHANGE#1767225600000000#secret#demo"),
    Key(GLOBAL_PK, "CHANGE#-767225600000000#1767225600000000#demo"),
    Key(ANN, "CHANGE#1767225600000000#\u0661767225600000000#ann"),
]
DAMAGES: dict[str, dict[str, Any]] = {
    "no title": {"remove": ("title",)},
    "no place": {"remove": ("project", "scope")},
    "no times": {"remove": ("created_at", "updated_at")},
    "no id": {"remove": ("id",)},
    "a number for content": {"set": {"content": 7}},
    "numbers for tags": {"set": {"tags": [1]}},
}


@pytest.fixture
def memory(memory) -> Memory:
    """One memory in each of two projects, a global one, and an episode of Ann's."""
    for name, scope in (("demo", "project"), ("work", "project"), ("rules", "global")):
        memory.save(f"the vault of {name}", project=name, scope=scope)
    store_episode(memory, "the vault was opened")
    return memory


def store_episode(memory: Memory, summary: str) -> int:
    new = NewEpisode(conversation_id="c1", agent_id="a1", user_id="ann", summary=summary)
    return int(memory.app.episodes.catalog.store(memory.scope, new).removeprefix("ep-"))


def deliver(memory: Memory) -> None:
    """Deliver every row of the table to the indexer, which has none of them come again."""
    records = [record(scope.tenant, key) for scope, key in memory.app.stores.census.keys("")]
    assert memory.app.handlers.indexer()({"Records": records}, None) == {"batchItemFailures": []}


def assert_good_ones_are_read(memory: Memory) -> None:
    """Every way of reading gives the good memories, and nothing damaged."""
    app, scope = memory.app, memory.scope
    for project, names in (("demo", ["demo", "rules"]), (None, ["demo", "rules", "work"])):
        good = {f"the vault of {name}" for name in names}
        for mode in Mode:
            asked = ObservationFilter(project=project)
            found = app.search.observations.search(scope, "vault", asked, limit=20, mode=mode)
            assert {hit.content for hit in found.hits} == good
        plain = app.context.plain.assemble(scope, project=project, scope_name=None, query="vault", limit=20)
        assert {each.content for each in plain.context.recent_observations} == good
    recent = app.observations.reader.recent(scope, project="demo", kind=None, scope_name=None, limit=20)
    assert [each.content for each in recent] == ["the vault of demo"]
    episodes = app.episodes.finder.matching(scope, "ann", "vault", limit=20, mode=Mode.HYBRID).results
    listed = app.episodes.finder.of_conversation(scope, "c1")
    newest, _ = app.episodes.finder.recent(scope, "ann", 20)
    assert {each.summary for each in (*episodes, *listed, *newest)} == {"the vault was opened"}
    exported = app.transfer.exporter.page(scope, "demo", None)
    assert [each.content for each in exported.observations] == ["the vault of demo"]


def assert_only_these_are_put_aside(memory: Memory, caplog, keys: list[Key]) -> None:
    """The log has no key, the queue has them all, and a redrive ends and leaves them there."""
    app = memory.app
    lines = [
        each.message
        for each in caplog.records
        if each.name == "strata.stream" and each.levelno == logging.ERROR
    ]
    assert lines
    assert "secret" not in "".join(lines)
    messages = app.queues.redrive.receive(1000, invisible=0)
    assert {(each.body["pk"], each.body["sk"]) for each in messages} == {
        (f"{memory.scope.tenant}#{key.pk}", key.sk) for key in keys
    }
    for _ in range(2):
        redriven = app.repair.redriver.redrive()
        assert (redriven.messages, redriven.outage) == (0, "")
        assert redriven.stayed >= len(keys)  # a note that sorts as an old one counts as forgotten, too


def test_malformed_change_notes_hide_nothing(memory, clock, caplog):
    app, scope = memory.app, memory.scope
    for place, note in enumerate(MALFORMED_NOTES):
        kind = EPISODES if note.pk == ANN else OBSERVATIONS
        listed = {"gsi2pk": shard_pk(place % 4, kind), "gsi2sk": f"secret#{place}"}
        app.stores.table.transact(scope, [Put(note, listed)])
    assert_good_ones_are_read(memory)
    deliver(memory)
    assert_good_ones_are_read(memory)
    assert_only_these_are_put_aside(memory, caplog, MALFORMED_NOTES)
    verdict = app.repair.verifier.verify()
    assert verdict.differences == verdict.forgotten
    clock.forward(2 * 86_400)
    assert app.maintenance.sweeper.run_now(scope, lambda: True).errors == {}


def test_malformed_rows_hide_nothing(memory, caplog):
    app, scope = memory.app, memory.scope
    table, damaged = app.stores.table, []
    for name, damage in DAMAGES.items():
        saved = memory.save(f"the vault with {name}", scope="global" if name == "no times" else None)
        damaged.append(observation_key("demo", saved.id))
        table.update(scope, Update(damaged[-1], **damage))
    number = store_episode(memory, "the vault was damaged")
    damaged.append(EPISODES.key("ann", number))
    table.update(scope, Update(damaged[-1], remove=("summary",)))
    memory.start("s9")
    table.update(scope, Update(session_key("s9"), set={"started_at": "then"}))
    assert_good_ones_are_read(memory)
    named = defaultdict(list)
    for _, note in app.stores.census.keys("CHANGE#"):
        named[OBSERVATIONS.noted_row(note) or EPISODES.noted_row(note)].append(note)
    deliver(memory)
    assert_good_ones_are_read(memory)
    with away(memory):
        assert_good_ones_are_read(memory)
    aside = [key for row in damaged for key in (row, *named[row])]
    assert_only_these_are_put_aside(memory, caplog, aside)
    assert app.maintenance.sweeper.run_now(scope, lambda: True).errors == {}
    found = app.repair.verifier.verify(repair=True)
    assert (found.missing, found.stale, found.left) == (len(damaged), 0, len(damaged))


def test_a_malformed_note_of_another_tenant_does_not_hold_up_the_batch(memory, caplog):
    acme = Memory(memory.app, Scope("acme"))
    acme.save("the vault of demo")
    memory.app.stores.table.transact(memory.scope, [Put(MALFORMED_NOTES[1], {})])
    deliver(memory)
    assert len(list(memory.app.stores.index.catalog(acme.scope, "observation"))) == 1
    assert_only_these_are_put_aside(memory, caplog, MALFORMED_NOTES[1:2])
