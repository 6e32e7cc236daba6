"""Whatever differs between table, index and totals is found, told and mended; what is on its way is not."""

from contextlib import contextmanager

import pytest

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.domain.wire.transfer import Import
from strata.ports.rows import Delete, Update
from strata.ports.search import Document
from strata.services.records.observations import OBSERVATION_PREFIX, observation_key, pointer_key
from strata.services.records.sessions import session_key
from strata.services.records.totals import stats_key
from strata.services.search.filters import ObservationFilter
from strata.services.transfer.importer import Importer
from support.faults import away, empty_index, moody
from support.memory import LOCAL, Memory

HOUR = 3600


@pytest.fixture
def settled(memory):
    """A memory of three projects and two tenants that was indexed and counted."""
    other = Memory(memory.app, Scope("acme"))
    for n in range(5):
        memory.start(f"s{n}", project=f"p{n % 3}")
        memory.save(f"fact {n}", project=f"p{n % 3}")
        other.save(f"theirs {n}", project="p0")
    memory.delete(memory.save("deleted", project="p0").id)
    memory.follow()
    return memory


def verify(memory, **options):
    return memory.app.repair.verifier.verify(**options)


def ids(memory):
    keys = memory.app.stores.census.keys(OBSERVATION_PREFIX)
    return [int(key.sk.removeprefix(OBSERVATION_PREFIX)) for scope, key in keys if scope == LOCAL]


def assert_found_and_mended(memory, **expected):
    """Found twice, since looking changes nothing; mended once; then nothing is left to find."""
    for _ in range(2):
        found = verify(memory)
        counts = {name: getattr(found, name) for name in expected}
        assert counts == expected, found
        assert found.left == found.differences == sum(expected.values())
    assert found.examples
    mended = verify(memory, repair=True)
    assert (mended.differences, mended.left) == (found.differences, 0)
    again = verify(memory)
    assert (again.differences, again.examples) == (0, [])


def test_a_store_that_was_followed_has_no_difference(settled):
    verdict = verify(settled)
    assert (verdict.rows, verdict.documents, verdict.differences, verdict.pending) == (10, 10, 0, 0)


def test_an_empty_store_has_no_difference(memory):
    assert verify(memory, repair=True).differences == 0


def test_documents_that_are_missing(settled):
    settled.app.stores.index.write(LOCAL, [], [str(each) for each in ids(settled)[:2]])
    assert_found_and_mended(settled, missing=2)


def test_the_whole_index_missing(settled):
    empty_index(settled, "acme")
    assert_found_and_mended(settled, missing=10)


def test_documents_that_show_an_older_state(settled):
    identifier = ids(settled)[0]
    (version,) = [
        each for _, each in settled.app.stores.index.catalog(LOCAL, "observation", [str(identifier)])
    ]
    old = Document(str(identifier), "observation", "", "old words", version=version - 1)
    settled.app.stores.index.write(LOCAL, [old])
    assert_found_and_mended(settled, stale=1)
    (found,) = settled.app.search.observations.search(LOCAL, "old words", ObservationFilter(), limit=1).hits
    assert found.content != "old words"


def test_documents_newer_than_their_row_as_after_a_restored_backup(settled):
    newer = Document(str(ids(settled)[0]), "observation", "", "from the future", version=2**53)
    settled.app.stores.index.write(LOCAL, [newer])
    assert_found_and_mended(settled, stale=1)


def test_documents_whose_rows_are_gone(settled):
    row = ids(settled)[0]
    project = settled.row(pointer_key(row))["project"]
    settled.app.stores.table.transact(LOCAL, [Delete(observation_key(project, row))])
    settled.app.stores.index.write(Scope("acme"), [Document("77", "observation", "", "of nobody")])
    assert_found_and_mended(settled, orphans=2)


def test_totals_that_were_tampered_with(settled):
    settled.app.stores.table.update(LOCAL, Update(stats_key("p0"), add={"observations": 3}))
    settled.app.stores.table.update(LOCAL, Update(stats_key("p1"), set={"sessions": 0}))
    settled.app.stores.table.update(
        LOCAL, Update(stats_key("never"), set={"project": "never", "observations": 1})
    )
    settled.app.stores.table.transact(Scope("acme"), [Delete(stats_key("p0"))])
    before = settled.app.stream.totals.stats(LOCAL, None)
    assert before.projects == ["never", "p0", "p1", "p2"]
    assert_found_and_mended(settled, wrong_totals=4)
    after = settled.app.stream.totals.stats(LOCAL, None)
    assert (after.total_observations, after.total_sessions, after.projects) == (5, 5, ["p0", "p1", "p2"])


def test_a_total_that_moves_while_it_is_set_right_is_left_alone(settled):
    stats = stats_key("p0")
    settled.app.stores.table.update(LOCAL, Update(stats, add={"observations": 3}))

    class Moving:
        """Another save is counted just before the total is set."""

        def __getattr__(self, name):
            return getattr(table, name)

        def transact(self, scope, actions):
            if [action.key for action in actions] == [stats]:
                settled.save("meanwhile", project="p0")
                settled.follow()
            table.transact(scope, actions)

    table = settled.app.stores.table
    moving = Memory(settled.app.with_overrides(table=Moving()))
    mended = verify(moving, repair=True)
    assert (mended.wrong_totals, mended.left) == (1, 1)
    assert verify(settled, repair=True).left == 0
    assert settled.app.stream.totals.stats(LOCAL, None).total_observations == 6


def test_rows_that_were_never_counted(settled, clock):
    settled.start("unseen", project="p0")
    settled.app.stores.table.update(LOCAL, Update(session_key("s0"), set={"persist": False}))
    clock.forward(HOUR)
    assert_found_and_mended(settled, uncounted=2)
    assert settled.app.stream.totals.stats(LOCAL, None).total_sessions == 5


def test_changes_that_were_forgotten(settled, clock):
    settled.save("unseen", project="p0")
    clock.forward(HOUR)
    found = verify(settled)
    assert (found.forgotten, found.missing, found.pending) == (1, 0, 0)
    assert verify(settled, repair=True).left == 0
    assert verify(settled).differences == 0
    assert settled.app.stream.totals.stats(LOCAL, None).total_observations == 6


def test_what_is_on_its_way_is_no_difference(settled):
    identifier = ids(settled)[0]
    settled.save("fresh", project="p0", scope="global")
    settled.change(identifier, content="changed")
    settled.delete(ids(settled)[1], hard=True)
    settled.start("fresh session", project="p2")
    found = verify(settled)
    assert (found.differences, found.pending) == (0, 4), found  # of a global one there are two


def test_an_import_on_its_way_is_no_difference(settled):
    row = {"id": 5, "session_id": "x", "type": "note", "title": "t", "content": "imported", "project": "p0"}
    row |= {"created_at": "2020-01-01T00:00:00Z", "updated_at": "2021-01-01T00:00:00Z"}
    importer = Importer(
        settled.app.stores.table,
        settled.app.clock,
        settled.app.people.ownership,
        settled.app.tenants.stored.admit,
        settled.app.entities.importing.add,
        settled.app.people.audit,
        dedupe_window=900,
    )
    importer.load(LOCAL, Import.model_validate({"observations": [row]}))
    assert (verify(settled).differences, verify(settled).pending) == (0, 1)


def test_a_row_that_cannot_be_indexed_stays_a_difference(settled):
    empty_index(settled, "acme")
    moody(settled, bad="fact 3")
    mended = verify(settled, repair=True)
    assert (mended.missing, mended.repaired, mended.left) == (10, 9, 1)
    (why,) = [each["reason"] for each in mended.examples if each["kind"] == "unindexable"]
    assert why.startswith("ValueError")


def test_a_store_that_is_away_is_told(settled):
    with away(settled), pytest.raises(Unavailable):
        verify(settled)


def test_a_repair_keeps_the_stream_out_while_it_writes(settled):
    held = []

    @contextmanager
    def exclusively():
        held.append(True)
        yield
        held.pop()

    class Watching:
        def __init__(self, index):
            self.index = index

        def __getattr__(self, name):
            return getattr(self.index, name)

        def write(self, *arguments):
            assert held
            self.index.write(*arguments)

    empty_index(settled, "acme")
    settled.app.stores.index.write(LOCAL, [Document("77", "observation", "", "of nobody")])
    settled.use(index=Watching(settled.app.stores.index))
    assert verify(settled, exclusively=exclusively, repair=True).repaired == 11
    assert held == []


def test_more_rows_and_documents_than_one_step_holds(memory, monkeypatch):
    for n in range(230):
        memory.save(f"fact {n}", project=f"p{n % 4}")
    memory.follow()
    memory.app.stores.index.write(
        LOCAL, [Document(str(n), "observation", "", "of nobody") for n in range(1, 231)]
    )
    gone = ids(memory)[::2]
    memory.app.stores.index.write(LOCAL, [], [str(each) for each in gone])
    seen = []
    found = verify(memory, on_progress=lambda *each: seen.append(each))
    assert (found.missing, found.orphans) == (len(gone), 230)
    assert ("rows", 230, 230) in seen
    assert len(found.examples) == 20
    assert verify(memory, repair=True).left == 0
    assert verify(memory).differences == 0
