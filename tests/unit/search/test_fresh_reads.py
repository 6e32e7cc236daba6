"""A search sees every acknowledged write, whatever state the index is in."""

import random
from dataclasses import replace

import pytest

from strata.domain.errors import Unavailable
from strata.domain.retrieval import Method, Mode
from strata.domain.scope import Scope
from strata.domain.wire.observations import GLOBAL_SCOPE
from strata.ports.rows import Update
from strata.ports.table import Query
from strata.services.records.change_notes import SHARDS, unseen_changes, unseen_in_shard
from strata.services.records.observations import observation_key, project_pk
from strata.services.records.parts import APPLIED_PREFIX, CHANGE_PREFIX
from strata.services.search.filters import ObservationFilter
from support.clocks import HandClock
from support.memory import Memory, application

ALL = ObservationFilter()
DEMO = ObservationFilter(project="demo")

PARTITIONS = DEMO.partitions()


class Away:
    """An index that refuses every call."""

    def search(self, scope, query):
        raise Unavailable("the search engine does not answer")

    def fits(self):
        return True


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def memory(tmp_path, clock):
    return Memory(application(tmp_path, clock))


def changed(memory, partitions=PARTITIONS):
    """The memories whose documents may be out of date."""
    return memory.app.search.change_notes.changed(memory.scope, partitions).rows


def open_notes(memory):
    return [key for scope, key in memory.app.stores.census.keys(CHANGE_PREFIX) if scope == memory.scope]


def titles(memory, query, wanted=ALL, **options):
    answer = memory.app.search.observations.search(
        memory.scope, query, wanted, limit=options.pop("limit", 10), **options
    )
    return [hit.title for hit in answer.hits]


def take_index_away(memory):
    memory.use(index=Away())


def test_a_save_is_found_while_the_indexer_stands_still(memory):
    memory.save("the deploy key lives in the vault", title="Key")
    assert titles(memory, "where is the deploy key?") == ["Key"]


def test_a_fresh_save_takes_its_place_among_what_is_indexed(memory):
    memory.save("postgres runs on port 5432", title="Port")
    memory.save("the office has a coffee machine", title="Coffee")
    memory.follow()
    memory.save("postgres was upgraded to version 17", title="Upgrade")
    assert titles(memory, "postgres version upgrade")[0] == "Upgrade"
    assert titles(memory, "postgres port")[0] == "Port"


@pytest.mark.parametrize("mode", list(Mode))
def test_every_mode_finds_what_is_not_indexed_yet(memory, mode):
    memory.save("the cache is warmed at midnight", title="Cache")
    assert titles(memory, "cache warmed", mode=mode) == ["Cache"]


def test_a_change_shows_at_once_and_its_old_words_do_not_stay(memory):
    old = memory.save("the meeting is on monday", title="Meeting")
    memory.follow()
    memory.change(old.id, content="the meeting moved to thursday")
    (hit,) = memory.app.search.observations.search(memory.scope, "meeting thursday", ALL, limit=5).hits
    assert hit.content == "the meeting moved to thursday"
    assert titles(memory, "monday", mode=Mode.BM25) == []


def test_an_update_by_topic_shows_at_once(memory):
    memory.save("we use redis", title="Queue", topic_key="arch/queue")
    memory.follow()
    memory.save("we use rabbitmq", title="Queue", topic_key="arch/queue")
    (hit,) = memory.app.search.observations.search(
        memory.scope, "rabbitmq", ALL, limit=5, mode=Mode.BM25
    ).hits
    assert hit.content == "we use rabbitmq"


@pytest.mark.parametrize("hard", [False, True])
def test_a_deleted_one_is_gone_at_once(memory, hard):
    saved = memory.save("the password policy changed", title="Policy")
    memory.follow()
    memory.delete(saved.id, hard=hard)
    assert titles(memory, "password policy") == []


def test_a_type_changed_after_indexing_is_filtered_as_it_is_now(memory):
    saved = memory.save("retry with jitter", title="Retry", type="pattern")
    memory.follow()
    memory.change(saved.id, type="lesson")
    assert titles(memory, "retry jitter", ObservationFilter(type="pattern")) == []
    assert titles(memory, "retry jitter", ObservationFilter(type="lesson")) == ["Retry"]


def test_global_observations_of_other_projects_are_fresh_too(memory):
    memory.save("always sign commits", title="Rule", project="handbook", scope=GLOBAL_SCOPE)
    memory.save("sign the lease", title="Lease", project="home")
    assert titles(memory, "sign", ObservationFilter(project="work")) == ["Rule"]


def test_other_projects_fresh_rows_stay_theirs(memory):
    memory.save("the launch is in may", title="Launch", project="rocket")
    assert titles(memory, "launch", ObservationFilter(project="boat")) == []
    assert titles(memory, "launch") == ["Launch"]


def test_notes_are_taken_away_once_the_index_shows_the_write(memory):
    memory.save("one", title="One", scope=GLOBAL_SCOPE)
    assert len(changed(memory)) == 1
    memory.follow()
    assert changed(memory) == []
    assert changed(memory, None) == []
    assert titles(memory, "one") == ["One"]


@pytest.mark.parametrize("count", [1, 3, 40])
def test_where_the_engine_refreshes_later_a_write_is_read_from_the_table_until_then(tmp_path, count):
    clock = HandClock()
    memory = Memory(application(tmp_path, clock, INDEX_REFRESH="60"))
    other = Memory(memory.app, Scope("acme"))
    for number in range(count):
        memory.save(f"slow to show {number}", scope=GLOBAL_SCOPE if number % 2 else None)
    other.save("another tenant's")
    for each in (memory, other):
        each.follow()
        assert open_notes(each) == []
    for where in (DEMO.partitions(), None):
        assert (len(changed(memory, where)), len(changed(other, where))) == (count, 1)
    clock.forward(30)
    memory.save("newer")
    memory.follow()
    assert len(changed(memory)) == len(changed(memory, None)) == count + 1
    clock.forward(32)
    assert len(changed(memory)) == len(changed(memory, None)) == 1
    clock.forward(30)
    assert changed(memory) == changed(memory, None) == []
    assert len(applied_rows(memory)) > 0  # what has expired is in the store still, and no search reads it
    now = clock.now_us()
    reads = [unseen_changes(project_pk("demo"), now, 9), *(unseen_in_shard(n, now, 9) for n in range(SHARDS))]
    for query in reads:
        assert memory.app.stores.table.query(memory.scope, replace(query, expired=True)).rows == []
    calls = memory.app.maintenance.sweeper.run_now(memory.scope, lambda: True)
    assert calls.errors == {}
    assert applied_rows(memory) == []


def applied_rows(memory):
    """The rows that stand for applied changes, past their time or not."""
    query = Query(project_pk("demo"), prefix=APPLIED_PREFIX, limit=1000, expired=True)
    return memory.app.stores.table.query(memory.scope, query).rows


def test_a_note_that_an_earlier_version_settled_counts_until_its_time(memory, clock):
    saved = memory.save("an earlier version indexed this")
    memory.lose_changes()
    (note,) = open_notes(memory)
    ends = clock.now_us() // 1_000_000 + 60
    memory.app.stores.table.update(memory.scope, Update(note, set={"expires_at": ends}))
    assert changed(memory) == changed(memory, None) == [observation_key("demo", saved.id)]
    clock.forward(62)
    assert changed(memory) == changed(memory, None) == []


def test_events_that_come_late_twice_and_in_any_order_do_no_harm(memory):
    kept = memory.save("alpha beta", title="Kept")
    memory.change(kept.id, content="gamma delta")
    dropped = memory.save("epsilon zeta", title="Dropped")
    memory.delete(dropped.id)
    changes = [(change.tenant, change.key) for change in memory.app.stores.change_log.read(0, 1000)]
    indexer = memory.app.handlers.indexer()
    for seed in range(5):
        shuffled = changes * 2
        random.Random(seed).shuffle(shuffled)
        from support.memory import record

        assert indexer({"Records": [record(*change) for change in shuffled]}, None) == {
            "batchItemFailures": []
        }
        assert titles(memory, "gamma", mode=Mode.BM25) == ["Kept"]
        assert titles(memory, "alpha", mode=Mode.BM25) == []
        assert titles(memory, "epsilon", mode=Mode.BM25) == []
    assert memory.stats().total_observations == 1


@pytest.mark.parametrize("project", ["demo", None])
def test_beyond_what_a_search_follows_it_finds_the_newest_and_says_so(memory, monkeypatch, project):
    monkeypatch.setattr("strata.services.search.change_notes.NEWEST", 8)
    monkeypatch.setattr("strata.services.search.change_notes.FOLLOWED", 3)
    wanted = ObservationFilter(project=project)

    def found():
        answer = memory.app.search.observations.search(memory.scope, "number", wanted, limit=20)
        return {hit.title for hit in answer.hits}, answer.degraded

    for number in range(8):
        memory.save(f"number {number}", title=f"T{number}")
    assert found() == ({f"T{number}" for number in range(8)}, False)
    memory.save("number 8", title="T8")
    assert found() == ({"T6", "T7", "T8"}, True)
    memory.follow()
    assert found() == ({f"T{number}" for number in range(9)}, False)


def test_beyond_it_a_memory_that_was_written_often_is_one(memory, monkeypatch):
    monkeypatch.setattr("strata.services.search.change_notes.NEWEST", 4)
    saved = memory.save("number 0")
    for number in range(1, 4):
        memory.change(saved.id, content=f"number {number}")
    seen = memory.app.search.change_notes.changed(memory.scope, DEMO.partitions())
    assert (len(seen.rows), seen.is_whole) == (1, True)


def test_with_the_index_away_the_newest_rows_are_ranked(memory):
    memory.save("the database is backed up at noon", title="Backup")
    memory.save("lunch is at noon", title="Lunch", project="other")
    memory.save("tea at five", title="Tea")
    memory.follow()
    take_index_away(memory)
    answer = memory.app.search.observations.search(memory.scope, "database backup", DEMO, limit=5)
    assert answer.degraded
    assert answer.hits[0].title == "Backup"
    assert answer.hits[0].method is Method.HYBRID
    assert "Lunch" not in [hit.title for hit in answer.hits]


def test_with_the_index_away_a_context_is_still_filled(memory):
    memory.save("the api speaks json", title="Api")
    take_index_away(memory)
    assembled = memory.app.context.plain.assemble(
        memory.scope, project="demo", scope_name=None, query="which format?", limit=5
    )
    assert assembled.degraded
    assert [seen.title for seen in assembled.context.recent_observations] == ["Api"]
