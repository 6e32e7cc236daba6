"""Where the stream's readers stand, shared by the server's processes."""

import os

import pytest
from local_apps import FakeLog

from strata.local.stream.places import EVERY, SharedPlaces


@pytest.fixture
def log():
    return FakeLog()


def test_a_place_begins_where_the_store_says(log):
    log.advance("Indexer", 7)
    assert SharedPlaces(lambda: log, ["Indexer"]).position("Indexer") == 7


def test_a_place_is_stored_now_and_then_and_at_the_end(log):
    places = SharedPlaces(lambda: log, ["Indexer", "Other"])
    assert places.position("Indexer") == 0
    places.advance("Indexer", EVERY - 1)
    assert (places.position("Indexer"), log.position("Indexer")) == (EVERY - 1, 0)
    places.advance("Indexer", EVERY)
    assert log.position("Indexer") == EVERY
    places.advance("Indexer", EVERY + 3)
    assert log.position("Indexer") == EVERY
    places.store()
    assert log.position("Indexer") == EVERY + 3
    assert log.position("Other") == 0


def test_a_place_never_goes_back(log):
    places = SharedPlaces(lambda: log, ["Indexer"])
    places.advance("Indexer", 9)
    places.advance("Indexer", 4)
    assert places.position("Indexer") == 9


def test_processes_share_a_place(log):
    places = SharedPlaces(lambda: log, ["Indexer"])
    child = os.fork()
    if child == 0:
        places.advance("Indexer", 42)
        os._exit(0)
    os.waitpid(child, 0)
    assert places.position("Indexer") == 42
