"""A search sees every acknowledged write, whatever state the index is in."""

import random

import pytest

from strata.domain.errors import Unavailable
from strata.domain.retrieval import Method, Mode
from strata.domain.wire.observations import GLOBAL_SCOPE
from strata.ports.table import Query
from strata.services.records.observations import project_pk
from strata.services.records.parts import CHANGE_PREFIX
from strata.services.search.change_notes import NEWEST, ChangeNotes
from strata.services.search.filters import ObservationFilter
from support.clocks import HandClock
from support.memory import Memory, application

ALL = ObservationFilter()
DEMO = ObservationFilter(project="demo")


class Away:
    """An index that refuses every call."""

    def search(self, scope, query):
        raise Unavailable("the search engine does not answer")

    def fits(self):
        return True


class Between:
    """A table before whose writes something happens, each time the next thing."""

    def __init__(self, table, happenings):
        self._table = table
        self._happenings = happenings

    def transact(self, scope, actions):
        if self._happenings:
            self._happenings.pop(0)()
        self._table.transact(scope, actions)


@pytest.fixture
def memory(tmp_path):
    return Memory(application(tmp_path, HandClock()))


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
    assert len(memory.app.search.change_notes.changed(memory.scope, DEMO.partitions())) == 1
    memory.follow()
    assert memory.app.search.change_notes.changed(memory.scope, DEMO.partitions()) == []
    assert memory.app.search.change_notes.changed(memory.scope, None) == []
    assert titles(memory, "one") == ["One"]


def test_where_the_engine_refreshes_later_a_note_stays_until_then(tmp_path):
    clock = HandClock()
    memory = Memory(application(tmp_path, clock, INDEX_REFRESH="60"))
    memory.save("slow to show", title="Slow")
    memory.follow()
    assert len(memory.app.search.change_notes.changed(memory.scope, DEMO.partitions())) == 1
    clock.forward(62)
    assert memory.app.search.change_notes.changed(memory.scope, DEMO.partitions()) == []
    memory.follow()  # the note's own change is no work for the indexer
    assert memory.app.search.change_notes.changed(memory.scope, DEMO.partitions()) == []


def test_notes_are_settled_also_while_others_settle_some_of_them(tmp_path):
    memory = Memory(application(tmp_path, HandClock(), INDEX_REFRESH="60"))
    for number in range(3):
        memory.save(f"fact {number}")
    notes = [row.key for row in memory.app.stores.table.query(memory.scope, Query(project_pk("demo"))).rows]
    notes = [key for key in notes if key.sk.startswith(CHANGE_PREFIX)]
    table, rounds = memory.app.stores.table, memory.app.stores.parallel

    def settle(keys, table=table):
        ChangeNotes(table, HandClock(), rounds, refresh_seconds=60).remove(memory.scope, keys)

    settle(notes, Between(table, [lambda: settle(notes[:1]), lambda: settle(notes[1:2])]))
    assert all("expires_at" in table.get(memory.scope, note) for note in notes)


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


def test_at_most_the_newest_notes_are_followed(memory, monkeypatch):
    monkeypatch.setattr("strata.services.search.change_notes.NEWEST", 3)
    for number in range(5):
        memory.save(f"number {number}", title=f"T{number}")
    assert NEWEST == 1000
    assert len(memory.app.search.change_notes.changed(memory.scope, DEMO.partitions())) == 3


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
