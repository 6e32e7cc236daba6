"""The injection ledger: an item is marked once in the life of its conversation."""

import json
from dataclasses import replace

import pytest

from strata.domain.errors import Conflict, OwnedByAnother
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.working_memory import MAX_TTL, WorkingMemoryChange
from strata.services.conversations.ledger import AT_ONCE, Ledger
from strata.services.conversations.life import ConversationLife
from strata.services.records.conversations import head_key, ledger_key
from support.api import client
from support.memory import LOCAL, Meddled

CONVERSATION = "c1"


@pytest.fixture
def ledger(memory):
    return memory.app.conversations.ledger


def mark(ledger, item="skill:a", value="injected", user_id=None):
    return ledger.mark(LOCAL, CONVERSATION, item, value, user_id)


def check(ledger, item="skill:a"):
    return ledger.check(LOCAL, CONVERSATION, item)


def evict(ledger, item="skill:a", user_id=None):
    return ledger.evict(LOCAL, CONVERSATION, item, user_id)


def items(ledger):
    return ledger.items(LOCAL, CONVERSATION)


def put(memory, **fields):
    change = WorkingMemoryChange.model_validate(fields)
    return memory.app.conversations.working_memory.put(LOCAL, CONVERSATION, change)


def meddled(memory, happening):
    """A ledger to which something happens between its first read and its first write."""
    return Ledger(
        Meddled(memory.app.stores.table, happening),
        memory.app.clock,
        memory.app.conversations.life,
        memory.app.people.ownership,
        memory.app.stores.parallel,
    )


def test_an_item_is_marked_once(ledger):
    assert not check(ledger)
    assert mark(ledger)
    assert not mark(ledger)
    assert check(ledger)
    assert mark(ledger, "skill:b", "1")
    assert items(ledger) == {"skill:b": "1", "skill:a": "injected"}


def test_a_second_mark_leaves_the_value(ledger):
    mark(ledger, value="1")
    assert not mark(ledger, value="2")
    assert items(ledger) == {"skill:a": "1"}


def test_an_evicted_item_can_be_marked_again(ledger):
    assert not evict(ledger)
    mark(ledger)
    assert evict(ledger)
    assert not evict(ledger)
    assert not check(ledger)
    assert items(ledger) == {}
    assert mark(ledger)


def test_looking_makes_no_conversation(memory, ledger):
    assert items(ledger) == {}
    assert not check(ledger)
    assert not evict(ledger)
    assert memory.rows("SESSION#c1") == []


@pytest.mark.parametrize(
    "item", ["x", "observations:17", "a#b", "a%23b", "漢" * 200, "WORKING", "SESSION", "😀 "]
)
def test_an_item_may_have_any_name(ledger, item):
    mark(ledger, "x#")
    assert mark(ledger, item)
    assert check(ledger, item)
    assert items(ledger)[item] == "injected"
    assert evict(ledger, item)
    assert items(ledger) == {"x#": "injected"}


def test_conversations_have_ledgers_of_their_own(ledger):
    mark(ledger)
    for other in ("c", "c1#LEDGER", "c2"):
        assert not ledger.check(LOCAL, other, "skill:a")
        assert ledger.mark(LOCAL, other, "skill:a")


def test_working_memory_and_ledger_do_not_touch_each_other(memory, ledger):
    put(memory, a=1)
    mark(ledger)
    memory.app.conversations.working_memory.delete(LOCAL, CONVERSATION)
    assert items(ledger) == {"skill:a": "injected"}
    evict(ledger)
    put(memory, b=2)
    assert memory.app.conversations.working_memory.get(LOCAL, CONVERSATION) == {"b": "2"}


def test_an_eviction_that_another_overtakes_finds_nothing(memory, ledger):
    mark(ledger)
    late = meddled(memory, lambda: evict(ledger))
    assert not evict(late)


# --- many -----------------------------------------------------------------------------------------


def test_of_many_items_the_new_ones_are_told(ledger):
    mark(ledger, "b")
    assert ledger.mark_many(LOCAL, CONVERSATION, ["a", "b", "c", "a"], value="1") == {"a", "c"}
    assert items(ledger) == {"a": "1", "c": "1", "b": "injected"}
    assert ledger.mark_many(LOCAL, CONVERSATION, ["a", "b"]) == set()
    assert ledger.mark_many(LOCAL, CONVERSATION, []) == set()


def test_more_than_a_transaction_holds_are_marked_in_several(ledger):
    many = [f"item{number}" for number in range(AT_ONCE * 2 + 1)]
    assert ledger.mark_many(LOCAL, CONVERSATION, many, user_id="ann") == set(many)
    assert set(items(ledger)) == set(many)


@pytest.mark.parametrize("there", [False, True])
def test_what_others_mark_meanwhile_is_theirs_and_the_rest_is_ours(memory, ledger, there):
    if there:
        put(memory, a=1)
    late = meddled(memory, lambda: mark(ledger, "b"))
    assert late.mark_many(LOCAL, CONVERSATION, ["a", "b", "c"]) == {"a", "c"}
    assert set(items(ledger)) == {"a", "b", "c"}


def test_who_never_gets_a_turn_is_told_so(memory, ledger, monkeypatch, clock):
    monkeypatch.setattr("strata.services.table.retry.ATTEMPTS", 3)

    class Contended(Meddled):
        def transact(self, scope, actions):
            put(memory, a=1)  # each time a life anew
            try:
                super().transact(scope, actions)
            finally:
                clock.forward(2 * DAY)

    late = Ledger(
        Contended(memory.app.stores.table, lambda: None),
        clock,
        memory.app.conversations.life,
        memory.app.people.ownership,
        memory.app.stores.parallel,
    )
    with pytest.raises(Conflict):
        late.mark_many(LOCAL, CONVERSATION, ["a", "b"])
    assert items(ledger) == {}


# --- time -----------------------------------------------------------------------------------------


def test_the_ledger_ends_with_its_conversation_and_begins_anew_with_it(memory, ledger, clock):
    mark(ledger)
    mark(ledger, "skill:b")
    clock.forward(DAY + 2)
    assert not check(ledger)
    assert items(ledger) == {}
    assert not evict(ledger)
    put(memory, a=1)
    assert not check(ledger)
    assert items(ledger) == {}
    assert not evict(ledger)
    assert mark(ledger)
    assert not mark(ledger)
    assert items(ledger) == {"skill:a": "injected"}


@pytest.mark.parametrize("way", ["check", "items", "evict", "mark", "mark another", "put", "get"])
def test_whatever_is_done_with_a_conversation_keeps_its_ledger(memory, ledger, clock, way):
    def use():
        if way == "check":
            check(ledger)
        elif way == "items":
            items(ledger)
        elif way == "evict":
            evict(ledger, "unknown")
        elif way == "mark":
            mark(ledger)
        elif way == "mark another":
            mark(ledger, f"other{clock.us}")
        elif way == "put":
            put(memory, a=clock.us)
        else:
            memory.app.conversations.working_memory.get(LOCAL, CONVERSATION)

    put(memory, ttl_seconds=DAY)
    mark(ledger)
    for _ in range(5):
        clock.forward(DAY - 10)
        use()
    assert check(ledger)
    assert not mark(ledger)


@pytest.mark.parametrize("ttl", [DAY, MAX_TTL])
def test_a_ledger_lasts_as_long_as_its_conversation_however_long_that_is(memory, ledger, clock, ttl):
    put(memory, ttl_seconds=ttl)
    ledger.mark_many(LOCAL, CONVERSATION, [f"item{number}" for number in range(3)])
    for _ in range(200 * DAY // (ttl - 10)):
        clock.forward(ttl - 10)
        memory.app.conversations.working_memory.get(LOCAL, CONVERSATION)
        if clock.us % 3 == 0:
            evict(ledger, "item2")
    assert check(ledger, "item0")
    assert not mark(ledger, "item1")
    head = memory.row(head_key(CONVERSATION))
    row = memory.row(ledger_key(CONVERSATION, "item0"))
    assert head["expires_at"] <= head["kept_until"] <= row["expires_at"]


def test_an_item_that_is_marked_while_the_others_are_renewed_is_kept_as_long(memory, ledger, clock):
    def renewed_a_while_later():
        clock.forward(600)
        put(memory, ttl_seconds=MAX_TTL)

    put(memory, a=1)
    for _ in range(59):
        clock.forward(DAY - 10)
        memory.app.conversations.working_memory.get(LOCAL, CONVERSATION)
    kept_until = memory.row(head_key(CONVERSATION))["kept_until"]
    assert meddled(memory, renewed_a_while_later).mark(LOCAL, CONVERSATION, "item")
    head = memory.row(head_key(CONVERSATION))
    assert kept_until < head["kept_until"] <= memory.row(ledger_key(CONVERSATION, "item"))["expires_at"]


def test_what_is_evicted_while_the_others_are_renewed_stays_away(memory, ledger, clock):
    put(memory, ttl_seconds=MAX_TTL)
    ledger.mark_many(LOCAL, CONVERSATION, ["a", "b"])
    clock.forward(MAX_TTL - 10)
    memory.app.conversations.working_memory.get(LOCAL, CONVERSATION)
    clock.forward(MAX_TTL - 10)
    table = Meddled(memory.app.stores.table, lambda: evict(ledger, "a"))
    renewing = ConversationLife(table, clock, ttl_seconds=DAY)
    renewing.refresh(LOCAL, CONVERSATION, memory.row(head_key(CONVERSATION)))
    assert memory.row(ledger_key(CONVERSATION, "a")) is None
    assert items(ledger) == {"b": "injected"}


def test_a_mark_in_a_life_that_ended_meanwhile_is_one_of_the_new_life(memory, ledger, clock):
    put(memory, ttl_seconds=60)

    def ends_and_begins_anew():
        clock.forward(120)
        put(memory, b=1)

    put(memory, ttl_seconds=60)
    clock.forward(58)
    late = meddled(memory, ends_and_begins_anew)
    assert late.mark(LOCAL, CONVERSATION, "skill:a")
    assert check(ledger)


def test_a_value_that_is_sent_again_as_its_conversation_ends_makes_no_row(memory, ledger, clock):
    class Ending:
        """The conversation ends before the head is read by itself."""

        def get(self, scope, key):
            clock.forward(MAX_TTL + 200 * DAY)
            return memory.app.stores.table.get(scope, key)

        def __getattr__(self, name):
            return getattr(memory.app.stores.table, name)

    mark(ledger, value="1")
    assert not replace(ledger, table=Ending()).mark(LOCAL, CONVERSATION, "skill:a", "2", again=True)
    assert memory.row(ledger_key(CONVERSATION, "skill:a")) is None


def test_marking_in_a_living_conversation_writes_the_item_alone(memory, ledger):
    put(memory, a=1)
    before = memory.row(head_key(CONVERSATION))
    mark(ledger)
    assert memory.row(head_key(CONVERSATION)) == before


# --- whose it is, and whether it is kept ----------------------------------------------------------


def test_the_first_user_owns_the_conversation(memory, ledger):
    assert mark(ledger)
    assert not mark(ledger, user_id="ann")
    for call in (
        lambda: mark(ledger, "skill:b", user_id="bob"),
        lambda: mark(ledger, user_id="bob"),
        lambda: evict(ledger, user_id="bob"),
        lambda: memory.start(CONVERSATION, user_id="bob"),
    ):
        with pytest.raises(OwnedByAnother):
            call()
    assert evict(ledger)
    assert items(ledger) == {}


def test_a_mark_that_another_user_overtakes_is_refused_and_marks_nothing(memory, ledger):
    late = meddled(memory, lambda: memory.save("a fact", session_id=CONVERSATION, user_id="bob"))
    with pytest.raises(OwnedByAnother):
        late.mark(LOCAL, CONVERSATION, "skill:a", user_id="ann")
    assert not check(ledger)


def test_in_a_session_that_keeps_nothing_everything_is_new(memory, ledger):
    memory.start(CONVERSATION, persist=False)
    assert mark(ledger, "zebra")
    assert mark(ledger, "zebra")
    assert ledger.mark_many(LOCAL, CONVERSATION, ["a", "b"]) == {"a", "b"}
    assert not check(ledger, "zebra")
    assert items(ledger) == {}
    assert not evict(ledger, "zebra")
    kept = b"".join(path.read_bytes() for path in memory.app.stores.database.path.parent.iterdir())
    assert b"zebra" not in kept


def test_of_a_ledger_that_no_answer_holds_the_newest_items_are_given(memory, ledger, tmp_path):
    many = [f"{number:04}" + "😀" * 196 for number in range(3000)]
    ledger.mark_many(LOCAL, CONVERSATION, many, value="😀" * 200)
    with client(memory.app) as api:
        response = api.get(f"/ledger/{CONVERSATION}")
    left_out = int(response.headers["strata-left-out"])
    assert left_out > 0
    assert set(response.json()) == set(many[left_out:])
    assert len(json.dumps(response.text)) <= 6_000_000


def test_a_value_that_is_sent_again_is_stored_and_the_item_stays_marked(memory):
    with client(memory.app) as api:

        def marked(conversation, **body):
            answer = api.post(f"/ledger/{conversation}/mark", json={"item": "skill:a"} | body)
            return answer.json().get("marked", answer.status_code)

        assert marked("c1", value="turn 1", user_id="ann")
        assert marked("c2", value="of another", user_id="bob")
        assert marked("c1") is False
        assert api.get("/ledger/c1").json() == {"skill:a": "turn 1"}, "no value was sent"
        assert marked("c1", value="turn 2") is False
        assert marked("c1", value="theirs", user_id="bob") == 409
        assert api.get("/ledger/c1").json() == {"skill:a": "turn 2"}
        assert api.get("/ledger/c2").json() == {"skill:a": "of another"}
        api.post("/ledger/c1/evict", json={"item": "skill:a"})
        assert marked("c1", value="turn 3")
    other = Ledger.items(memory.app.conversations.ledger, Scope("globex"), "c1")
    assert other == {}
