"""The vectors an index keeps in memory: they follow the file, stay within bounds, and forget the dead."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from strata.adapters.sqlite import vector_space
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.search_index import SqliteSearchIndex
from strata.adapters.sqlite.table import SqliteTable
from strata.domain.scope import Scope
from strata.ports.rows import Key, Put
from strata.ports.search import Document, SearchQuery
from support.clocks import FrozenClock

SECOND = 1_000_000
SCOPE = Scope("acme")
VECTORS = np.random.default_rng(3).standard_normal((400, 8)).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteDatabase]:
    monkeypatch.setattr(vector_space, "CHUNK", 32)  # so that a few hundred rows fill several blocks
    with closing(SqliteDatabase(tmp_path / "strata.db")) as opened:
        yield opened


def documents(numbers: range, *, half: str = "") -> list[Document]:
    return [
        Document(str(n), "note", "", "", fields={"half": half or str(n % 2)}, vector=VECTORS[n])
        for n in numbers
    ]


def nearest(index: SqliteSearchIndex, number: int, limit: int = 10, half: str | None = None) -> list[str]:
    where = () if half is None else ((("half", half),),)
    found = index.search(SCOPE, SearchQuery("note", vector=VECTORS[number], where=where, limit=limit))
    return [each.key for each in sorted(found, key=lambda each: -(each.cosine or 0))]


def exact(number: int, among: list[int], limit: int = 10) -> list[str]:
    return [str(n) for n in sorted(among, key=lambda n: -float(VECTORS[n] @ VECTORS[number]))[:limit]]


def test_ranks_are_exact_over_many_blocks_while_rows_come_and_go(database: SqliteDatabase) -> None:
    index = SqliteSearchIndex(database)
    alive: set[int] = set()
    for start in range(0, 400, 50):
        index.write(
            SCOPE, documents(range(start, start + 50)), [str(n) for n in range(max(0, start - 100), start, 3)]
        )
        alive |= set(range(start, start + 50))
        alive -= set(range(max(0, start - 100), start, 3))
        for half in ("0", "1"):
            among = [n for n in alive if str(n % 2) == half]
            assert nearest(index, start, half=half) == exact(start, among)
        assert nearest(index, start) == exact(start, list(alive))


def test_a_document_rewritten_many_times_takes_the_room_of_one(database: SqliteDatabase) -> None:
    index = SqliteSearchIndex(database)
    index.write(SCOPE, documents(range(20)))
    for turn in range(100):
        index.write(SCOPE, documents(range(10), half=str(turn)))
        assert nearest(index, 3) == exact(3, list(range(20)))
    (space,) = index._spaces.values()
    assert space.nbytes < 150 * (8 * 4 + 50)
    assert nearest(index, 3, half="99") == exact(3, list(range(10)))


def test_rows_that_died_unseen_are_forgotten_when_they_are_many(database: SqliteDatabase) -> None:
    index = SqliteSearchIndex(database)
    rows = np.random.default_rng(4).standard_normal((2500, 8)).astype(np.float32)
    index.write(SCOPE, [Document(f"x{n}", "note", "", "", vector=row) for n, row in enumerate(rows)])
    assert len(nearest(index, 0)) == 10
    index.write(SCOPE, documents(range(20)), [f"x{n}" for n in range(2500)])
    assert nearest(index, 0) == exact(0, list(range(20)))
    (space,) = index._spaces.values()
    assert space.nbytes < 100 * (8 * 4 + 50)


def test_memory_is_bounded_over_tenants(database: SqliteDatabase) -> None:
    index = SqliteSearchIndex(database, cache_bytes=8_000)
    tenants = [Scope(f"t{number}") for number in range(10)]
    for tenant in tenants:
        index.write(tenant, documents(range(100)))
    for tenant in tenants * 2:
        found = index.search(tenant, SearchQuery("note", vector=VECTORS[5], limit=5))
        assert {each.key for each in found} == set(exact(5, list(range(100)), 5))
        assert sum(space.nbytes for space in index._spaces.values()) <= 8_000


def test_vectors_of_another_length_do_not_mix(database: SqliteDatabase) -> None:
    index = SqliteSearchIndex(database)
    index.write(SCOPE, documents(range(5)))
    index.write(SCOPE, [Document("long", "note", "", "", vector=np.full(16, 0.25, np.float32))])
    assert nearest(index, 1) == exact(1, list(range(5)))
    found = index.search(SCOPE, SearchQuery("note", vector=np.full(16, 0.25, np.float32)))
    assert [each.key for each in found] == ["long"]


def test_a_vector_of_zeros_is_none(database: SqliteDatabase) -> None:
    index = SqliteSearchIndex(database)
    index.write(SCOPE, [Document("unknown", "note", "", "words", vector=np.zeros(8, np.float32))])
    assert nearest(index, 0) == []
    assert index.search(SCOPE, SearchQuery("note", vector=np.zeros(8, np.float32))) == []


def test_a_forked_child_searches_on_and_follows_the_parent(database: SqliteDatabase) -> None:
    index = SqliteSearchIndex(database)
    index.write(SCOPE, documents(range(50)))
    assert nearest(index, 3) == exact(3, list(range(50)))
    ready, go = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.read(ready, 1)
            os._exit(0 if nearest(index, 3) == exact(3, list(range(100))) else 2)
        finally:
            os._exit(1)
    index.write(SCOPE, documents(range(50, 100)))
    os.write(go, b"x")
    assert os.waitpid(child, 0)[1] == 0
    assert nearest(index, 3) == exact(3, list(range(100)))
    os.close(ready)
    os.close(go)


def test_rows_past_their_time_are_swept_as_changes(database: SqliteDatabase) -> None:
    clock = FrozenClock(1000 * SECOND)
    table = SqliteTable(database, clock)
    keys = [Key("p", f"{number:02d}") for number in range(10)]
    table.transact(SCOPE, [Put(key, {"expires_at": 2000 + 10 * number}) for number, key in enumerate(keys)])
    table.transact(SCOPE, [Put(Key("p", "kept"), {})])
    head = table.head()
    assert table.delete_expired(SCOPE) == 0
    clock.us = 2050 * SECOND
    assert table.delete_expired(Scope("acme2"), 4) == 0
    assert table.delete_expired(SCOPE, 4) == 4
    assert table.delete_expired(SCOPE, 4) == 2
    assert table.delete_expired(SCOPE, 4) == 0
    assert table.has_expiring(SCOPE)
    assert not table.has_expiring(Scope("acme2"))
    assert [(change.key, change.event) for change in table.read(head, 100)] == [
        (key, "REMOVE") for key in keys[:6]
    ]
    clock.us = 1000 * SECOND
    assert table.get(SCOPE, keys[0]) is None
    assert table.get(SCOPE, keys[6]) is not None
