"""Many writers at once, as threads over one store and as processes over one file."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from strata.domain.dedup import normalized_hash
from strata.domain.errors import Conflict, DuplicateContent, NotFound, OwnedByAnother
from strata.services.records.observations import hash_key, project_pk
from support import simultaneous
from support.memory import LOCAL, Memory, application

MANY = 100
TESTS = Path(__file__).parents[2]

WORKER = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from support.memory import Memory, application
memory = Memory(application(Path(sys.argv[2])))
print("ready", flush=True)
sys.stdin.readline()
saved = [memory.save(**each) for each in json.loads(sys.argv[3])]
print(json.dumps([each.model_dump() for each in saved]))
"""


@pytest.fixture
def memory(tmp_path):
    """The services on the real clock."""
    app = application(tmp_path)
    yield Memory(app)
    app.close()


def at_once(call: Callable[[int], Any], count: int = MANY) -> list[Any]:
    return simultaneous.at_once(call, count, Conflict, NotFound)


def in_processes(folder: Path, saves: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The results of every process's saves; the processes begin together."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(TESTS), str(folder), json.dumps(own)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for own in saves
    ]
    for process in started:
        assert process.stdout.readline() == "ready\n"
    for process in started:
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=60)[0] for process in started]
    assert [process.returncode for process in started] == [0] * len(started)
    return [saved for answer in answers for saved in json.loads(answer)]


def observations(memory: Memory) -> list[dict[str, Any]]:
    return [row for row in memory.rows(project_pk("demo")) if "content" in row]


def test_of_many_identical_saves_one_creates_and_the_others_count(memory):
    saved = at_once(lambda _: memory.save("a fact"))
    assert Counter(each.action for each in saved) == {"created": 1, "deduplicated": MANY - 1}
    assert len({each.id for each in saved}) == 1
    assert sorted(each.duplicate_count for each in saved) == list(range(1, MANY + 1))
    assert [row["duplicate_count"] for row in observations(memory)] == [MANY]


def test_of_many_saves_of_one_topic_one_creates_and_the_others_update(memory):
    saved = at_once(lambda place: memory.save(f"version {place}", topic_key="k"))
    assert Counter(each.action for each in saved) == {"created": 1, "updated": MANY - 1}
    assert len({each.id for each in saved}) == 1
    assert sorted(each.revision_count for each in saved) == list(range(1, MANY + 1))
    (row,) = observations(memory)
    assert row["revision_count"] == MANY
    assert row["normalized_hash"] == normalized_hash(row["content"])


def test_many_different_saves_all_get_an_id_of_their_own(memory):
    saved = at_once(lambda place: memory.save(f"fact {place}"))
    assert {each.action for each in saved} == {"created"}
    assert len({each.id for each in saved}) == len(observations(memory)) == MANY
    assert memory.stats().total_observations == MANY


def test_processes_that_save_the_same_create_it_once(memory, tmp_path):
    same = [{"content": "a fact"}] * 25 + [{"content": "topic", "topic_key": "k"}] * 25
    saved = in_processes(tmp_path, [same] * 4)
    assert Counter(each["action"] for each in saved) == {"created": 2, "deduplicated": 99, "updated": 99}
    for action, count in (("deduplicated", "duplicate_count"), ("updated", "revision_count")):
        assert sorted(each[count] for each in saved if each["action"] == action) == list(range(2, 101))
    assert len(observations(memory)) == 2


def test_ids_are_unique_over_processes(memory, tmp_path):
    own = [[{"content": f"{process} {place}"} for place in range(100)] for process in range(4)]
    ids = [each["id"] for each in in_processes(tmp_path, own)]
    assert len(set(ids)) == 400
    assert sorted(ids) == [row["id"] for row in observations(memory)]


def test_of_many_changes_to_one_content_one_row_gets_it(memory):
    ids = [memory.save(f"fact {place}").id for place in range(20)]
    changed = at_once(lambda place: memory.change(ids[place], content="the same"), 20)
    assert Counter(isinstance(each, DuplicateContent) for each in changed) == {True: 19, False: 1}
    assert [row["content"] for row in observations(memory)].count("the same") == 1


def test_changes_of_one_row_leave_one_content_with_its_guard(memory):
    saved = memory.save("a fact")
    changed = at_once(lambda place: memory.change(saved.id, content=f"version {place}"), 20)
    assert not [each for each in changed if isinstance(each, Exception)]
    (row,) = observations(memory)
    assert memory.save(row["content"]).id == saved.id
    for place in range(20):
        guard = memory.row(hash_key("demo", None, normalized_hash(f"version {place}"), "decision"))
        assert (guard is not None) == (f"version {place}" == row["content"])


def _change_or_save(memory: Memory, other: int, content: str, place: int) -> object:
    return memory.change(other, content=content) if place else memory.save(content)


def test_a_change_and_a_save_of_one_content_leave_one_row_with_it(memory):
    for turn in range(15):
        other = memory.save(f"other {turn}").id
        content = f"the same {turn}"
        at_once(partial(_change_or_save, memory, other, content), 2)
        contents = [row["content"] for row in observations(memory)]
        assert contents.count(content) == 1


def test_a_delete_and_saves_of_one_content_leave_at_most_one_row_and_true_guards(memory):
    for turn in range(15):
        first = memory.save(f"fact {turn}", topic_key=f"k{turn}").id

        def either(place: int, first: int = first, turn: int = turn) -> object:
            if place == 0:
                return memory.delete(first, hard=bool(turn % 2))
            return memory.save(f"fact {turn}", topic_key=f"k{turn}")

        at_once(either, 5)
        live = [
            row
            for row in observations(memory)
            if row["content"] == f"fact {turn}" and "deleted_at" not in row
        ]
        assert len(live) <= 1
        again = memory.save(f"fact {turn}", topic_key=f"k{turn}")
        assert again.action == ("updated" if live else "created")


def test_of_many_starts_of_one_session_all_get_the_same(memory):
    started = at_once(lambda place: memory.start("s1", f"p{place}"))
    assert len({each.model_dump_json() for each in started}) == 1
    assert memory.stats().total_sessions == 1


def test_of_many_users_one_gets_the_session(memory):
    def claim(place: int) -> object:
        if place % 2:
            return memory.start("s1", user_id=f"user{place}")
        return memory.save(f"fact {place}", user_id=f"user{place}")

    answers = at_once(claim, 50)
    assert Counter(isinstance(each, OwnedByAnother) for each in answers) == {True: 49, False: 1}
    owner = memory.start("s1").user_id
    assert {row.get("user_id") for row in observations(memory)} <= {owner}


def test_totals_are_exact_when_many_fold_at_once(memory):
    saved = [memory.save(f"fact {place}") for place in range(40)]
    for each in saved[:10]:
        memory.delete(each.id)
    changed = [change.key for change in memory.app.stores.change_log.read(0, 1000)]
    at_once(lambda _: memory.app.stream.totals.fold(LOCAL, changed), 8)
    assert memory.app.stream.totals.stats(LOCAL, None).total_observations == 30
