"""Saves: the three tiers of dedup, their guards, and whose the memory is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.domain.dedup import normalized_hash
from strata.domain.errors import OwnedByAnother
from strata.domain.scope import Scope
from support.clocks import FrozenClock, HandClock
from support.memory import Memory, application

WINDOW = 15 * 60


def outcome(saved):
    return saved.action, saved.revision_count, saved.duplicate_count


# --- tier 3 ---------------------------------------------------------------------------------------


def test_a_new_content_is_created_with_counters_at_one(memory):
    saved = memory.save("a fact", tags=["x"], topic_key="k")
    assert outcome(saved) == ("created", 1, 1)
    kept = memory.get(saved.id)
    assert (kept.content, kept.tags, kept.topic_key, kept.scope) == ("a fact", ["x"], "k", "project")
    assert kept.created_at == kept.updated_at == kept.last_seen_at
    assert kept.normalized_hash == normalized_hash("A  Fact")


def test_ids_follow_time_also_when_the_clock_steps_back(memory, clock):
    first = memory.save("one").id
    clock.forward(-3600)
    second = memory.save("two").id
    clock.forward(7200)
    third = memory.save("three").id
    assert first < second < third < 2**53


def test_two_processes_in_one_microsecond_take_different_ids(tmp_path):
    one, two = (Memory(application(tmp_path, FrozenClock())) for _ in range(2))
    first, second = one.save("one"), two.save("two")
    assert (first.action, second.action) == ("created", "created")
    assert first.id != second.id


def test_of_two_identical_saves_in_one_microsecond_one_creates(tmp_path):
    one, two = (Memory(application(tmp_path, FrozenClock())) for _ in range(2))
    assert [outcome(each.save("same")) for each in (one, two)] == [("created", 1, 1), ("deduplicated", 1, 2)]


def test_of_two_saves_of_a_topic_in_one_microsecond_one_creates(tmp_path):
    one, two = (Memory(application(tmp_path, FrozenClock())) for _ in range(2))
    saves = [one.save("first", topic_key="k"), two.save("second", topic_key="k")]
    assert [outcome(each) for each in saves] == [("created", 1, 1), ("updated", 2, 1)]


# --- tier 2 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", ["use WAL mode", "USE wal MODE", " use\tWAL\n\n mode\u00a0"])
def test_the_same_content_but_for_case_and_white_space_only_counts(memory, again):
    first = memory.save("use WAL mode", title="first")
    second = memory.save(again, title="second", session_id="s2")
    assert (second.id, *outcome(second)) == (first.id, "deduplicated", 1, 2)
    kept = memory.get(first.id)
    assert (kept.title, kept.content, kept.duplicate_count) == ("first", "use WAL mode", 2)
    assert kept.last_seen_at > kept.updated_at == kept.created_at


def test_a_save_of_the_same_content_adds_what_is_new_in_it(memory):
    first = memory.save("Staging is rebuilt on Sundays", tags=["staging"])
    wider = memory.save(
        "staging is rebuilt on sundays", scope="global", topic_key="staging", tags=["cron", "staging"]
    )
    assert (wider.id, wider.action, wider.duplicate_count) == (first.id, "deduplicated", 2)
    row = memory.get(first.id)
    assert (row.scope, row.topic_key, row.tags) == ("global", "staging", ["staging", "cron"])
    memory.follow()
    everywhere = memory.app.observations.reader.newest(
        memory.scope, project="another", scope_name=None, limit=5, names=None
    )
    assert [each["id"] for each in everywhere] == [first.id]
    updated = memory.save("Staging is rebuilt on Mondays", scope="global", topic_key="staging")
    assert (updated.id, updated.action) == (first.id, "updated")


def test_a_save_of_the_same_content_takes_nothing_away(memory):
    first = memory.save("Staging is rebuilt on Sundays", scope="global", topic_key="staging", tags=["cron"])
    again = memory.save("Staging is rebuilt on Sundays", topic_key="rebuilds")
    assert (again.id, again.action) == (first.id, "deduplicated")
    row = memory.get(first.id)
    assert (row.scope, row.topic_key, row.tags) == ("global", "staging", ["cron"])


def test_a_topic_that_another_row_has_is_not_adopted(memory):
    held = memory.save("The lock is in Redis", scope="global", topic_key="lock")
    plain = memory.save("Staging is rebuilt on Sundays", topic_key="lock")
    again = memory.save("Staging is rebuilt on Sundays", scope="global", tags=["x"])
    assert (again.id, again.action) == (plain.id, "deduplicated")
    assert (memory.get(plain.id).scope, memory.get(plain.id).tags) == ("global", ["x"])
    assert memory.save("The lock is in etcd", scope="global", topic_key="lock").id == held.id


def test_a_widened_row_keeps_its_topic(memory):
    first = memory.save("Staging is rebuilt on Sundays", topic_key="staging")
    memory.save("Staging is rebuilt on Sundays", scope="global")
    assert memory.save("On Mondays", scope="global", topic_key="staging").id == first.id
    assert memory.save("On Tuesdays", topic_key="staging").action == "created"


def test_another_type_of_the_same_content_is_another_observation(memory):
    types = ("decision", "lesson")
    saved = {each: memory.save("the cache is the bottleneck", type=each) for each in types}
    again = {each: memory.save("The  cache is the bottleneck", type=each) for each in types}
    assert [each.action for each in saved.values()] == ["created"] * 2
    assert [each.action for each in again.values()] == ["deduplicated"] * 2
    assert {each: memory.get(again[each].id).type for each in types} == {each: each for each in types}
    memory.delete(saved["lesson"].id)
    assert memory.save("the cache is the bottleneck", type="decision").id == saved["decision"].id


def test_another_project_has_its_own_contents(memory):
    memory.save("a fact", project="one")
    assert memory.save("a fact", project="two").action == "created"


def test_a_project_is_the_same_in_any_case(memory):
    memory.save("a fact", project="Demo")
    assert memory.save("a fact", project=" dEMO ").action == "deduplicated"


def test_the_window_counts_from_the_creation_and_not_from_the_last_time(memory, clock):
    first = memory.save("a fact")
    clock.forward(WINDOW - 60)
    assert memory.save("a fact").id == first.id
    clock.forward(120)
    later = memory.save("a fact")
    assert (later.action, later.id != first.id) == ("created", True)
    clock.forward(WINDOW - 60)
    assert memory.save("a fact").id == later.id


def test_the_window_ends_exactly_when_it_is_over(tmp_path):
    clock = FrozenClock()
    memory = Memory(application(tmp_path, clock))
    first = memory.save("a fact")
    clock.us = first.id + WINDOW * 1_000_000 - 1
    assert memory.save("a fact").action == "deduplicated"
    clock.us += 1
    assert memory.save("a fact").action == "created"


def test_a_window_of_nothing_never_deduplicates(tmp_path, clock):
    memory = Memory(application(tmp_path, clock, DEDUPE_WINDOW="0"))
    assert [memory.save("a fact").action for _ in range(3)] == ["created"] * 3


def test_two_owners_never_share_a_row(memory):
    ann = memory.save("a fact", session_id="a", user_id="ann")
    bob = memory.save("a fact", session_id="b", user_id="bob")
    nobody = memory.save("a fact", session_id="c")
    assert [each.action for each in (ann, bob, nobody)] == ["created"] * 3
    assert memory.save("a fact", session_id="a2", user_id="ann").id == ann.id


def test_two_tenants_never_share_a_row(memory):
    memory.save("a fact", topic_key="k")
    other = Memory(memory.app, Scope("other"))
    assert other.save("a fact", topic_key="k").action == "created"


# --- tier 1 ---------------------------------------------------------------------------------------


def test_the_same_topic_updates_in_place(memory):
    first = memory.save("old", title="t1", type="a", tags=["x"], topic_key="k")
    second = memory.save("new", title="t2", type="b", tags=["y"], topic_key="k", session_id="s2")
    assert (second.id, *outcome(second)) == (first.id, "updated", 2, 1)
    kept = memory.get(first.id)
    assert (kept.content, kept.title, kept.type, kept.tags) == ("new", "t2", "b", ["y"])
    assert (kept.session_id, kept.normalized_hash) == ("s1", normalized_hash("new"))
    assert kept.created_at < kept.updated_at == kept.last_seen_at


def test_the_topic_goes_before_the_content(memory):
    topic = memory.save("about the topic", topic_key="k")
    other = memory.save("a fact")
    saved = memory.save("a fact", topic_key="k")
    assert (saved.id, saved.action) == (topic.id, "updated")
    assert memory.get(other.id).duplicate_count == 1


def test_a_topic_saved_again_with_the_same_content_is_a_revision(memory):
    memory.save("a fact", topic_key="k")
    assert outcome(memory.save("a fact", topic_key="k")) == ("updated", 2, 1)


def test_the_same_content_under_a_new_topic_only_counts_within_the_window(memory):
    first = memory.save("a fact")
    assert memory.save("a fact", topic_key="k").id == first.id


def test_a_topic_updates_however_long_ago_it_was_saved(memory, clock):
    first = memory.save("old", topic_key="k")
    clock.forward(400 * 86400)
    assert memory.save("new", topic_key="k").id == first.id


@pytest.mark.parametrize(
    "different", [{"project": "p2"}, {"scope": "global"}, {"user_id": "ann", "session_id": "s2"}]
)
def test_a_topic_is_one_of_its_project_scope_and_owner(memory, different):
    first = memory.save("one", topic_key="k")
    assert memory.save("two", topic_key="k", **different).action == "created"
    assert memory.get(first.id).content == "one"


def test_a_name_that_looks_escaped_is_another_name(memory):
    for name in ("a#b", "a%23b", "a%2523b"):
        saved = memory.save("a fact", project=name, topic_key=name, session_id=name)
        assert saved.action == "created"
        assert memory.get(saved.id).project == name


# --- guards ---------------------------------------------------------------------------------------


def test_what_a_topic_said_before_can_be_saved_anew(memory):
    topic = memory.save("old", topic_key="k")
    memory.save("new", topic_key="k")
    saved = memory.save("old")
    assert (saved.action, saved.id != topic.id) == ("created", True)
    assert memory.save("old").id == saved.id


def test_what_a_topic_says_now_is_known(memory):
    topic = memory.save("old", topic_key="k")
    memory.save("new", topic_key="k")
    assert (again := memory.save("NEW")).id == topic.id
    assert outcome(again) == ("deduplicated", 2, 2)


def test_an_update_leaves_a_content_to_the_row_that_has_it(memory):
    holder = memory.save("a fact")
    memory.save("old", topic_key="k")
    memory.save("a fact", topic_key="k")
    assert memory.save("a fact").id == holder.id


def test_what_was_deleted_can_be_saved_anew(memory):
    gone = memory.save("a fact", topic_key="k")
    memory.delete(gone.id)
    saved = memory.save("a fact", topic_key="k")
    assert (saved.action, saved.id != gone.id) == ("created", True)


# --- whose ----------------------------------------------------------------------------------------


def test_an_observation_belongs_to_its_sessions_owner(memory):
    memory.start("s1", user_id="ann")
    assert memory.get(memory.save("a fact").id).user_id == "ann"


def test_the_first_user_that_a_save_names_owns_the_session(memory):
    memory.save("one", user_id="ann")
    with pytest.raises(OwnedByAnother):
        memory.save("two", user_id="bob")
    assert memory.get(memory.save("three").id).user_id == "ann"


@pytest.mark.parametrize("kept", [{}, {"topic_key": "k"}])
def test_a_user_owns_the_session_also_when_the_save_adds_no_row(memory, kept):
    memory.save("a fact", session_id="s0", user_id="ann", **kept)
    assert memory.save("a fact", session_id="s1", user_id="ann", **kept).action != "created"
    with pytest.raises(OwnedByAnother):
        memory.save("another", session_id="s1", user_id="bob")


def test_an_empty_user_is_nobody(memory):
    assert memory.get(memory.save("a fact", user_id="").id).user_id is None


def test_a_session_that_keeps_nothing_keeps_no_observation(memory):
    memory.start("s1", persist=False)
    saved = memory.save("a secret thought")
    assert (saved.id, saved.action) == (0, "skipped")
    assert memory.stats().total_observations == 0


# --- secrets --------------------------------------------------------------------------------------

KEY = "AKIA" + "IOSFODNN7EXAMPLE"


def test_secrets_are_taken_out_before_anything_is_stored(memory, caplog):
    saved = memory.save(f"the key is {KEY}", title=f"key {KEY}", tags=[KEY], topic_key=f"k/{KEY}")
    kept = memory.get(saved.id)
    mark = "[redacted:aws_access_key]"
    assert (kept.content, kept.title) == (f"the key is {mark}", f"key {mark}")
    assert (kept.tags, kept.topic_key) == ([mark], f"k/{mark}")
    assert kept.normalized_hash == normalized_hash(kept.content)
    assert "aws_access_key x4" in caplog.text
    assert memory.get(memory.save("another", type=f"x {KEY}").id).type == f"x {mark}"
    assert KEY not in caplog.text
    assert KEY.encode() not in b"".join(
        path.read_bytes() for path in memory.app.stores.database.path.parent.iterdir()
    )


def test_redaction_can_be_switched_off(tmp_path, clock):
    memory = Memory(application(tmp_path, clock, REDACT="false"))
    assert memory.get(memory.save(KEY).id).content == KEY


def test_what_redaction_makes_longer_stays_within_its_limit(memory):
    words = "password=abcdef "
    saved = memory.save(words * 3125, title=words * 31, tags=[words * 6], topic_key=words * 12)
    kept = memory.get(saved.id)
    assert [len(kept.content), len(kept.title), len(kept.tags[0]), len(kept.topic_key)] == [
        50_000,
        500,
        100,
        200,
    ]
    assert "abcdef" not in kept.model_dump_json()


# --- any order of saves ---------------------------------------------------------------------------


class Rules:
    """The three tiers as the contract says them, for one caller after another."""

    def __init__(self) -> None:
        self.contents: dict[int, tuple[str, str]] = {}
        self.topics: dict[str, int] = {}
        self.holders: dict[tuple[str, str], int] = {}

    def expected(self, content: tuple[str, str], topic: str | None, now: int) -> tuple[str, int | None]:
        """The action, and the id of the row that it concerns if there is one."""
        if topic in self.topics:
            return "updated", self.topics[topic]
        holder = self.holders.get(content)
        if holder and now < holder + WINDOW * 10**6 and self.contents[holder] == content:
            return "deduplicated", holder
        return "created", None

    def done(
        self, content: tuple[str, str], topic: str | None, identifier: int, action: str, now: int
    ) -> None:
        """Record what a save did."""
        if action == "deduplicated":
            if topic and identifier not in self.topics.values():
                self.topics[topic] = identifier
            return
        holder = self.holders.get(content)
        moved = self.contents.get(identifier) != content
        if action == "created" or (moved and (holder is None or holder + WINDOW * 10**6 <= now)):
            self.holders[content] = identifier
        self.contents[identifier] = content
        if action == "created" and topic:
            self.topics[topic] = identifier


saves = st.lists(
    st.tuples(
        st.tuples(st.sampled_from("abc"), st.sampled_from("xy")),
        st.sampled_from([None, "k", "l"]),
        st.sampled_from([0, 300, 700]),
    ),
    max_size=10,
)


@given(saves)
@settings(max_examples=60, deadline=None)
def test_any_saves_come_to_what_the_rules_say(tmp_path_factory, saves):
    clock = HandClock()
    memory = Memory(application(tmp_path_factory.mktemp("store"), clock))
    rules = Rules()
    for content, topic, wait in saves:
        clock.forward(wait)
        action, holder = rules.expected(content, topic, clock.us)
        saved = memory.save(content[0], type=content[1], topic_key=topic)
        assert (saved.action, saved.id if holder else None) == (action, holder)
        rules.done(content, topic, saved.id, action, clock.us)
        kept = memory.get(saved.id)
        assert (kept.content, kept.type) == rules.contents[saved.id]
    memory.app.close()
