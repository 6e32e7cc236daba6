"""The dreamer while much happens at once, over either store."""

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
from strata.domain.times import DAY
from strata.services.knowledge.conclusions import Wanted
from strata.services.records.knowledge import consolidation_order_key, words_key
from support.clocks import HandClock
from support.conclusion_machine import ThinkingModel
from support.facts import ANN, consent
from support.knowledge_machine import dreamer
from support.memory import LOCAL, Memory, application


@pytest.fixture(params=["sqlite", "dynamodb"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    clock, overrides = HandClock(), Overrides()
    if request.param == "dynamodb":
        address, name = (request.getfixturevalue(each) for each in ("dynamodb_local", "dynamodb_table"))
        bodies = FolderBodies(tmp_path / "bodies")
        table = DynamoTable(dynamodb_client(address), name, clock, patience=60, bodies=bodies)
        overrides = Overrides(table=table)
    app = application(tmp_path, clock, overrides)
    yield Memory(app)
    app.close()


def at_once(*calls: Callable[[], Any]) -> None:
    """Simultaneous calls; a refusal that has a message come again counts as an answer."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            call()
        except (Unavailable, Conflict):
            return

    with ThreadPoolExecutor(len(calls)) as pool:
        list(pool.map(run, calls))


def end(memory: Memory, session: str, *said: str, owner: str = ANN) -> None:
    memory.app.clock.forward(DAY)  # type: ignore[attr-defined]
    memory.start(session, user_id=owner)
    memory.end(session, *(words for each in said for words in (each, "ok")))


def known(memory: Memory, owner: str = ANN) -> list[str]:
    catalog = memory.app.knowledge.conclusions
    return sorted(each.text.strip() for each in catalog.listed(LOCAL, owner, Wanted()))


def runs(memory: Memory, owner: str = ANN) -> int:
    return len(memory.app.knowledge.consolidations.listed(LOCAL, owner, 100))


def test_ten_deliveries_two_at_a_time_draw_one_set(memory: Memory) -> None:
    end(memory, "s1", "HOME=Rome", "tea=hot")
    work = dreamer(memory)
    for _ in range(5):
        at_once(lambda: work.run(LOCAL, "s1"), lambda: work.run(LOCAL, "s1"))
    assert known(memory) == ["HOME Rome", "tea"]
    assert runs(memory) == 1
    assert (memory.row(consolidation_order_key("s1")) or {})["state"] == "done"
    assert memory.row(words_key("s1")) is None


def test_ten_deliveries_two_at_a_time_ask_a_model_once(memory: Memory) -> None:
    asked: list[object] = []
    memory.use(language_model=ThinkingModel(lambda: asked.append(None)))
    end(memory, "s1", "I live in Rome.", "I live in Rome with my sister.")
    end(memory, "s2", "I live in Oslo.", owner="bob")
    work = memory.app.knowledge.dreamer
    for _ in range(5):
        at_once(lambda: work.run(LOCAL, "s1"), lambda: work.run(LOCAL, "s1"))
    assert len(asked) == 1
    assert known(memory) == ["Lives in Rome", "Probably travels"]
    assert (runs(memory), known(memory, "bob")) == (1, [])


def test_of_sessions_at_once_none_is_lost_and_one_home_is_believed(memory: Memory) -> None:
    places = ["Rome", "Oslo", "Bern", "Lima", "Riga"]
    for place in places:
        end(memory, f"s-{place}", f"HOME={place}", f"{place.lower()}=seen")
    end(memory, "bobs", "HOME=Kyiv", owner="bob")
    work = dreamer(memory)
    for _ in range(3):  # a run that lost its turn too often comes again
        at_once(*(lambda place=place: work.run(LOCAL, f"s-{place}") for place in places))
    work.run(LOCAL, "bobs")
    assert known(memory) == sorted(["HOME Riga", *(place.lower() for place in places)])
    assert runs(memory) == len(places)
    assert known(memory, "bob") == ["HOME Kyiv"]


def test_after_a_refusal_at_the_same_time_nothing_comes_later(memory: Memory) -> None:
    for number in range(4):
        end(memory, f"s{number}", f"a{number}=1")
    work, seen = dreamer(memory), []

    def refuse() -> None:
        consent(memory, ai_consent=False)
        seen.append(known(memory))

    at_once(refuse, *(lambda number=number: work.run(LOCAL, f"s{number}") for number in range(4)))
    for number in range(4):
        work.run(LOCAL, f"s{number}")
    assert [known(memory)] == seen


def test_an_undo_beside_runs_leaves_all_or_nothing_of_its_run(memory: Memory) -> None:
    end(memory, "s1", "HOME=Rome", "tea=hot")
    end(memory, "s2", "jazz=loud")
    work, room = dreamer(memory), memory.app.knowledge.consolidations
    work.run(LOCAL, "s1")
    (run,) = room.listed(LOCAL, ANN, 10)
    at_once(lambda: room.undo(LOCAL, ANN, run.id), lambda: work.run(LOCAL, "s2"))
    work.run(LOCAL, "s2")
    room.undo(LOCAL, ANN, run.id)
    assert known(memory) == ["jazz"]
