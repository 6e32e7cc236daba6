"""Working memory: merged, measured, exact, and gone when its time is over."""

import json
import math

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from strata.domain.errors import Conflict, OwnedByAnother, TooLarge
from strata.domain.times import DAY
from strata.domain.wire.working_memory import MAX_TTL, WorkingMemoryChange
from strata.domain.working_memory import MAX_BYTES, as_object, expiry, noticeable, size_of
from strata.services.conversations.life import KEPT
from strata.services.conversations.working_memory import WorkingMemory
from strata.services.records.conversations import SHARDS, fields_of, head_key, sharded
from support.memory import LOCAL, Meddled, Memory, application, unique

CONVERSATION = "c1"


def put(memory, *, user_id=None, conversation=CONVERSATION, **fields):
    """All fields after these were set, as a client reads them."""
    change = WorkingMemoryChange.model_validate(fields)
    return loaded(memory.app.conversations.working_memory.put(LOCAL, conversation, change, user_id))


def get(memory, conversation=CONVERSATION):
    return loaded(memory.app.conversations.working_memory.get(LOCAL, conversation))


def delete(memory, *names, user_id=None):
    return memory.app.conversations.working_memory.delete(LOCAL, CONVERSATION, names or None, user_id)


def loaded(texts):
    return json.loads(as_object(texts))


def head(memory):
    return memory.row(head_key(CONVERSATION))


def meddled(memory, happening):
    """Working memory to which something happens between its first read and its first write."""
    app = memory.app
    return WorkingMemory(
        Meddled(app.stores.table, happening), app.clock, app.conversations.life, app.people.ownership
    )


# --- fields ---------------------------------------------------------------------------------------


def test_an_unknown_conversation_has_no_fields_and_gets_no_row(memory):
    assert get(memory) == {}
    assert memory.rows("SESSION#c1") == []


def test_a_put_merges_and_gives_all_fields(memory):
    assert put(memory, a=1, b=[1]) == {"a": 1, "b": [1]}
    assert put(memory, b={"x": None}, c="é") == {"a": 1, "b": {"x": None}, "c": "é"}
    assert get(memory) == {"a": 1, "b": {"x": None}, "c": "é"}


def test_null_is_a_value_and_ttl_seconds_is_no_field(memory):
    assert put(memory, a=None, ttl_seconds=60) == {"a": None}
    assert get(memory) == {"a": None}


def test_conversations_are_apart_whatever_their_names_are(memory):
    for number, name in enumerate(["c", "c#WORKING", "c%23WORKING", "C", "c "]):
        put(memory, conversation=name, number=number)
    assert get(memory, "c") == {"number": 0}
    assert get(memory, "c#WORKING") == {"number": 1}
    assert get(memory, "c%23WORKING") == {"number": 2}


def test_named_fields_are_deleted_and_counted_once(memory):
    put(memory, **{"a": 1, "b,c": 2, "d": 3})
    assert delete(memory, "a", "a", "b,c", "unknown") == 2
    assert get(memory) == {"d": 3}
    assert delete(memory, "a") == 0


def test_without_names_all_fields_are_deleted_and_the_life_goes_on(memory):
    put(memory, **{f"f{number}": number for number in range(40)}, ttl_seconds=2 * DAY)
    life = head(memory)["life"]
    assert delete(memory) == 40
    assert get(memory) == {}
    assert (head(memory)["life"], head(memory)["ttl_seconds"], head(memory)["size"]) == (life, 2 * DAY, 0)
    assert delete(memory) == 0


def test_deleting_from_an_unknown_conversation_makes_none(memory):
    assert delete(memory) == delete(memory, "a") == 0
    assert memory.rows("SESSION#c1") == []


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**300), 10**300)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet=st.characters())
    | st.text(alphabet=st.characters(categories=["Cs", "Lu"]), max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(), max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
).map(lambda value: json.loads(json.dumps(value)))  # as it arrives: two halves of a pair become a character
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200)


def same(one, other):
    """Equal, of equal types all the way down: 1 is not 1.0, and -0.0 is not 0.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return one == other and math.copysign(1, one) == math.copysign(1, other)
    return one == other


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fields=st.dictionaries(names.filter(lambda name: name != "ttl_seconds"), values, max_size=6))
@example(fields={"one": 1.0, "minus": -0.0, "tiny": 5e-324, "huge": 10**4000, "half": "\ud800"})
@example(fields={"\x00": "\x00", "\x1f": "\x7f", "model_dump": 1, "texts": 2, "self": 3, "é" * 200: ""})
def test_any_json_comes_back_as_it_went_in(memory, fields):
    conversation = unique("c")
    change = WorkingMemoryChange.model_validate(fields)
    after = loaded(memory.app.conversations.working_memory.put(LOCAL, conversation, change))
    assert same(after, fields)
    put(memory, conversation=conversation, another=1)
    assert same(get(memory, conversation), {**fields, "another": 1})


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, [math.inf], {"a": {"b": math.nan}}, 1e400])
def test_a_number_that_json_does_not_have_is_refused(value):
    with pytest.raises(ValidationError, match="numbers that JSON has"):
        WorkingMemoryChange.model_validate({"a": value})


def test_a_value_that_is_nested_without_end_is_refused():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValidationError, match="nested"):
        WorkingMemoryChange.model_validate({"a": deep})


def test_every_problem_is_named_at_once():
    body = {"": 1, "x" * 201: 2, "bad": math.inf, "ttl_seconds": 0}
    with pytest.raises(ValidationError) as refused:
        WorkingMemoryChange.model_validate(body)
    assert {error["loc"] for error in refused.value.errors()} == {
        ("",), ("x" * 201,), ("bad",), ("ttl_seconds",)
    }  # fmt: skip
    with pytest.raises(ValidationError):
        WorkingMemoryChange.model_validate({"half\ud800": 3})


@pytest.mark.parametrize("ttl", [0, -1, MAX_TTL + 1, 1.5, True, "x", [1], 10**400])
def test_a_time_to_live_is_a_whole_number_of_seconds_up_to_thirty_days(ttl):
    with pytest.raises(ValidationError):
        WorkingMemoryChange.model_validate({"ttl_seconds": ttl})


# --- size -----------------------------------------------------------------------------------------


@given(fields=st.dictionaries(names, values, max_size=8))
def test_the_size_is_that_of_the_whole_object_in_bytes(fields):
    fields.pop("ttl_seconds", None)
    texts = WorkingMemoryChange.model_validate(fields).texts
    assert len(as_object(texts).encode()) == (size_of(texts) + 1 if texts else 2)


def filling(spare=0, sign="x"):
    """A field that leaves so many bytes of an otherwise empty working memory."""
    return sign * (MAX_BYTES - len('{"a":""}') - spare)


def test_sixty_four_kilobytes_are_taken_and_a_byte_more_is_not(memory):
    assert put(memory, a=filling()) == {"a": filling()}
    assert (
        len(as_object(memory.app.conversations.working_memory.get(LOCAL, CONVERSATION)).encode()) == MAX_BYTES
    )
    with pytest.raises(TooLarge):
        put(memory, a=filling() + "x")
    with pytest.raises(TooLarge):
        put(memory, conversation="another", a=filling() + "x")
    assert get(memory, "another") == {}


def test_the_limit_is_of_all_fields_in_bytes_of_utf8(memory):
    put(memory, a="é" * 30_000)
    left = MAX_BYTES - len('{"a":"","b":""}') - 60_000
    with pytest.raises(TooLarge):
        put(memory, b="x" * (left + 1))
    put(memory, b="x" * left)
    assert head(memory)["size"] == MAX_BYTES - 1


def test_what_is_refused_for_its_size_changes_nothing(memory):
    put(memory, a=filling(spare=20), ttl_seconds=60)
    before = head(memory)
    for fields in ({"b": "x" * 40}, {"a": "", "b": filling()}, {"b": "x" * 40, "ttl_seconds": DAY}):
        with pytest.raises(TooLarge):
            put(memory, user_id="ann", **fields)
    assert head(memory) == before
    put(memory, user_id="bob", c=1)


def test_a_smaller_value_makes_room(memory):
    put(memory, a=filling())
    assert put(memory, a="", b=filling(spare=8)) == {"a": "", "b": filling(spare=8)}
    delete(memory, "b")
    put(memory, a=filling())


def test_a_write_that_takes_the_room_meanwhile_is_seen(memory):
    put(memory, a=1)
    late = meddled(memory, lambda: put(memory, b=filling(spare=20)))
    with pytest.raises(TooLarge):
        late.put(LOCAL, CONVERSATION, WorkingMemoryChange.model_validate({"c": "x" * 40}))
    assert set(get(memory)) == {"a", "b"}


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.sampled_from("abcdefgh"), st.none() | st.integers(0, 12).map("é".__mul__)), max_size=20
    )
)
def test_the_size_that_is_kept_is_always_that_of_the_fields(memory, steps):
    delete(memory)
    for name, value in steps:
        if value is None:
            delete(memory, name)
        else:
            put(memory, **{name: value})
        assert head(memory) is None or head(memory)["size"] == size_of(fields_of(head(memory)))


# --- writers at once ------------------------------------------------------------------------------


def in_one_shard():
    """Two fields that share a shard, and one that lies in another."""
    by_shard = sharded(f"f{number}" for number in range(SHARDS * 4))
    shared = next(found for found in by_shard.values() if len(found) > 1)
    other = next(found for found in by_shard.values() if found is not shared)
    return shared[0], shared[1], other[0]


@pytest.mark.parametrize("there", [False, True])
def test_a_write_that_others_overtake_loses_nothing(memory, there):
    one, two, three = in_one_shard()
    if there:
        put(memory, **{one: 0})
    late = meddled(memory, lambda: put(memory, **{two: "theirs", three: "theirs"}))
    after = loaded(late.put(LOCAL, CONVERSATION, WorkingMemoryChange.model_validate({one: 1, three: 1})))
    assert after == get(memory) == {one: 1, two: "theirs", three: 1}


def test_a_delete_that_a_write_overtakes_deletes_what_it_finds_then(memory):
    one, two, three = in_one_shard()
    put(memory, **{one: 1, three: 1})
    late = meddled(memory, lambda: put(memory, **{two: "theirs"}))
    assert late.delete(LOCAL, CONVERSATION) == 3
    assert get(memory) == {}


def test_a_write_that_a_delete_overtakes_starts_from_what_is_left(memory):
    one, two, three = in_one_shard()
    put(memory, **{one: 1, two: 2, three: 3})
    late = meddled(memory, lambda: delete(memory))
    change = WorkingMemoryChange.model_validate({one: "new"})
    assert loaded(late.put(LOCAL, CONVERSATION, change)) == {one: "new"}
    assert head(memory)["size"] == size_of({one: '"new"'})


def test_who_never_gets_a_turn_is_told_so(memory, monkeypatch):
    monkeypatch.setattr("strata.services.table.retry.ATTEMPTS", 3)
    put(memory, a=0)

    class Contended(Meddled):
        def update(self, scope, update):
            put(memory, a=1)
            return super().update(scope, update)

    app = memory.app
    late = WorkingMemory(
        Contended(app.stores.table, lambda: None), app.clock, app.conversations.life, app.people.ownership
    )
    with pytest.raises(Conflict):
        late.put(LOCAL, CONVERSATION, WorkingMemoryChange.model_validate({"a": 2}))


# --- time -----------------------------------------------------------------------------------------


def test_it_is_gone_a_day_after_it_was_last_used_and_begins_anew(memory, clock):
    put(memory, a=1)
    clock.forward(DAY - 5)
    assert get(memory) == {"a": 1}
    clock.forward(DAY + 2)
    assert get(memory) == {}
    assert delete(memory, "a") == 0
    assert put(memory, b=2) == {"b": 2}


def test_a_time_to_live_of_its_own_is_used_by_every_refresh(memory, clock):
    put(memory, a=1, ttl_seconds=600)
    for _ in range(5):
        clock.forward(590)
        assert get(memory) == {"a": 1}
    clock.forward(602)
    assert get(memory) == {}


def test_a_shorter_time_to_live_never_shortens_what_was_promised(memory, clock):
    put(memory, a=1)
    end = head(memory)["expires_at"]
    put(memory, ttl_seconds=60)
    assert (head(memory)["expires_at"], head(memory)["ttl_seconds"]) == (end, 60)
    get(memory)
    delete(memory, "a")
    assert head(memory)["expires_at"] == end
    clock.forward(DAY - 30)
    put(memory, b=1)
    assert head(memory)["expires_at"] == expiry(clock.us, 60)


def test_a_longer_one_holds_at_once(memory, clock):
    put(memory, a=1, ttl_seconds=60)
    put(memory, ttl_seconds=MAX_TTL)
    clock.forward(MAX_TTL - 5)
    assert get(memory) == {"a": 1}


def test_a_read_writes_only_when_the_end_moves_noticeably(memory, clock):
    put(memory, a=1)
    end = head(memory)["expires_at"]
    clock.forward(DAY / 24 - 5)
    get(memory)
    assert head(memory)["expires_at"] == end
    clock.forward(10)
    get(memory)
    assert head(memory)["expires_at"] == expiry(clock.us, DAY) > end


@given(ttl=st.integers(1, MAX_TTL), moved=st.integers(-MAX_TTL, MAX_TTL))
@example(ttl=DAY, moved=3600)
@example(ttl=DAY, moved=3599)
def test_what_is_noticeable_is_a_twenty_fourth_of_the_time_to_live(ttl, moved):
    assert noticeable(1000, 1000 + moved, ttl) == (moved > 0 and moved / ttl >= 1 / 24)


@given(now=st.integers(1, 2**53), ttl=st.integers(1, MAX_TTL))
def test_a_life_lasts_its_time_and_at_most_a_second_more(now, ttl):
    assert ttl * 1_000_000 <= expiry(now, ttl) * 1_000_000 - now < (ttl + 1) * 1_000_000


def test_a_write_does_not_take_back_what_a_longer_promise_gave_meanwhile(memory):
    put(memory, a=1, ttl_seconds=60)
    late = meddled(memory, lambda: put(memory, b=1, ttl_seconds=DAY))
    late.put(LOCAL, CONVERSATION, WorkingMemoryChange.model_validate({"c": 1}))
    assert head(memory)["ttl_seconds"] == DAY
    assert head(memory)["expires_at"] >= expiry(memory.app.clock.us, DAY) - 1
    assert get(memory) == {"a": 1, "b": 1, "c": 1}


def test_a_write_into_a_life_that_ended_meanwhile_begins_a_new_one(memory, clock):
    put(memory, a=1, ttl_seconds=60)
    late = meddled(memory, lambda: clock.forward(120))
    assert loaded(late.put(LOCAL, CONVERSATION, WorkingMemoryChange.model_validate({"b": 2}))) == {"b": 2}
    assert get(memory) == {"b": 2}
    assert head(memory)["ttl_seconds"] == DAY


def test_the_setting_is_the_time_of_those_that_have_none_of_their_own(tmp_path, clock):
    app = application(tmp_path, clock, WORKING_MEMORY_TTL="10m")
    memory = Memory(app)
    put(memory, a=1)
    clock.forward(590)
    assert get(memory) == {"a": 1}
    clock.forward(605)
    assert get(memory) == {}
    app.close()


def test_a_life_may_last_for_ever(memory, clock):
    put(memory, a=1, ttl_seconds=MAX_TTL)
    for _ in range(10):
        clock.forward(MAX_TTL - 10)
        assert get(memory) == {"a": 1}
        assert head(memory)["expires_at"] <= head(memory)["kept_until"] <= expiry(clock.us, KEPT)


# --- whose it is, and whether it is kept ----------------------------------------------------------


def test_the_first_user_owns_the_conversation(memory):
    put(memory, a=1)
    put(memory, user_id="ann", b=2)
    for call in (
        lambda: put(memory, user_id="bob", a=9),
        lambda: delete(memory, user_id="bob"),
        lambda: memory.start(CONVERSATION, user_id="bob"),
        lambda: memory.save("a fact", session_id=CONVERSATION, user_id="bob"),
    ):
        with pytest.raises(OwnedByAnother):
            call()
    assert put(memory, c=3) == {"a": 1, "b": 2, "c": 3}
    assert put(memory, user_id="ann", d=4) == {"a": 1, "b": 2, "c": 3, "d": 4}
    assert memory.start(CONVERSATION).user_id == "ann"


def test_a_conversation_has_the_owner_of_its_session(memory):
    memory.start(CONVERSATION, user_id="ann")
    with pytest.raises(OwnedByAnother):
        put(memory, user_id="bob", a=1)
    assert get(memory) == {}


@pytest.mark.parametrize("there", [False, True])
def test_a_put_that_another_user_overtakes_is_refused_and_changes_nothing(memory, there):
    if there:
        put(memory, a=1)
    late = meddled(memory, lambda: memory.save("a fact", session_id=CONVERSATION, user_id="bob"))
    change = WorkingMemoryChange.model_validate({"b": 2})
    with pytest.raises(OwnedByAnother):
        late.put(LOCAL, CONVERSATION, change, "ann")
    assert get(memory) == ({"a": 1} if there else {})


def test_a_session_that_keeps_nothing_gives_back_what_it_was_given(memory):
    memory.start(CONVERSATION, persist=False)
    assert put(memory, a="zebra") == {"a": "zebra"}
    assert put(memory, b=2) == {"b": 2}
    with pytest.raises(TooLarge):
        put(memory, a=filling() + "x")
    assert get(memory) == {}
    assert head(memory) is None
    kept = b"".join(path.read_bytes() for path in memory.app.stores.database.path.parent.iterdir())
    assert b"zebra" not in kept
