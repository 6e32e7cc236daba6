"""A rebuild brings the index to what the table says, beside the live one where there is room, and goes on
where it was interrupted."""

from contextlib import contextmanager

import pytest

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.search_index import SqliteSearchIndex
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.search import Document
from support.faults import moody
from support.memory import LOCAL, Memory


class Beside:
    """Two embedded indexes, of which one is live: as an engine with aliases has them."""

    def __init__(self, folder, live):
        self._folder = folder
        self._live = live
        self._next = None
        self.switched = lambda: None
        self.opened = []

    def __getattr__(self, name):
        return getattr(self._live, name)

    def begin_rebuild(self, *, resume=False):
        if self._next is None or not resume:
            self.opened.append(SqliteDatabase(self._folder / f"next{len(self.opened)}.db"))
            self._next = SqliteSearchIndex(self.opened[-1])
        return _Rebuild(self._next, self)

    def switch(self):
        self._live, self._next = self._next, None
        self.switched()


class _Rebuild:
    def __init__(self, index, owner):
        self.index, self.identity = index, "next"
        self.finish = owner.switch


class Breaking:
    """An index that goes away after some writes."""

    def __init__(self, index, writes):
        self.index, self.left = index, writes

    def __getattr__(self, name):
        return getattr(self.index, name)

    def write(self, *arguments):
        self.left -= 1
        if self.left < 0:
            raise Unavailable("the engine went away")
        self.index.write(*arguments)


@pytest.fixture
def filled(memory):
    for n in range(450):
        memory.save(f"fact {n}", project=f"p{n % 2}")
    Memory(memory.app, Scope("acme")).save("of another tenant")
    memory.follow()
    return memory


@pytest.fixture
def beside(filled, tmp_path):
    index = Beside(tmp_path, filled.app.stores.index)
    filled.use(index=index)
    yield index
    for database in index.opened:
        database.close()


def spoil(index):
    """Documents that are stale, missing, or of nobody."""
    (first, second) = [key for key, _ in index.catalog(LOCAL, "observation")][:2]
    index.write(
        LOCAL, [Document(first, "observation", "", "old"), Document("7", "observation", "", "x")], [second]
    )


def assert_true(memory, rows):
    verdict = memory.app.repair.verifier.verify()
    assert (verdict.differences, verdict.rows, verdict.documents) == (0, rows, rows), verdict


def test_in_place_every_row_is_written_again(filled):
    spoil(filled.app.stores.index)
    embedder = moody(filled, bad="nothing of this kind")
    seen = []
    done = filled.app.repair.reindexer.reindex(lambda *each: seen.append(each))
    assert (done.indexed, done.kept, done.failed) == (451, 0, 0)
    assert embedder.calls >= 3
    assert seen[-1] == ("indexing", 451, 451)
    assert_true(filled, 451)


def test_beside_the_live_index_serves_until_the_new_one_is_whole(filled, beside):
    spoil(beside)
    old = beside._live
    found_meanwhile = []

    def look(what, done, total):
        found_meanwhile.append(beside._live is old)

    done = filled.app.repair.reindexer.reindex(look)
    assert (done.indexed, done.kept) == (451, 0)
    assert found_meanwhile[0]
    assert beside._live is not old
    assert_true(filled, 451)


def test_what_changes_during_a_rebuild_is_in_the_new_index(filled, beside):
    rows = filled.rows("PROJECT#p0")
    ids = [row["id"] for row in rows if "id" in row]
    steps = []

    def meanwhile(what, done, total):
        steps.append(what)
        if steps == ["indexing"] * 3:
            filled.change(ids[0], content="changed while it was built")
            filled.delete(ids[1], hard=True)
            filled.save("saved while it was built", project="p0")
            filled.follow()

    def between():
        filled.change(ids[2], content="changed before the switch, seen by the old index only")

    beside.switched = lambda: (between(), _follow_into_the_old(filled))
    filled.app.repair.reindexer.reindex(meanwhile)
    assert_true(filled, 451)


def _follow_into_the_old(memory):
    """The indexer had begun to write before the switch: its note is settled, the new index knows nothing."""
    notes = [key for scope, key in memory.app.stores.census.keys("CHANGE#") if scope == LOCAL]
    memory.app.search.change_notes.remove(LOCAL, notes)


def test_an_interrupted_rebuild_goes_on_where_it_was(filled, beside, monkeypatch):
    begin = beside.begin_rebuild

    def breaking(**options):
        rebuild = begin(**options)
        return _Rebuild(Breaking(rebuild.index, 2), beside)

    monkeypatch.setattr(beside, "begin_rebuild", breaking)
    with pytest.raises(Unavailable):
        filled.app.repair.reindexer.reindex()
    monkeypatch.undo()
    done = filled.app.repair.reindexer.reindex(resume=True)
    assert (done.indexed, done.kept, len(beside.opened)) == (451, 201, 1)
    assert_true(filled, 451)


def test_a_row_that_cannot_be_indexed_does_not_end_it(filled, beside):
    moody(filled, bad="fact 13")
    done = filled.app.repair.reindexer.reindex()
    assert (done.indexed, done.failed) == (440, 11)  # 13 and 130 to 139


def test_the_stream_is_kept_out_step_by_step(filled):
    taken = []

    @contextmanager
    def exclusively():
        taken.append(True)
        yield

    filled.app.repair.reindexer.reindex(exclusively=exclusively)
    assert len(taken) == 4  # of two projects of 225 and a tenant of one: 200, 25 + 175 of the next, and so on
