"""A newer observation supersedes an older one of the same person, agent and project, and of nothing else."""

import pytest
from pydantic import ValidationError

from strata.domain.scope import Scope
from strata.domain.wire.transfer import Import
from strata.services.observations.supersession import MOST
from strata.services.records.observations import observation_key
from strata.services.search.filters import ObservationFilter
from support.memory import Memory, application

OLD = "Production runs PostgreSQL 14."
NEW = "We upgraded production to PostgreSQL 16."
NEWEST = "Production runs PostgreSQL 17."


@pytest.fixture
def memory(tmp_path, clock):
    app = application(tmp_path, clock, SUPERSEDE="true")
    yield Memory(app)
    app.close()


def said(memory: Memory, *contents: str, **fields) -> list[int]:
    """Save these and let the stream be followed."""
    ids = [memory.save(content, **fields).id for content in contents]
    memory.follow()
    return ids


def marks(memory: Memory, *ids: int) -> list[int | None]:
    return [memory.get(each).superseded_by for each in ids]


def found(memory: Memory, query: str = "PostgreSQL", *, superseded: bool = False) -> set[int]:
    wanted = ObservationFilter(project="demo", superseded=superseded)
    hits = memory.app.search.observations.search(memory.scope, query, wanted, limit=10).hits
    return {hit.id for hit in hits}


def test_the_older_one_is_marked_with_the_newer_one_and_the_reason(memory):
    old, new = said(memory, OLD, NEW)
    marked = memory.get(old)
    assert (marked.superseded_by, marked.superseded_reason) == (
        new,
        "production PostgreSQL: 16 instead of 14",
    )
    assert marked.superseded_at is not None
    assert memory.get(new).superseded_by is None


def test_a_superseded_one_is_found_when_asked_for_only(memory):
    old, new = said(memory, OLD, NEW)
    assert found(memory) == {new}
    assert found(memory, superseded=True) == {old, new}
    assert old in {
        each.id
        for each in memory.app.search.observations.search(
            memory.scope, "PostgreSQL", ObservationFilter(superseded=True), limit=10
        ).hits
        if each.superseded_by == new
    }


def test_contexts_leave_it_out(memory):
    said(memory, OLD, NEW)
    assembled = memory.app.context.plain.assemble(
        memory.scope, project="demo", scope_name=None, query="unrelated words", limit=10
    )
    assert [hit.content for hit in assembled.hits] == [NEW]


@pytest.mark.parametrize(
    "other",
    [
        {"project": "other"},
        {"session_id": "s2", "user_id": "bob"},
        {"session_id": "agents-b"},
        {"agent_id": "b"},
        {"scope": "global"},
        {"topic_key": "database"},
    ],
)
def test_nobody_elses_is_marked(memory, other):
    memory.start("s1", agent_id="a")
    memory.start("agents-b", agent_id="b")
    first = memory.save(OLD, session_id="s1").id
    second = memory.save("Production runs PostgreSQL 13.", **({"session_id": "s1"} | other)).id
    new = said(memory, NEW, session_id="s1")[0]
    assert marks(memory, first, second) == [new, None]


def test_another_tenants_is_not_marked(memory):
    other = Memory(memory.app, Scope("other"))
    theirs = other.save(OLD).id
    old, new = said(memory, OLD, NEW)
    other.follow()
    assert marks(memory, old) == [new]
    assert marks(other, theirs) == [None]


def test_an_imported_one_counts_by_the_time_at_which_it_was_said(memory):
    new = said(memory, NEW)[0]
    told = memory.get(new).model_dump(include={"session_id", "type", "title", "project"})
    told |= {"content": OLD, "created_at": "2020-01-01T00:00:00Z"}
    memory.app.transfer.importer.load(memory.scope, Import.model_validate({"observations": [told]}))
    memory.follow()
    old = next(iter(found(memory, superseded=True) - {new}))
    assert marks(memory, old, new) == [new, None]


def test_each_value_is_superseded_by_the_next(memory):
    assert marks(memory, *(ids := said(memory, OLD, NEW, NEWEST))) == [ids[1], ids[2], None]


def test_what_is_said_again_holds_again(memory, clock):
    old, new = said(memory, OLD, NEW)
    clock.forward(3600)
    again = said(memory, OLD)[0]
    assert marks(memory, old, new, again) == [None, again, None]


@pytest.mark.parametrize("hard", [False, True])
def test_the_deletion_of_the_newer_one_gives_the_older_one_back(memory, hard):
    old, new, newest = said(memory, OLD, NEW, NEWEST)
    memory.delete(new, hard=hard)
    memory.follow()
    assert marks(memory, old) == [newest]
    memory.delete(newest, hard=hard)
    memory.follow()
    assert marks(memory, old) == [None]
    assert found(memory) == {old}


def test_a_change_of_the_newer_one_gives_the_older_one_back(memory):
    old, new = said(memory, OLD, NEW)
    memory.change(new, content="Staging runs PostgreSQL 16.")
    memory.follow()
    assert marks(memory, old, new) == [None, None]


def test_a_change_of_the_older_one_is_judged_anew(memory):
    old, new = said(memory, OLD, NEW)
    memory.change(old, content="Lena likes tea.")
    memory.follow()
    assert marks(memory, old) == [None]
    memory.change(old, content="Production runs PostgreSQL 13.")
    memory.follow()
    assert marks(memory, old) == [new]


def test_who_gives_one_back_has_it_stay_until_its_content_changes(memory):
    old, new = said(memory, OLD, NEW)
    assert memory.change(old, superseded=False).superseded_by is None
    newest = said(memory, NEWEST)[0]
    assert marks(memory, old, new) == [None, newest]
    memory.change(old, content="Production runs PostgreSQL 13.")
    memory.follow()
    assert marks(memory, old) == [new]


def test_nobody_marks_by_hand(memory):
    with pytest.raises(ValidationError, match="superseded"):
        memory.change(1, superseded=True)


def test_late_and_repeated_records_change_nothing(memory):
    ids = said(memory, OLD, NEW, NEWEST)
    before = marks(memory, *ids)
    rows = [memory.get(each) for each in ids]
    for position in (0, 0):
        memory._position = position
        memory.follow()
    assert marks(memory, *ids) == before
    assert [memory.get(each) for each in ids] == rows


def test_of_more_than_are_compared_the_newest_stays(memory):
    ids = said(memory, *(f"Production runs PostgreSQL {number}." for number in range(10, 14 + MOST)))
    *older, last = zip(ids, marks(memory, *ids), strict=True)
    assert last == (ids[-1], None)
    assert all(by is not None and by > each for each, by in older)
    assert found(memory) == {ids[-1]}


def test_one_of_another_wording_is_found_by_the_words_that_it_shares(memory):
    memory.save("The parking garage opens at 6.")
    old, new = said(
        memory,
        "DNS is hosted at Namewell.",
        "DNS is no longer at Namewell - everything was transferred to Zoneport.",
    )
    assert marks(memory, old, new) == [new, None]


def test_one_that_is_saved_while_the_other_is_followed_is_compared_as_well(memory):
    old, new = memory.save(OLD).id, memory.save(NEW).id
    follow = memory.app.observations.supersession.follow
    follow(
        memory.scope, [observation_key("demo", old), observation_key("demo", new)]
    )  # nothing is indexed yet
    assert marks(memory, old, new) == [new, None]


def test_without_the_setting_nothing_is_marked(tmp_path, clock):
    memory = Memory(application(tmp_path, clock))
    assert marks(memory, *said(memory, OLD, NEW)) == [None, None]
    memory.app.close()
