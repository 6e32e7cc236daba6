"""Patterns by the sentence model itself, from the end of sessions to what contexts may give."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from evals.conclusions.diaries import read

from strata.adapters.e5_embeddings import lacking
from strata.bootstrap import Application
from strata.domain.times import DAY
from strata.services.knowledge.conclusions import Wanted
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application

pytestmark = pytest.mark.skipif(lacking() is not None, reason=str(lacking()))


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Application]:
    app = application(tmp_path, HandClock(), READING="sentences")
    yield app
    app.close()


def _tell(memory: Memory, number: int, **whose: str) -> None:
    """A person has a diary's days as sessions."""
    diary = next(each for each in read("dev") if each.id == f"en{number:02}")
    for day in sorted({line.day for line in diary.lines}):
        said = [line.text for line in diary.lines if line.day == day]
        session = f"{'-'.join(whose.values())}-{day}"
        memory.start(session, **whose)
        memory.end(session, *(words for each in said for words in (each, "ok")))
        memory.work()
        memory.app.clock.forward(DAY + 1_800 * (len(said) - 2))  # type: ignore[attr-defined]


def _patterns(app: Application, user: str) -> list[tuple[str, frozenset[str]]]:
    found = app.knowledge.conclusions.listed(LOCAL, user, Wanted())
    return [(each.text, frozenset(each.projects)) for each in found if each.type == "inductive"]


def test_two_people_in_two_projects_have_patterns_of_their_own(app):
    memory = Memory(app)
    _tell(memory, 1, user_id="ann", project="shop")
    _tell(memory, 2, user_id="bob", project="lab")
    ann, bob = _patterns(app, "ann"), _patterns(app, "bob")
    assert any(text.startswith("Keeps coming back to") for text, _ in ann)
    assert any(text.startswith("Keeps coming back to") for text, _ in bob)
    assert {projects for _, projects in ann} == {frozenset({"shop"})}
    assert {projects for _, projects in bob} == {frozenset({"lab"})}
    assert not {text for text, _ in ann} & {text for text, _ in bob}
