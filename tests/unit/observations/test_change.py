"""Changing and deleting: what stays, what is refused, and which guards move."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from strata.domain.dedup import normalized_hash
from strata.domain.errors import DuplicateContent, NotFound
from strata.domain.scope import Scope
from strata.domain.wire.observations import ObservationChange
from strata.ports.rows import Action, Delete, Item, Key, Put, Update
from strata.services.observations.change import Editor
from strata.services.records.observations import (
    hash_key,
    pointer_key,
    project_pk,
    topic_guard_key,
    untyped_hash_key,
)
from strata.services.records.parts import POINTER_SK
from strata.services.records.totals import stats_key
from support.memory import LOCAL, Meddled, Memory

WINDOW = 15 * 60


def guard(memory: Memory, content: str, owner: str | None = None):
    row = memory.row(hash_key("demo", owner, normalized_hash(content), "decision"))
    return row and row["observation_id"]


def test_what_is_named_changes_and_the_rest_stays(memory):
    saved = memory.save("a fact", title="old", tags=["x"], topic_key="k")
    before = memory.get(saved.id)
    after = memory.change(saved.id, title="new")
    assert after == memory.get(saved.id)
    assert after.updated_at > before.updated_at
    assert after.model_dump(exclude={"title", "updated_at"}) == before.model_dump(
        exclude={"title", "updated_at"}
    )
    assert after.title == "new"


def test_naming_nothing_changes_nothing(memory):
    saved = memory.save("a fact")
    assert memory.change(saved.id) == memory.get(saved.id)


def test_tags_can_be_taken_away(memory):
    saved = memory.save("a fact", tags=["x"])
    assert memory.change(saved.id, tags=[]).tags is None
    assert memory.get(saved.id).tags is None


def test_an_unknown_or_deleted_observation_cannot_be_changed(memory):
    with pytest.raises(NotFound):
        memory.change(1, title="x")
    gone = memory.save("a fact").id
    memory.delete(gone)
    with pytest.raises(NotFound):
        memory.change(gone, title="x")


def test_another_tenants_observation_is_unknown(memory):
    saved = memory.save("a fact")
    other = Memory(memory.app, Scope("other"))
    for call in (other.get, other.change, other.delete):
        with pytest.raises(NotFound):
            call(saved.id)
    with pytest.raises(NotFound):
        other.delete(saved.id, hard=True)
    assert memory.get(saved.id).content == "a fact"


# --- the guards of a change -----------------------------------------------------------------------


def test_a_changed_content_is_the_one_that_deduplicates(memory):
    saved = memory.save("old")
    memory.change(saved.id, content="new")
    assert memory.save("NEW").id == saved.id
    assert memory.save("old").action == "created"


def test_a_change_of_case_and_white_space_keeps_the_guard(memory):
    saved = memory.save("a fact")
    changed = memory.change(saved.id, content="A   FACT")
    assert (changed.content, changed.normalized_hash) == ("A   FACT", normalized_hash("a fact"))
    assert memory.save("a fact").id == saved.id


def test_the_window_of_a_changed_content_counts_from_the_rows_creation(memory, clock):
    saved = memory.save("old")
    clock.forward(WINDOW - 60)
    memory.change(saved.id, content="new")
    assert memory.save("new").id == saved.id
    clock.forward(120)
    assert memory.save("new").action == "created"


@pytest.mark.parametrize("later", [0, 10 * WINDOW])
def test_a_change_never_makes_a_second_row_of_one_content(memory, clock, later):
    holder, other = memory.save("a fact"), memory.save("another")
    clock.forward(later)
    with pytest.raises(DuplicateContent, match=str(holder.id)):
        memory.change(other.id, content="A fact", title="new")
    assert (memory.get(other.id).content, memory.get(other.id).title) == ("another", "Storage")


def test_a_change_may_take_the_content_of_another_owner_or_project(memory):
    memory.save("a fact", user_id="ann")
    memory.save("a fact", project="elsewhere", session_id="s2")
    own = memory.save("another", session_id="s3")
    assert memory.change(own.id, content="a fact").content == "a fact"


def test_a_change_of_the_type_never_makes_a_second_row_of_one_content_either(memory):
    one, two = memory.save("a fact", type="decision"), memory.save("a fact", type="lesson")
    with pytest.raises(DuplicateContent, match=str(one.id)):
        memory.change(two.id, type="decision")
    memory.change(two.id, type="config")
    assert memory.save("a fact", type="lesson").action == "created"
    assert memory.save("a fact", type="config").id == two.id


def as_an_earlier_version(memory: Memory, content: str, **fields: str) -> int:
    """Save a decision whose guard does not know its type."""
    saved = memory.save(content, **fields)
    content_hash = normalized_hash(content)
    owner = fields.get("user_id")
    typed = hash_key("demo", owner, content_hash, "decision")
    guard = memory.row(typed)
    assert guard is not None
    moved: list[Action] = [Delete(typed), Put(untyped_hash_key("demo", owner, content_hash), guard)]
    memory.app.stores.table.transact(LOCAL, moved)
    return saved.id


def test_the_guard_of_an_earlier_version_is_read_too(memory):
    known = as_an_earlier_version(memory, "a fact")
    lesson, decision = memory.save("another", type="lesson"), memory.save("another", type="decision")
    memory.change(lesson.id, content="a fact")
    with pytest.raises(DuplicateContent, match=str(known)):
        memory.change(decision.id, content="a fact")


def test_a_save_counts_by_the_guard_of_an_earlier_version_within_its_window(memory, clock):
    nobodys = as_an_earlier_version(memory, "a fact")
    anns = as_an_earlier_version(memory, "a fact", session_id="s2", user_id="ann")
    assert (memory.save("A  fact").id, memory.save("a fact").duplicate_count) == (nobodys, 3)
    assert memory.save("a fact", session_id="s2").id == anns
    assert memory.save("a fact", type="lesson").action == "created"
    topic = memory.save("said otherwise", topic_key="k")
    assert memory.save("a fact", topic_key="k").id == topic.id
    clock.forward(WINDOW)
    assert memory.save("a fact").action == "created"


def test_the_guard_of_an_earlier_version_goes_with_its_row(memory):
    one, two = (as_an_earlier_version(memory, each) for each in ("changed", "deleted"))
    memory.change(one, content="new")
    memory.delete(two, hard=True)
    for content in ("changed", "deleted"):
        assert memory.row(untyped_hash_key("demo", None, normalized_hash(content))) is None
    assert memory.save("new").id == one


def test_a_change_may_take_the_content_that_a_row_had_before(memory):
    first = memory.save("old", topic_key="k")
    memory.save("new", topic_key="k")
    assert guard(memory, "old") == first.id
    second = memory.save("other")
    assert memory.change(second.id, content="old").content == "old"
    assert guard(memory, "old") == second.id


def test_a_change_there_and_back_leaves_one_row_and_true_guards(memory):
    saved = memory.save("one")
    memory.change(saved.id, content="two")
    memory.change(saved.id, content="one")
    assert (guard(memory, "one"), guard(memory, "two")) == (saved.id, None)
    assert memory.save("one").id == saved.id


def test_a_change_leaves_the_guard_of_a_younger_row_with_the_same_content(memory, clock):
    older = memory.save("a fact")
    clock.forward(WINDOW + 60)
    younger = memory.save("a fact")
    memory.change(older.id, content="another")
    assert memory.save("a fact").id == younger.id


def test_a_change_keeps_the_topic(memory):
    saved = memory.save("old", topic_key="k")
    memory.change(saved.id, content="new")
    assert memory.save("newest", topic_key="k").id == saved.id


def test_a_change_is_redacted(memory):
    saved = memory.save("a fact")
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    changed = memory.change(saved.id, title=key, content=f"it is {key}", tags=[key])
    assert key not in changed.model_dump_json()
    assert changed.normalized_hash == normalized_hash("it is [redacted:aws_access_key]")


# --- deleting -------------------------------------------------------------------------------------


@pytest.mark.parametrize("hard", [False, True])
def test_what_is_deleted_is_gone_and_frees_both_guards(memory, hard):
    saved = memory.save("a fact", topic_key="k")
    memory.delete(saved.id, hard=hard)
    with pytest.raises(NotFound):
        memory.get(saved.id)
    assert guard(memory, "a fact") is None
    assert memory.row(topic_guard_key("demo", "project", None, "k")) is None
    with pytest.raises(NotFound):
        memory.delete(saved.id)


def test_a_delete_leaves_the_guards_that_name_another(memory, clock):
    older = memory.save("a fact")
    clock.forward(WINDOW + 60)
    younger = memory.save("a fact")
    memory.delete(older.id)
    assert memory.save("a fact").id == younger.id


def test_a_soft_delete_keeps_the_row_out_of_sight_until_a_hard_one_erases_it(memory):
    saved = memory.save("the only copy", session_id="s9")
    memory.delete(saved.id)
    assert [row["content"] for row in memory.rows(project_pk("demo")) if "content" in row] == [
        "the only copy"
    ]
    memory.delete(saved.id, hard=True)
    assert [row for row in memory.rows(project_pk("demo")) if "content" in row] == []
    assert memory.row(pointer_key(saved.id))["state"] == "gone"
    with pytest.raises(NotFound):
        memory.delete(saved.id, hard=True)


def test_a_hard_delete_does_not_take_what_was_saved_since(memory):
    gone = memory.save("a fact", topic_key="k")
    memory.delete(gone.id)
    again = memory.save("a fact", topic_key="k")
    memory.delete(gone.id, hard=True)
    assert memory.get(again.id).content == "a fact"
    assert memory.save("a fact").id == again.id


def test_an_id_is_never_given_twice(memory):
    saved = memory.save("a fact")
    memory.delete(saved.id, hard=True)
    assert memory.save("a fact").id > saved.id


def test_what_is_deleted_is_out_of_every_answer(memory):
    saved, kept = memory.save("a green fact", scope="global"), memory.save("a blue fact")
    memory.follow()
    memory.delete(saved.id)
    reading, app = memory.app.observations.reader, memory.app
    assert [row.id for row in reading.recent(LOCAL, project="demo", kind=None, scope_name=None, limit=9)] == [
        kept.id
    ]
    assert reading.recent(LOCAL, project=None, kind=None, scope_name="global", limit=9) == []
    context = app.context.plain.assemble(
        LOCAL, project="demo", scope_name=None, query="green", limit=9
    ).context
    assert [seen.content for seen in context.recent_observations] == ["a blue fact"]
    assert [entry.id for entry in reading.timeline(LOCAL, kept.id, before=9, after=9)] == [kept.id]


# --- between the read and the write ---------------------------------------------------------------


def meddle(memory: Memory, happening) -> Editor:
    """A service whose next write comes after something else."""
    table = Meddled(memory.app.stores.table, happening)
    return Editor(table, memory.app.clock, dedupe_window=WINDOW)


def test_a_change_that_was_overtaken_leaves_no_guard_of_the_content_in_between(memory):
    saved = memory.save("one")
    late = meddle(memory, lambda: memory.change(saved.id, content="two", tags=["kept"]))
    after = late.change(LOCAL, saved.id, ObservationChange(content="three"))
    assert (after.content, after.tags) == ("three", ["kept"])
    assert [guard(memory, content) for content in ("one", "two", "three")] == [None, None, saved.id]


def test_a_change_that_a_save_overtakes_is_refused(memory):
    saved = memory.save("one")
    late = meddle(memory, lambda: memory.save("two"))
    with pytest.raises(DuplicateContent):
        late.change(LOCAL, saved.id, ObservationChange(content="two"))


def test_a_change_of_what_is_deleted_meanwhile_is_not_found(memory):
    saved = memory.save("one")
    late = meddle(memory, lambda: memory.delete(saved.id))
    with pytest.raises(NotFound):
        late.change(LOCAL, saved.id, ObservationChange(title="x"))


@pytest.mark.parametrize("hard", [False, True])
def test_a_delete_that_was_overtaken_by_a_change_frees_the_new_content(memory, hard):
    saved = memory.save("one")
    late = meddle(memory, lambda: memory.change(saved.id, content="two"))
    late.delete(LOCAL, saved.id, hard=hard)
    assert [guard(memory, content) for content in ("one", "two")] == [None, None]
    kept = [row["content"] for row in memory.rows(project_pk("demo")) if "content" in row]
    assert kept == ([] if hard else ["two"])


class MeddledReads:
    """A table on which something happens just after the first read of a pointer."""

    def __init__(self, table: Any, happening: Callable[[], object]) -> None:
        self._table = table
        self._happening: Callable[[], object] | None = happening

    def get(self, scope: Scope, key: Key) -> Item | None:
        row = self._table.get(scope, key)
        happening = self._happening
        if key.sk == POINTER_SK and happening:
            self._happening = None
            happening()
        return row

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


MOMENTS = pytest.mark.parametrize(
    "table", [MeddledReads, Meddled], ids=["while it reads", "before it writes"]
)
"""Between the reads of the pointer and of the row, and between the reads and the write."""


def while_moved(memory: Memory, table: Any) -> Editor:
    """A service that is overtaken by the move of the project to another."""
    move = partial(memory.app.transfer.mover.move, LOCAL, "demo", "other")
    return Editor(table(memory.app.stores.table, move), memory.app.clock, dedupe_window=WINDOW)


def contents(memory: Memory, project: str) -> list[str]:
    return sorted(row["content"] for row in memory.rows(project_pk(project)) if "content" in row)


@MOMENTS
def test_a_hard_delete_during_a_move_erases_it_where_it_is_and_nothing_else(memory, table):
    saved, kept = memory.save("one"), memory.save("two")
    there = memory.save("three", project="other", session_id="s2")
    while_moved(memory, table).delete(LOCAL, saved.id, hard=True)
    memory.app.transfer.mover.move(LOCAL, "demo", "other")
    assert (contents(memory, "demo"), contents(memory, "other")) == ([], ["three", "two"])
    assert memory.row(pointer_key(saved.id))["state"] == "gone"
    with pytest.raises(NotFound):
        memory.get(saved.id)
    assert [memory.get(each.id).project for each in (kept, there)] == ["other", "other"]


def test_a_hard_delete_takes_away_what_one_of_an_earlier_version_left_during_a_move(memory):
    saved, kept = memory.save("one"), memory.save("two")
    memory.follow()
    memory.app.stores.table.update(LOCAL, Update(pointer_key(saved.id), set={"state": "gone"}))
    memory.delete(saved.id, hard=True)
    memory.follow()
    assert contents(memory, "demo") == ["two"]
    assert guard(memory, "one") is None
    assert memory.get(kept.id).content == "two"
    assert memory.row(stats_key("demo"))["observations"] == 1
    with pytest.raises(NotFound):
        memory.delete(saved.id, hard=True)


@MOMENTS
def test_a_soft_delete_during_a_move_leaves_what_a_hard_one_erases(memory, table):
    saved = memory.save("one")
    while_moved(memory, table).delete(LOCAL, saved.id, hard=False)
    with pytest.raises(NotFound):
        memory.get(saved.id)
    assert (contents(memory, "demo"), contents(memory, "other")) == ([], ["one"])
    assert memory.row(pointer_key(saved.id))["state"] == "trash"
    memory.delete(saved.id, hard=True)
    assert contents(memory, "other") == []


@MOMENTS
def test_a_change_during_a_move_is_made_where_it_is(memory, table):
    saved = memory.save("one")
    after = while_moved(memory, table).change(LOCAL, saved.id, ObservationChange(content="two"))
    assert (after.content, after.project) == ("two", "other")
    assert after == memory.get(saved.id)


@MOMENTS
def test_what_was_superseded_is_given_back_during_a_move(memory, table):
    saved = memory.save("one")
    while_moved(memory, table).change(LOCAL, saved.id, ObservationChange(superseded=False))
    assert memory.get(saved.id).project == "other"
    (row,) = [row for row in memory.rows(project_pk("other")) if "content" in row]
    assert row["stands"] is True


def test_of_two_deletes_of_one_observation_the_second_is_not_found(memory):
    saved = memory.save("one")
    late = meddle(memory, lambda: memory.delete(saved.id, hard=True))
    with pytest.raises(NotFound):
        late.delete(LOCAL, saved.id, hard=False)
