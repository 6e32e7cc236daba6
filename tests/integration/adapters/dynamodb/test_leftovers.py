"""Bodies that no row names are removed, and no others."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from servers.tables import dynamodb_client
from strata.adapters.bodies.folder import FolderBodies
from strata.adapters.clock import SystemClock
from strata.adapters.dynamodb.leftovers import SETTLED_SECONDS, DynamoLeftovers
from strata.adapters.dynamodb.overflow import to_body
from strata.adapters.dynamodb.table import DynamoTable
from strata.domain.scope import Scope
from strata.ports.rows import Delete, Key, Put, Update

SCOPE = Scope("acme")
BIG = "x" * 400_000
OLD = time.time() - SETTLED_SECONDS - 60


class World:
    """A table with large rows, and what clears up behind it."""

    def __init__(self, endpoint: str, name: str, folder: Path) -> None:
        self.folder = folder
        self.bodies = FolderBodies(folder)
        client = dynamodb_client(endpoint)
        self.client, self.name = client, name
        self.table = DynamoTable(client, name, SystemClock(), patience=60, bodies=self.bodies)
        self.leftovers = DynamoLeftovers(client, name, self.bodies, SystemClock())

    def put(self, sk: str, **more: Any) -> None:
        self.table.transact(SCOPE, [Put(Key("p", sk), {"text": BIG} | more)])

    def orphan(self, name: str, row: tuple[str, str] = ("acme#p", "gone"), scope: Scope = SCOPE) -> None:
        self.bodies.put(scope, name, to_body("lost", row))

    def age(self) -> None:
        for file in self.folder.rglob("*"):
            if file.is_file():
                os.utime(file, (OLD, OLD))

    def names(self) -> set[str]:
        return {file.name for file in self.folder.rglob("*") if file.is_file()}

    def clear(self, after: str | None = None, limit: int = 100) -> Any:
        return self.leftovers.clear(SCOPE, after, limit)


@pytest.fixture
def world(dynamodb_local: str, dynamodb_table: str, tmp_path: Path) -> World:
    return World(dynamodb_local, dynamodb_table, tmp_path / "bodies")


def test_without_bodies_there_is_nothing_to_clear(world):
    cleared = world.clear()
    assert (cleared.looked_at, cleared.removed, cleared.after, cleared.expecting) == (0, 0, None, False)


def test_a_body_whose_row_is_gone_is_removed_and_one_that_is_named_stays(world):
    world.put("kept")
    named = world.names()
    world.orphan("gone")
    world.orphan("replaced", ("acme#p", "kept"))
    world.age()

    cleared = world.clear()

    assert (cleared.looked_at, cleared.removed, cleared.expecting) == (3, 2, True)
    assert world.names() == named
    assert world.table.get(SCOPE, Key("p", "kept")) == {"text": BIG}


def test_a_body_of_the_last_hour_is_left_alone(world):
    world.orphan("young")

    assert world.clear().removed == 0
    assert world.names() == {"young"}


def test_a_body_that_an_expired_row_still_names_stays_until_the_row_is_gone(world):
    world.put("ended", expires_at=int(time.time()) - 10)
    world.age()
    assert world.clear().removed == 0

    world.client.delete_item(
        TableName=world.name, Key={"pk": {"S": "acme#p"}, "sk": {"S": "ended"}}
    )  # as DynamoDB does by itself

    assert world.clear().removed == 1
    assert world.names() == set()


def test_what_writes_leave_behind_is_found_also_after_an_update(world):
    world.put("a")
    world.table.update(SCOPE, Update(Key("p", "a"), set={"more": BIG}))
    world.put("b")
    world.table.transact(SCOPE, [Delete(Key("p", "b"))])
    world.age()
    before = world.names()

    assert world.clear().removed == 0
    assert world.names() == before
    assert world.table.get(SCOPE, Key("p", "a")) == {"text": BIG, "more": BIG}


def test_rounds_go_on_where_the_one_before_ended(world):
    for number in range(25):
        world.orphan(f"n{number:02d}")
    world.age()
    removed, after, rounds = 0, None, 0

    while rounds == 0 or after is not None:
        cleared = world.clear(after, limit=10)
        assert cleared.looked_at <= 10
        removed, after, rounds = removed + cleared.removed, cleared.after, rounds + 1

    assert (removed, rounds) == (25, 3)
    assert world.names() == set()


def test_what_does_not_say_which_row_it_is_of_stays(world):
    world.bodies.put(SCOPE, "unsaid", b'"a value"')
    world.age()

    assert world.clear().removed == 0


def test_another_tenants_bodies_are_neither_seen_nor_judged_by_their_claims(world):
    other = Scope("bravo")
    world.orphan("theirs", ("bravo#p", "gone"), other)
    world.orphan("foreign", ("bravo#p", "gone"))
    world.age()

    cleared = world.clear()

    assert (cleared.looked_at, cleared.removed) == (1, 0)
    assert world.names() == {"theirs", "foreign"}
