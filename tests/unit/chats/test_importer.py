"""Imports of other tools' chats into this process' store."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Event
from zlib import crc32

import pytest

from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports.chats import ChatMessage, ChatNote, Conversation
from strata.services.chats.importer import ChatImporter, ChatRefused
from strata.services.records.episodes import episode_key
from strata.services.records.sessions import session_key
from strata.services.sessions import end
from support.memory import LOCAL, Memory, application

MARCH = datetime(2025, 3, 1, 10, tzinfo=UTC)
DECIDED = "We decided to use Postgres because the reports need joins."


def said(*texts, start=MARCH):
    """Messages a minute apart, the person's first."""
    return [
        ChatMessage(
            "assistant" if place % 2 else "user", text, start + timedelta(minutes=place), f"{start}{place}"
        )
        for place, text in enumerate(texts)
    ]


class Tool:
    """A tool that keeps these conversations; counts how often a message was read."""

    def __init__(self, conversations=None, notes=(), name="tool"):
        self.name = name
        self.unread = Counter()
        self.kept = conversations or {}
        self.noted = notes
        self.reads = 0

    def places(self):
        return [Path("/tool")]

    def conversations(self, since=None):
        for number, messages in self.kept.items():
            yield Conversation(number, partial(self._read, messages), project="Shop")

    def notes(self, since=None):
        yield from self.noted

    def _read(self, messages):
        for message in messages:
            self.reads += 1
            yield message


class Interrupted(Exception):
    pass


class Dying:
    """A store that dies at its nth call."""

    def __init__(self, store, calls):
        self._store = store
        self._left = calls

    def __getattr__(self, name):
        def call(*given):
            if self._left == 0:
                raise Interrupted
            self._left -= 1
            return getattr(self._store, name)(*given)

        return call


def load(memory, *tools, **how):
    return ChatImporter(memory.app.chats.store(memory.scope)).run(tools, **how)


def sessions(memory):
    """The ids of the sessions that were imported."""
    return memory.app.events.lists.session_ids(memory.scope, None)


def events(memory, session=None):
    """Type, content and time of a session's events, oldest first."""
    found = memory.app.events.reader.newest_of(memory.scope, session or sessions(memory)[0], limit=100_000)
    return [(each.event_type, json.loads(each.content), each.timestamp) for each in found][::-1]


def test_a_conversation_becomes_a_session_with_its_events_and_its_end_at_their_times(memory):
    report = load(memory, Tool({"c1": said(DECIDED, "Postgres it is.", "Good.")}))
    assert (report.conversations, report.messages, report.refused) == (1, 3, {})
    at = int(MARCH.timestamp() * 1e6)
    assert events(memory) == [
        ("user_message", DECIDED, at),
        ("agent_response", "Postgres it is.", at + 60_000_000),
        ("user_message", "Good.", at + 120_000_000),
    ]
    (kept,) = memory.app.sessions.catalog.recent(LOCAL, "shop", 5)
    assert kept.started_at == "2025-03-01T10:00:00.000000Z"
    assert kept.ended_at == "2025-03-01T10:02:00.000000Z"
    assert (kept.message_count, kept.about) == (3, DECIDED)


def test_an_imported_episode_has_the_conversations_time_and_lives_from_the_import_on(memory):
    load(memory, Tool({"c1": said(DECIDED, "Postgres it is.")}))
    session = memory.row(session_key(sessions(memory)[0]))
    episode = memory.row(episode_key(session["episode_owner"], session["episode"]))
    assert episode["created_at"] // 1_000_000 == int((MARCH + timedelta(minutes=1)).timestamp())
    assert episode["expires_at"] - memory.app.clock.now_us() // 1_000_000 == pytest.approx(30 * DAY, abs=5)


def test_conversations_of_one_second_get_an_episode_each(memory):
    load(memory, Tool({f"c{number}": said(DECIDED, "Postgres it is.") for number in range(30)}))
    rows = [memory.row(session_key(each)) for each in sessions(memory)]
    assert len({row["episode"] for row in rows}) == 30


def test_conversations_of_one_instant_find_a_number_where_its_millisecond_is_full(memory, monkeypatch):
    monkeypatch.setattr(end, "crc32", lambda text: crc32(text) // 1000 * 1000)
    report = load(memory, Tool({f"c{number}": said(DECIDED, "Postgres it is.") for number in range(30)}))
    assert (report.conversations, report.refused) == (30, {})


def test_the_newest_sessions_stay_those_of_now(memory):
    memory.start("today", "shop")
    load(memory, Tool({f"c{number}": said(DECIDED, "Yes.") for number in range(3)}))
    assert memory.app.sessions.catalog.recent(LOCAL, "shop", 1)[0].id == "today"


def test_a_second_import_adds_nothing_and_a_third_what_is_new(memory):
    tool = Tool({"c1": said(DECIDED, "Yes."), "c2": said("Hello", "Hi.")})
    load(memory, tool)
    before = {each: memory.row(session_key(each)) for each in sessions(memory)}
    again = load(memory, tool)
    assert (again.conversations, again.unchanged, again.messages) == (0, 2, 0)
    assert {each: memory.row(session_key(each)) for each in sessions(memory)} == before
    tool.kept["c2"] = said("Hello", "Hi.", "How are you?")
    third = load(memory, tool)
    assert (third.conversations, third.unchanged, third.messages) == (1, 1, 1)
    grown = [memory.row(session_key(each))["message_count"] for each in sessions(memory)]
    assert sorted(grown) == [2, 3]


def test_a_second_import_after_years_adds_nothing_even_where_the_tool_wrote_the_chat_anew(memory):
    clock = memory.app.clock
    tool = Tool({"c1": said(*"abcdef")})
    load(memory, tool)
    clock.forward(400 * DAY)
    tool.kept["c1"] = tool.kept["c1"][:5]
    load(memory, tool)
    assert [content for _, content, _ in events(memory)] == list("abcdef")


@pytest.mark.parametrize("calls", range(7))
def test_an_interrupted_import_goes_on(memory, calls):
    tool = Tool({"c1": said(*(f"message {n}" for n in range(230)))}, [ChatNote("a note", MARCH)])
    store = memory.app.chats.store(LOCAL)
    try:
        ChatImporter(Dying(store, calls)).run([tool])
    except Interrupted:
        load(memory, tool)
    assert [content for _, content, _ in events(memory)] == [f"message {n}" for n in range(230)]
    (kept,) = memory.app.sessions.catalog.recent(LOCAL, "shop", 5)
    assert kept.message_count == 230
    assert load(memory, tool).messages == 0
    assert memory.stats().total_observations == 1


def test_messages_are_read_as_they_are_sent(memory):
    tool = Tool({"c1": said(*(f"message {n}" for n in range(500)))})
    reads = []

    class Watching:
        def __getattr__(self, name):
            def call(*given):
                reads.append((name, tool.reads))
                return getattr(memory.app.chats.store(LOCAL), name)(*given)

            return call

    ChatImporter(Watching()).run([tool])
    assert reads[:3] == [("begin", 1), ("append", 101), ("append", 201)]


def test_messages_without_ids_and_times_come_once_in_order(memory):
    messages = [ChatMessage("user", "yes"), ChatMessage("assistant", "ok"), ChatMessage("user", "yes")]
    tool = Tool({"c1": messages})
    load(memory, tool)
    assert [content for _, content, _ in events(memory)] == ["yes", "ok", "yes"]
    assert load(memory, tool).messages == 0


def test_long_messages_are_whole(memory):
    text = "".join(f"word{n} " for n in range(20_000)).strip()
    load(memory, Tool({"c1": said(text, "ok")}))
    *parts, last = [content for _, content, _ in events(memory)]
    assert ("".join(parts), last) == (text, "ok")


def test_what_memory_gave_is_not_learnt_again_and_secrets_are_not_kept(memory):
    given = "<memory:context>Ann likes tea</memory:context>"
    key = "AKIAIOSFODNN7EXAMPLQ"
    load(memory, Tool({"c1": said(f"{given} What now?", given, f"my key is {key}")}))
    contents = [content for _, content, _ in events(memory)]
    assert contents[0] == "What now?"
    assert len(contents) == 2
    assert key not in contents[1]


def test_imported_chats_stand_outside_the_limits_of_logs_and_their_cleanup(tmp_path, clock):
    app = application(tmp_path, clock, MAX_SESSION_EVENTS="5", MAX_SESSIONS="3")
    memory = Memory(app)
    load(memory, Tool({f"c{n}": said(*(f"{n} {m}" for m in range(20))) for n in range(6)}))
    clock.forward(100 * DAY)
    assert app.events.remover.clean_up(LOCAL, 24) == 0
    assert app.events.remover.evict(LOCAL, 100) == 0
    assert len(sessions(memory)) == 6
    assert all(len(events(memory, each)) == 20 for each in sessions(memory))
    memory.follow()
    assert app.events.lists.stats(LOCAL).total_events == 120
    assert all(len(events(memory, each)) == 20 for each in sessions(memory))
    app.close()


def test_notes_are_found_with_their_time_and_come_once(memory):
    notes = [
        ChatNote("Ann prefers tabs over spaces", MARCH, project="shop", type="preference"),
        ChatNote("Ben deploys on Mondays", MARCH),
    ]
    tool = Tool(notes=notes)
    assert load(memory, tool).notes == 2
    assert load(memory, tool).notes == 0
    memory.follow()
    found = memory.app.transfer.exporter.page(LOCAL, None, None).observations
    assert sorted((each.project, each.type, each.title, each.created_at) for each in found) == [
        ("shop", "preference", "Ann prefers tabs over spaces", "2025-03-01T10:00:00.000000Z"),
        ("tool", "discovery", "Ben deploys on Mondays", "2025-03-01T10:00:00.000000Z"),
    ]


def test_a_refused_conversation_is_named_and_the_others_are_imported(memory):
    class Choosy:
        def __init__(self):
            self.refused = False

        def __getattr__(self, name):
            if not self.refused:
                self.refused = True
                raise ChatRefused("somebody else's")
            return getattr(memory.app.chats.store(LOCAL), name)

    report = ChatImporter(Choosy()).run([Tool({"c1": said("a", "b"), "c2": said("c", "d")})])
    assert dict(report.refused) == {"tool c1: somebody else's": 1}
    assert [content for _, content, _ in events(memory)] == ["c", "d"]


def test_conversations_are_sent_while_the_ones_before_are_ended_and_each_is_counted_once(memory):
    store, second_sent, ended = memory.app.chats.store(LOCAL), Event(), []

    class Slow:
        def __getattr__(self, name):
            return getattr(store, name)

        def append(self, session, events):
            store.append(session, events)
            if events[0]["content"] == "c":
                second_sent.set()

        def end(self, session, at):
            assert second_sent.wait(60)
            ended.append(session)
            if len(ended) == 3:
                raise ChatRefused("too late")

    tool = Tool({f"c{number}": said(text, "yes") for number, text in enumerate("abcdefgh")})
    with ThreadPoolExecutor(1) as ending:
        report = ChatImporter(Slow(), ending=ending).run([tool])
    assert (report.conversations, report.messages, report.unchanged) == (7, 14, 0)
    assert dict(report.refused) == {"tool c2: too late": 1}
    assert len(set(ended)) == len(ended) == 8


def test_a_failing_end_stops_an_import(memory):
    class Failing:
        def __getattr__(self, name):
            return getattr(memory.app.chats.store(LOCAL), name)

        def end(self, session, at):
            raise Interrupted

    tool = Tool({f"c{number}": said("a", "b") for number in range(20)})
    with ThreadPoolExecutor(1) as ending, pytest.raises(Interrupted):
        ChatImporter(Failing(), ending=ending).run([tool])
    assert len(sessions(memory)) < 20


def test_tenants_and_tools_have_sessions_of_their_own(memory):
    other = Memory(memory.app, Scope("other"))
    load(memory, Tool({"c1": said("mine", "yes")}), Tool({"c1": said("another tool's", "yes")}, name="two"))
    load(other, Tool({"c1": said("theirs", "yes")}))
    assert [content for each in sessions(other) for _, content, _ in events(other, each)] == ["theirs", "yes"]
    assert {events(memory, each)[0][1] for each in sessions(memory)} == {"mine", "another tool's"}


def test_only_one_project_is_imported_where_it_is_named(memory):
    tool = Tool({"c1": said("a", "b")}, [ChatNote("elsewhere", MARCH, project="barn")])
    assert load(memory, tool, project="barn").conversations == 0
    assert memory.stats().total_observations == 1
    assert load(memory, tool, project="SHOP").conversations == 1
