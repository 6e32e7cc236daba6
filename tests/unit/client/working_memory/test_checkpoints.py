import asyncio
import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.client import StrataClientError
from strata.client.working_memory import (
    AsyncCheckpointField,
    Checkpoint,
    CheckpointError,
    CheckpointField,
    CheckpointFile,
    Message,
    WorkingMemory,
)
from support.fake_working_memory import AsyncFakeFields, FakeFields
from support.message_histories import answering, calling, histories

TALK = [
    Message.of("user", "Deploy it."),
    calling(["1"]),
    answering(["1"], "done"),
    Message.of("assistant", "Done."),
]


def filled() -> WorkingMemory:
    memory = WorkingMemory(TALK, session_id="s1")
    memory.tool_meta["1"] = {"icon": "rocket"}
    memory.delegation("g1").expect("1", {"agent": "worker"})
    return memory


def same(one: WorkingMemory, other: WorkingMemory) -> bool:
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("messages", "tokens", "session_id", "tool_meta", "delegations")
    )


def long(turns: int, characters: int = 1_000) -> list[Message]:
    return [
        Message.of(role, f"{turn} " + "x" * characters)
        for turn in range(turns)
        for role in ("user", "assistant")
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agent" / "checkpoint.json"


# --- a file ---------------------------------------------------------------------------------------


def test_an_agent_goes_on_where_it_was(path):
    memory = filled()
    memory.checkpoint(path)
    restored = WorkingMemory()
    assert restored.restore(str(path))
    assert same(restored, memory)


def test_a_summary_is_restored_as_one(path):
    memory = WorkingMemory(TALK, max_messages=1, preserve_recent=1)
    memory.summarize_older()
    memory.checkpoint(path)
    restored = WorkingMemory()
    restored.restore(path)
    assert same(restored, memory)
    assert restored.messages[0].digest == memory.messages[0].digest


@given(history=histories)
def test_any_history_comes_back(history, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "any.json"
    memory = WorkingMemory(history)
    memory.checkpoint(path)
    restored = WorkingMemory()
    assert restored.restore(path)
    assert same(restored, memory)


def test_half_a_surrogate_pair_comes_back(path):
    memory = WorkingMemory([Message.of("user", "\ud83d is half a smile, é is whole")])
    memory.checkpoint(path)
    restored = WorkingMemory()
    assert restored.restore(path)
    assert same(restored, memory)


def test_without_a_checkpoint_the_memory_stays_as_it_is(path):
    memory = filled()
    outcome = memory.restore(path)
    assert not outcome
    assert not outcome.problem
    assert same(memory, filled())


def test_the_last_checkpoint_is_the_one_that_counts_and_nothing_else_is_left(path):
    memory = filled()
    memory.checkpoint(path)
    memory.add(Message.of("user", "And now?"))
    memory.checkpoint(path)
    restored = WorkingMemory()
    restored.restore(path)
    assert same(restored, memory)
    assert [each.name for each in path.parent.iterdir()] == ["checkpoint.json"]


def test_nobody_else_may_read_it(path):
    filled().checkpoint(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
def test_a_failure_on_the_way_leaves_the_old_checkpoint_alone(path, step, monkeypatch):
    filled().checkpoint(path)
    with monkeypatch.context() as patched:
        patched.setattr(step, lambda *given: (_ for _ in ()).throw(OSError("no space left")))
        with pytest.raises(OSError, match="no space left"):
            WorkingMemory(long(3)).checkpoint(path)
    restored = WorkingMemory()
    assert restored.restore(path)
    assert same(restored, filled())
    assert [each.name for each in path.parent.iterdir()] == ["checkpoint.json"]


def test_what_writers_left_who_died_long_ago_is_swept_away(path):
    filled().checkpoint(path)
    old, new = path.with_name(".checkpoint.json.a.tmp"), path.with_name(".checkpoint.json.b.tmp")
    for left in (old, new):
        left.write_text("{")
    os.utime(old, (0, 0))
    filled().checkpoint(path)
    assert not old.exists()
    assert new.exists()


def test_what_is_no_json_is_refused_and_the_old_checkpoint_stays(path):
    filled().checkpoint(path)
    memory = filled()
    for value in (float("nan"), {1, 2}):
        memory.tool_meta["1"] = value
        with pytest.raises(CheckpointError, match="can't be written as JSON"):
            memory.checkpoint(path)
    assert WorkingMemory().restore(path)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("session_id", 7, "session_id must be a string"),
        ("delegations", {"g1": ["1"]}, "delegations.g1 must be an object"),
    ],
)
def test_what_could_not_be_restored_is_refused_when_it_is_written(path, field, value, problem):
    filled().checkpoint(path)
    memory = filled()
    setattr(memory, field, value)
    for place in (path, CheckpointField(FakeFields({}), "c1")):
        with pytest.raises(CheckpointError, match=problem):
            memory.checkpoint(place)
    assert WorkingMemory().restore(path)


def good() -> dict:
    return json.loads(json.dumps(Checkpoint(tuple(TALK), "s1", {"1": 1}, {"g1": {}}).to_dict()))


CORRUPT = {
    "truncated": json.dumps(good())[:-20],
    "empty": "",
    "binary": "\x00\x01",
    "of a later version": json.dumps(good() | {"version": 2}),
    "without a version": json.dumps({"messages": []}),
    "a list": "[]",
    "messages that are none": json.dumps(good() | {"messages": ["hello"]}),
    "a message without a role": json.dumps(good() | {"messages": [{"parts": []}]}),
    "a session id that is a number": json.dumps(good() | {"session_id": 7}),
    "tool metadata that is a list": json.dumps(good() | {"tool_meta": []}),
    "a delegation group that is a text": json.dumps(good() | {"delegations": {"g1": "waiting"}}),
    "a digest that is none": json.dumps(good() | {"messages": [{"role": "user", "digest": {"asked": [1]}}]}),
    "too deep": "[" * 100_000,
}


@pytest.mark.parametrize("content", CORRUPT.values(), ids=CORRUPT.keys())
def test_a_corrupt_checkpoint_is_set_aside_and_said_so(path, content, caplog):
    path.parent.mkdir()
    path.write_text(content)
    memory = filled()
    outcome = memory.restore(path)
    assert not outcome
    assert outcome.problem
    assert same(memory, filled())
    aside = Path(outcome.set_aside)
    assert aside.name.startswith("checkpoint.json.corrupt-")
    assert aside.read_text() == content
    assert not path.exists()
    assert "set aside" in caplog.text
    memory.checkpoint(path)
    assert WorkingMemory().restore(path)


@given(st.binary(max_size=200))
def test_no_bytes_at_all_make_a_restore_fail(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "bytes.json"
    path.write_bytes(content)
    assert not WorkingMemory().restore(path)


def test_one_that_can_not_be_set_aside_is_not_fatal_either(path, monkeypatch, caplog):
    path.parent.mkdir()
    path.write_text("{")
    monkeypatch.setattr(Path, "replace", lambda *given: (_ for _ in ()).throw(PermissionError("read-only")))
    outcome = WorkingMemory().restore(path)
    assert not outcome
    assert outcome.problem
    assert not outcome.set_aside
    assert "nor set aside" in caplog.text


def test_a_link_to_the_file_stays_a_link(path, tmp_path):
    kept = tmp_path / "kept" / "agent.json"
    kept.parent.mkdir()
    path.parent.mkdir()
    path.symlink_to(kept)
    filled().checkpoint(path)
    assert path.is_symlink()
    restored = WorkingMemory()
    assert restored.restore(kept)
    assert same(restored, filled())
    kept.write_text("{")
    outcome = WorkingMemory().restore(path)
    assert not outcome
    assert Path(outcome.set_aside).parent == kept.parent
    assert path.is_symlink()


def test_files_can_be_awaited(path):
    async def go():
        await filled().acheckpoint(path)
        restored = WorkingMemory()
        return await restored.arestore(path), restored

    outcome, restored = asyncio.run(go())
    assert outcome
    assert same(restored, filled())


# --- the service ----------------------------------------------------------------------------------


def test_the_service_keeps_it_in_one_field_beside_the_others():
    service = FakeFields({"scratchpad": "notes"})
    place = CheckpointField(service, "c1", ttl_seconds=900, user_id="ann")
    filled().checkpoint(place)
    restored = WorkingMemory()
    assert restored.restore(place)
    assert same(restored, filled())
    assert service.fields["scratchpad"] == "notes"
    assert service.puts == [("c1", {"checkpoint"}, 900, "ann")]


def test_an_asynchronous_client_keeps_it_as_well():
    async def go():
        place = AsyncCheckpointField(AsyncFakeFields({}), "c1")
        memory = WorkingMemory(long(60))
        await memory.acheckpoint(place)
        restored = WorkingMemory()
        return await restored.arestore(place), restored

    outcome, restored = asyncio.run(go())
    assert outcome.left_out
    assert restored.messages[-1].text == long(60)[-1].text


def test_without_a_checkpoint_in_the_service_there_is_nothing_to_restore():
    outcome = WorkingMemory().restore(CheckpointField(FakeFields({}), "c1"))
    assert not outcome
    assert not outcome.problem


def test_of_what_does_not_fit_the_newest_part_is_kept():
    service = FakeFields({"scratchpad": "y" * 20_000})
    memory = WorkingMemory(long(60), session_id="s1")
    memory.checkpoint(CheckpointField(service, "c1"))
    assert service.size <= 65_536
    restored = WorkingMemory()
    outcome = restored.restore(CheckpointField(service, "c1"))
    assert outcome
    assert outcome.left_out == 120 - len(restored)
    assert restored.messages == memory.messages[-len(restored) :]
    assert restored.messages[0].is_request
    assert service.size > 60_000
    assert len(memory) == 120


def test_it_also_fits_when_other_fields_leave_little_room():
    service = FakeFields({"scratchpad": "y" * 40_000})
    WorkingMemory(long(20)).checkpoint(CheckpointField(service, "c1"))
    assert 60_000 < service.size <= 65_536


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(st.sampled_from(["user", "assistant"]), st.integers(0, 20_000)), min_size=1, max_size=8
    ),
    st.sampled_from(["x", "é", "\ud83d", '"', "\x00"]),
    st.integers(0, 3_000),
)
def test_whatever_is_in_it_it_fits_or_the_old_one_stays(history, letter, meta):
    service = FakeFields({"checkpoint": "the old one"})
    calls = [calling([str(place)]) for place in range(len(history))]
    said = [Message.of(role, letter * length) for role, length in history]
    memory = WorkingMemory(
        [each for pair in zip(calls, said, strict=True) for each in pair], max_history_tokens=None
    )
    memory.tool_meta = {str(place): letter * meta for place in range(len(history))}
    try:
        memory.checkpoint(CheckpointField(service, "c1"))
    except CheckpointError:
        assert service.fields["checkpoint"] == "the old one"
        assert history[-1][1] * len(json.dumps(letter)) > 60_000
    else:
        restored = WorkingMemory()
        assert restored.restore(CheckpointField(service, "c1"))
        assert restored.messages[-1] == memory.messages[-1]


def test_a_last_turn_that_does_not_fit_is_refused_and_the_old_checkpoint_stays():
    service = FakeFields({})
    filled().checkpoint(CheckpointField(service, "c1"))
    with pytest.raises(CheckpointError, match="the last turn does not fit"):
        WorkingMemory([Message.of("user", "x" * 70_000)]).checkpoint(CheckpointField(service, "c1"))
    assert WorkingMemory().restore(CheckpointField(service, "c1"))


def test_a_corrupt_checkpoint_of_the_service_is_moved_to_a_field_of_its_own(caplog):
    service = FakeFields({"checkpoint": {"version": 2}, "scratchpad": "notes"})
    outcome = WorkingMemory().restore(CheckpointField(service, "c1"))
    assert not outcome
    assert outcome.problem == "version is 2, and only 1 can be read"
    assert outcome.set_aside == "checkpoint.corrupt"
    assert service.fields == {
        "checkpoint": None,
        "checkpoint.corrupt": {"version": 2},
        "scratchpad": "notes",
    }
    assert "set aside" in caplog.text


def test_a_corrupt_checkpoint_without_room_to_move_stays_and_is_not_fatal(caplog):
    service = FakeFields({"checkpoint": "x" * 65_500})
    outcome = WorkingMemory().restore(CheckpointField(service, "c1"))
    assert not outcome
    assert outcome.problem
    assert not outcome.set_aside
    assert "no room" in caplog.text


def test_what_was_set_aside_makes_room_for_a_new_checkpoint():
    service = FakeFields({"checkpoint.corrupt": "x" * 60_000})
    WorkingMemory(long(15)).checkpoint(CheckpointField(service, "c1"))
    assert service.fields["checkpoint.corrupt"] is None
    assert service.fields["checkpoint"]["left_out"] == 0


def test_a_service_that_is_away_is_told_to_the_caller():
    service = FakeFields({}, failing=StrataClientError(503, "unavailable", "the store is away"))
    with pytest.raises(StrataClientError, match="the store is away"):
        filled().checkpoint(CheckpointField(service, "c1"))
    with pytest.raises(StrataClientError, match="the store is away"):
        WorkingMemory().restore(CheckpointField(service, "c1"))


# --- groups of delegated work ---------------------------------------------------------------------


def test_a_group_knows_what_is_awaited_and_what_came_back():
    memory = WorkingMemory()
    group = memory.delegation("g1")
    group.expect("1", {"agent": "worker"})
    group.expect("2")
    assert group.settle("1", "done")
    assert dict(group.pending) == {"2": None}
    assert dict(group.results) == {"1": "done"}
    assert not group.is_settled
    assert group.settle("2")
    assert group.is_settled
    assert memory.delegation("g1").is_settled


def test_a_result_that_nobody_awaits_changes_nothing():
    memory = WorkingMemory()
    group = memory.delegation("g1")
    assert not group.settle("1", "late")
    assert memory.delegations == {"g1": {}}


def test_what_else_a_group_holds_is_the_agents_own():
    memory = WorkingMemory()
    memory.delegations["g1"] = {"mode": "parallel", "pending": {"1": None}}
    memory.delegation("g1").settle("1", 4)
    assert memory.delegations["g1"] == {"mode": "parallel", "pending": {}, "results": {"1": 4}}


def test_a_place_of_ones_own_will_do(path):
    place = CheckpointFile(path)
    filled().checkpoint(place)
    assert place.read().checkpoint.session_id == "s1"
