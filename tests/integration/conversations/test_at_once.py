"""Many writers of one conversation: as threads over either store, and at a server of several processes."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from strata.bootstrap import Application
from strata.domain.errors import OwnedByAnother, TooLarge
from strata.domain.times import DAY
from strata.domain.wire.working_memory import WorkingMemoryChange
from strata.domain.working_memory import MAX_BYTES, MAX_SIZE, as_object
from strata.services.records.conversations import SHARDS, head_key, ledger_key
from support import simultaneous
from support.memory import LOCAL
from support.served_api import served

FIELDS, MARKS = 50, 100
CONVERSATION = "c1"


def at_once(call: Callable[[int], Any], count: int) -> list[Any]:
    return simultaneous.at_once(call, count, OwnedByAnother, TooLarge)


def put(app: Application, user_id: Any = None, **fields: Any) -> dict[str, Any]:
    change = WorkingMemoryChange.model_validate(fields)
    return json.loads(as_object(app.conversations.working_memory.put(LOCAL, CONVERSATION, change, user_id)))


def get(app: Application) -> dict[str, Any]:
    return json.loads(as_object(app.conversations.working_memory.get(LOCAL, CONVERSATION)))


def whole(app: Application) -> tuple[int, int]:
    """The size that the head says, and that of what it holds."""
    head = app.stores.table.get(LOCAL, head_key(CONVERSATION))
    return head["size"] + 1, len(
        as_object(app.conversations.working_memory.get(LOCAL, CONVERSATION)).encode()
    )


@pytest.mark.parametrize("there", [False, True])
def test_puts_of_many_different_fields_are_all_kept(app, there):
    if there:
        put(app, before=1)
    answers = at_once(lambda place: put(app, **{f"field{place}": {"n": place / 2}}), FIELDS)
    expected = {f"field{place}": {"n": place / 2} for place in range(FIELDS)}
    assert get(app) == expected | ({"before": 1} if there else {})
    assert all(answer[f"field{place}"] == {"n": place / 2} for place, answer in enumerate(answers))
    assert len(set(whole(app))) == 1


def test_puts_of_one_field_leave_the_value_of_one_of_them(app):
    answers = at_once(lambda place: put(app, shared=place, **{f"own{place}": 1}), 20)
    assert [answer["shared"] for answer in answers] == list(range(20))
    assert get(app)["shared"] in range(20)
    assert len(get(app)) == 21
    assert len(set(whole(app))) == 1


def test_of_puts_that_fit_one_by_one_only_as_many_are_taken_as_fit_together(app):
    answers = at_once(lambda place: put(app, **{f"field{place}": "x" * (MAX_BYTES // 8)}), 16)
    assert Counter(isinstance(answer, TooLarge) for answer in answers) == {False: 7, True: 9}
    assert len(get(app)) == 7
    assert len(set(whole(app))) == 1


def test_puts_and_deletes_at_once_count_every_field_once(app):
    put(app, **{f"field{place}": place for place in range(40)})
    deleted = at_once(
        lambda place: app.conversations.working_memory.delete(
            LOCAL, CONVERSATION, [f"field{n}" for n in range(40)]
        ),
        8,
    )
    assert sum(deleted) == 40
    assert get(app) == {}
    assert whole(app) == (1, 2)


def test_a_put_of_very_many_fields_touches_every_shard_and_is_taken(app):
    names = [f"a-name-of-some-length-{number}" for number in range(1500)]
    assert len(put(app, **dict.fromkeys(names, 1))) == 1500
    assert len(put(app, **dict.fromkeys(names, 2))) == 1500
    head = app.stores.table.get(LOCAL, head_key(CONVERSATION))
    assert all(f"s{number}" in head for number in range(SHARDS))
    assert app.conversations.working_memory.delete(LOCAL, CONVERSATION, names[:750]) == 750
    assert app.conversations.working_memory.delete(LOCAL, CONVERSATION) == 750


def test_a_full_working_memory_is_kept_to_the_byte(app):
    full = {"a": "é" * 20_000, "\x00": "😀" * 6_000}
    left = (
        MAX_SIZE
        - len(as_object(WorkingMemoryChange.model_validate(full).texts).encode())
        - len(',"b":""')
        + 1
    )
    put(app, **full, b="x" * left)
    assert whole(app) == (MAX_BYTES, MAX_BYTES)
    with pytest.raises(TooLarge):
        put(app, b="x" * (left + 1))
    assert get(app) == full | {"b": "x" * left}


def test_of_many_marks_of_one_item_exactly_one_makes_it(app):
    marked = at_once(
        lambda place: app.conversations.ledger.mark(LOCAL, CONVERSATION, "item", f"{place}"), MARKS
    )
    assert Counter(marked) == {True: 1, False: MARKS - 1}
    assert app.conversations.ledger.items(LOCAL, CONVERSATION) == {"item": f"{marked.index(True)}"}


def test_an_item_is_marked_once_between_two_evictions(app):
    for _ in range(3):
        marked = at_once(lambda place: app.conversations.ledger.mark(LOCAL, CONVERSATION, "item"), 20)
        assert Counter(marked)[True] == 1
        evicted = at_once(lambda place: app.conversations.ledger.evict(LOCAL, CONVERSATION, "item"), 20)
        assert Counter(evicted)[True] == 1


def test_of_batches_that_overlap_each_item_is_new_in_one(app):
    def batch(place: int) -> set[str]:
        return app.conversations.ledger.mark_many(
            LOCAL, CONVERSATION, [f"item{place + n}" for n in range(30)]
        )

    new = [item for batch in at_once(batch, 20) for item in batch]
    assert sorted(new) == sorted({f"item{n}" for n in range(49)})
    assert set(app.conversations.ledger.items(LOCAL, CONVERSATION)) == set(new)


def test_of_many_users_one_gets_the_conversation(app):
    def claim(place: int) -> Any:
        if place % 2:
            return put(app, f"user{place}", **{f"field{place}": place})
        return app.conversations.ledger.mark(LOCAL, CONVERSATION, f"item{place}", user_id=f"user{place}")

    answers = at_once(claim, 30)
    assert Counter(isinstance(answer, OwnedByAnother) for answer in answers) == {True: 29, False: 1}
    assert len(get(app)) + len(app.conversations.ledger.items(LOCAL, CONVERSATION)) == 1


def test_what_is_past_its_time_is_gone_while_it_is_still_stored(app):
    put(app, a=1, ttl_seconds=60)
    app.conversations.ledger.mark(LOCAL, CONVERSATION, "item")
    app.clock.forward(65)
    assert get(app) == {}
    assert app.conversations.ledger.items(LOCAL, CONVERSATION) == {}
    assert not app.conversations.ledger.check(LOCAL, CONVERSATION, "item")
    answers = at_once(lambda place: put(app, **{f"field{place}": place}), 10)
    assert all("a" not in answer for answer in answers)
    assert get(app) == {f"field{place}": place for place in range(10)}
    assert not app.conversations.ledger.check(LOCAL, CONVERSATION, "item")
    assert (
        Counter(at_once(lambda _: app.conversations.ledger.mark(LOCAL, CONVERSATION, "item"), 20))[True] == 1
    )


def test_a_ledger_is_renewed_as_long_as_its_conversation_is_used(app):
    items = [f"item{number}" for number in range(150)]
    put(app, ttl_seconds=30 * DAY)
    app.conversations.ledger.mark_many(LOCAL, CONVERSATION, items)
    for _ in range(5):
        app.clock.forward(29 * DAY)
        get(app)
    assert app.conversations.ledger.mark_many(LOCAL, CONVERSATION, items) == set()
    row = app.stores.table.get(LOCAL, ledger_key(CONVERSATION, "item7"))
    assert row["expires_at"] > app.stores.table.get(LOCAL, head_key(CONVERSATION))["expires_at"]


def test_a_server_of_several_processes_keeps_every_field_and_marks_an_item_once(tmp_path):
    with served(tmp_path) as api:
        path = f"/working-memory/{CONVERSATION}"

        def write(place: int) -> bool:
            assert api.put(path, json={f"field{place}": place + 0.5}).status_code == 200
            return api.post(f"/ledger/{CONVERSATION}/mark", json={"item": "item"}).json()["marked"]

        def mark(_: int) -> bool:
            return api.post(f"/ledger/{CONVERSATION}/mark", json={"item": "another"}).json()["marked"]

        with ThreadPoolExecutor(16) as threads:
            assert sum(threads.map(write, range(FIELDS))) == 1
            assert sum(threads.map(mark, range(MARKS))) == 1
        assert api.get(path).json() == {f"field{place}": place + 0.5 for place in range(FIELDS)}
