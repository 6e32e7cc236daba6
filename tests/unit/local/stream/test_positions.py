"""Where the stream's readers stand, shared by the server's processes."""

import os

import pytest

from strata.local.stream.positions import EVERY, SharedPositions
from support.local_apps import FakeLog


@pytest.fixture
def log():
    return FakeLog()


def test_a_place_begins_where_the_store_says(log):
    log.advance("Indexer", 7)
    assert SharedPositions(lambda: log, ["Indexer"]).position("Indexer") == 7


def test_a_place_is_stored_now_and_then_and_at_the_end(log):
    positions = SharedPositions(lambda: log, ["Indexer", "Other"])
    assert positions.position("Indexer") == 0
    positions.advance("Indexer", EVERY - 1)
    assert (positions.position("Indexer"), log.position("Indexer")) == (EVERY - 1, 0)
    positions.advance("Indexer", EVERY)
    assert log.position("Indexer") == EVERY
    positions.advance("Indexer", EVERY + 3)
    assert log.position("Indexer") == EVERY
    positions.store()
    assert log.position("Indexer") == EVERY + 3
    assert log.position("Other") == 0


def test_a_place_never_goes_back(log):
    positions = SharedPositions(lambda: log, ["Indexer"])
    positions.advance("Indexer", 9)
    positions.advance("Indexer", 4)
    assert positions.position("Indexer") == 9


def test_processes_share_a_place(log):
    positions = SharedPositions(lambda: log, ["Indexer"])
    child = os.fork()
    if child == 0:
        positions.advance("Indexer", 42)
        os._exit(0)
    os.waitpid(child, 0)
    assert positions.position("Indexer") == 42
