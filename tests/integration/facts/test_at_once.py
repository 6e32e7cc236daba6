"""Facts while much happens at once, over either store."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from servers.tables import dynamodb_client
from strata.adapters.bodies.folder import FolderBodies
from strata.adapters.dynamodb.table import DynamoTable
from strata.bootstrap import Overrides
from strata.domain.errors import Conflict, Unavailable
from strata.services.records.people import extraction_key
from support.clocks import HandClock
from support.facts import AGENT, ANN, TURNS, ScriptedFinder, consent, converse, enable, extract, known
from support.memory import LOCAL, Memory, application


@pytest.fixture
def finder() -> ScriptedFinder:
    return ScriptedFinder()


@pytest.fixture(params=["sqlite", "dynamodb"])
def memory(request: pytest.FixtureRequest, tmp_path: Path, finder: ScriptedFinder) -> Iterator[Memory]:
    clock = HandClock()
    overrides = Overrides(fact_finder=finder)
    if request.param == "dynamodb":
        address, name = (request.getfixturevalue(each) for each in ("dynamodb_local", "dynamodb_table"))
        bodies = FolderBodies(tmp_path / "bodies")
        table = DynamoTable(dynamodb_client(address), name, clock, patience=60, bodies=bodies)
        overrides = Overrides(fact_finder=finder, table=table)
    app = application(tmp_path, clock, overrides)
    memory = Memory(app)
    enable(memory)
    yield memory
    app.close()


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The results of simultaneous calls; a refusal that has a message come again counts as an answer."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return call()
        except (Unavailable, Conflict) as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_ten_deliveries_two_at_a_time_make_one_set_of_facts_and_ask_once(
    memory: Memory, finder: ScriptedFinder
) -> None:
    converse(memory)
    for _ in range(5):
        at_once(lambda: extract(memory), lambda: extract(memory))
    assert len(finder.asked) == 1
    assert known(memory) == ["Loves jazz", "Lives in Valencia"]
    order = memory.row(extraction_key("s1"))
    assert order is not None
    assert (order["state"], order["facts"]) == ("done", 2)


def test_of_sessions_that_are_looked_at_at_once_one_home_is_believed_and_every_liking(memory: Memory) -> None:
    places = ["Rome", "Oslo", "Bern", "Lima", "Kyiv", "Riga"]
    for place in places:
        converse(memory, f"s-{place}", f"I live in {place}.", "", f"I love {place}.", "", "Bye")
    at_once(*(lambda place=place: extract(memory, f"s-{place}") for place in places))
    facts = memory.app.facts.catalog.listed(LOCAL, AGENT, ANN, 100)
    assert sorted(fact.value for fact in facts if fact.category == "preference") == sorted(places)
    assert len([fact for fact in facts if fact.category == "place"]) == 1


def test_the_same_words_in_many_sessions_at_once_are_one_fact(memory: Memory) -> None:
    for number in range(8):
        converse(memory, f"s{number}")
    at_once(*(lambda number=number: extract(memory, f"s{number}") for number in range(8)))
    assert sorted(known(memory)) == ["Lives in Valencia", "Loves jazz"]


def test_a_cap_holds_for_writers_at_once(memory: Memory) -> None:
    enable(memory, max_facts=4)
    for number in range(6):
        converse(memory, f"s{number}", f"I love a{number}.", "", f"I love b{number}.", "", "Bye")
    at_once(*(lambda number=number: extract(memory, f"s{number}") for number in range(6)))
    assert len(known(memory)) == 4


def test_after_a_refusal_that_came_while_facts_were_written_there_are_none_that_came_later(
    memory: Memory,
) -> None:
    for number in range(6):
        converse(memory, f"s{number}", f"I love a{number}.", "", "x", "", "Bye")
    seen: list[list[str]] = []

    def refuse() -> None:
        consent(memory, ai_consent=False)
        seen.append(known(memory))

    at_once(refuse, *(lambda number=number: extract(memory, f"s{number}") for number in range(6)))
    assert known(memory) == seen[0]
    for number in range(6):
        extract(memory, f"s{number}")
    assert known(memory) == seen[0]


def test_ends_at_once_order_a_session_once(memory: Memory, finder: ScriptedFinder) -> None:
    memory.start("s1", agent_id=AGENT, user_id=ANN)
    at_once(*[lambda: memory.end("s1", *TURNS)] * 6)
    extract(memory)
    extract(memory)
    assert len(finder.asked) == 1


def test_statements_at_once_all_stand_in_the_history(memory: Memory) -> None:
    at_once(*(lambda number=number: consent(memory, ai_consent=number % 2 == 0) for number in range(8)))
    given = memory.app.people.consents.get(LOCAL, ANN)
    assert len(given.history) == 8
    assert given.ai_consent == given.history[0].ai_consent
    assert given.updated_at == given.history[0].at
