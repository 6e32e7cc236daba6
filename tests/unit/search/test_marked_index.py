"""A lost, emptied or replaced index never passes for an empty memory."""

import pytest

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Delete
from strata.ports.search import Document, NoIndex
from strata.services.records.index import index_marker_key
from strata.services.records.maintenance import maintenance_key
from strata.services.search.filters import ObservationFilter
from strata.services.search.marker import SECONDS
from support.api import client
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application

SERVICE = Scope.maintenance()
MARKER = index_marker_key("sqlite")
OTHER = Scope("acme")


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def memory(tmp_path, clock):
    memory = Memory(application(tmp_path, clock))
    yield memory
    memory.app.close()


@pytest.fixture
def filled(memory):
    """Two tenants with two projects each, indexed."""
    for scope in (LOCAL, OTHER):
        tenant = Memory(memory.app, scope)
        for number in range(4):
            tenant.save(
                f"The heron stood in pond {number}",
                title=f"{scope.tenant} {number}",
                project=f"p{number % 2}",
            )
    memory.follow()
    return memory


def lose(memory, clock):
    """The engine comes back with another, empty index."""
    with memory.app.stores.database.writing() as connection:
        for table in ("documents", "words", "vectors", "spaces", "index_identities"):
            connection.execute(f"DELETE FROM {table}")
    memory.app.stores.engine.create()
    clock.forward(SECONDS + 1)


def unmark(memory):
    """Take the marker away, as in a store that an earlier version left."""
    memory.app.stores.table.transact(SERVICE, [Delete(MARKER)])
    memory.use()


def asked(memory, scope=LOCAL, project=None):
    """Whether a search was degraded, and what it found."""
    wanted = ObservationFilter(project=project)
    answer = memory.app.search.observations.search(scope, "heron in the pond", wanted, limit=10)
    return answer.degraded, sorted(hit.title for hit in answer.hits)


def marked(memory):
    return memory.app.stores.table.get(SERVICE, MARKER)


ALL = {scope: [f"{scope.tenant} {number}" for number in range(4)] for scope in (LOCAL, OTHER)}


def test_a_new_table_is_whole_and_its_first_index_is_marked_by_itself(memory):
    assert asked(memory) == (False, [])
    assert marked(memory) is None

    memory.save("The heron stood in the pond", title="first")
    assert asked(memory) == (False, ["first"])
    memory.follow()

    assert marked(memory)["index"]
    assert asked(memory) == (False, ["first"])


def test_a_lost_index_is_searched_in_the_table_and_says_so_until_it_is_rebuilt(filled, clock):
    assert asked(filled) == (False, ALL[LOCAL])
    lose(filled, clock)

    for scope in (LOCAL, OTHER):
        assert asked(filled, scope) == (True, ALL[scope])
    assert asked(filled, project="p1") == (True, ["local 1", "local 3"])

    done = filled.app.repair.reindexer.reindex()
    assert (done.indexed, done.failed) == (8, 0)
    for scope in (LOCAL, OTHER):
        assert asked(filled, scope) == (False, ALL[scope])


def test_health_says_that_the_index_is_not_whole_and_when_it_is_again(filled, clock):
    with client(filled.app) as api:
        assert api.get("/health").json()["services"]["index"]["status"] == "ok"
        lose(filled, clock)
        body = api.get("/health").json()
        assert (body["status"], body["services"]["index"]["status"]) == ("degraded", "degraded")
        filled.app.repair.reindexer.reindex()
        body = api.get("/health").json()
        assert (body["status"], body["services"]["index"]["status"]) == ("ok", "ok")


def test_what_is_saved_without_the_index_waits_for_it_and_is_found_meanwhile(filled, clock):
    lose(filled, clock)
    filled.save("The heron chick hatched at the pond", title="late", project="p0")
    with pytest.raises(NoIndex):
        filled.app.stores.index.write(LOCAL, [Document("1", "observation", "", "x")])

    assert asked(filled) == (True, ["late", *ALL[LOCAL]])
    filled.app.repair.reindexer.reindex()
    filled.follow()
    assert asked(filled) == (False, ["late", *ALL[LOCAL]])
    assert filled.app.repair.verifier.verify().differences == 0


def test_a_verification_without_the_index_finds_everything_missing_and_cannot_repair_it(filled, clock):
    lose(filled, clock)
    found = filled.app.repair.verifier.verify()
    assert (found.missing, found.rows, found.documents) == (8, 8, 0)
    with pytest.raises(Unavailable, match="strata reindex"):
        filled.app.repair.verifier.verify(repair=True)


def test_an_interrupted_rebuild_leaves_the_index_not_whole(filled, clock):
    lose(filled, clock)
    filled.app.stores.index.begin_rebuild()
    assert asked(filled) == (True, ALL[LOCAL])
    filled.save("The heron flew over the pond", title="meanwhile", project="p0")
    filled.follow()
    assert asked(filled) == (True, [*ALL[LOCAL], "meanwhile"])
    filled.app.repair.reindexer.reindex(resume=True)
    assert asked(filled) == (False, [*ALL[LOCAL], "meanwhile"])


def test_a_rebuild_of_an_index_that_is_whole_keeps_it_so(filled):
    before = marked(filled)
    rebuild = filled.app.stores.index.begin_rebuild()
    assert asked(filled) == (False, ALL[LOCAL])
    rebuild.finish()
    assert (marked(filled), asked(filled)) == (before, (False, ALL[LOCAL]))


def test_the_whole_index_of_an_earlier_version_is_taken_over_without_a_degraded_answer(filled):
    unmark(filled)
    for scope in (LOCAL, OTHER):
        assert asked(filled, scope) == (False, ALL[scope])
    assert marked(filled) is None

    filled.save("The heron stood at the weir", title="next", project="p0")
    filled.follow()
    assert marked(filled)["index"]
    assert asked(filled) == (False, [*ALL[LOCAL], "next"])


def test_an_index_that_lost_memories_before_there_were_markers_is_not_taken_over(filled, clock):
    lose(filled, clock)
    unmark(filled)
    assert asked(filled) == (True, ALL[LOCAL])
    filled.save("The heron stood at the weir", title="next", project="p0")
    filled.follow()
    assert marked(filled) is None
    assert asked(filled) == (True, [*ALL[LOCAL], "next"])
    filled.app.repair.reindexer.reindex()
    assert asked(filled) == (False, [*ALL[LOCAL], "next"])


def test_an_index_that_lacks_one_tenant_is_taken_over_for_none(filled):
    unmark(filled)
    engine = filled.app.stores.engine
    engine.write(OTHER, [], [key for key, _ in engine.catalog(OTHER, "observation")])
    assert [asked(filled, scope) for scope in (LOCAL, OTHER)] == [(True, ALL[LOCAL]), (True, ALL[OTHER])]


def test_changes_that_wait_for_the_indexer_do_not_count_as_lost(filled, clock):
    unmark(filled)
    filled.save("The heron stood at the weir", title="unindexed", project="p0")
    filled.count()
    assert asked(filled) == (False, [*ALL[LOCAL], "unindexed"])


def test_a_table_whose_stream_was_followed_gets_no_first_index(memory):
    memory.start("s1")
    memory.follow()
    assert memory.app.stores.table.get(SERVICE, maintenance_key()) is not None
    assert marked(memory)["index"], "the first index precedes the sign that the table is not new"


def test_a_marker_is_read_again_after_some_seconds_only(filled, clock):
    table = Counting(filled.app.stores.table)
    filled.use(table=table)
    for _ in range(3):
        assert asked(filled) == (False, ALL[LOCAL])
    assert table.read == 1
    clock.forward(SECONDS + 1)
    for _ in range(3):
        assert asked(filled) == (False, ALL[LOCAL])
    assert table.read == 2


class Counting:
    """A table that counts how often its marker is read."""

    def __init__(self, table):
        self._table = table
        self.read = 0

    def __getattr__(self, name):
        return getattr(self._table, name)

    def get(self, scope, key):
        self.read += key == MARKER
        return self._table.get(scope, key)
