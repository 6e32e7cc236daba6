"""KAOS's memory interface: one suite for the memories that keep something, here and in a server."""

import asyncio
import inspect
from collections import deque
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, rule

from strata.client import AsyncClient, StrataClientError
from strata.client.kaos import (
    InMemorySessionService,
    LocalMemory,
    Memory,
    MemoryEvent,
    NullMemory,
    RemoteMemory,
    SessionMemory,
    memory_from_env,
)
from strata.local.transport import InProcessTransport
from support.api import gateway
from support.clocks import HandClock
from support.memory import application

EVENT = {
    "event_id": "event_abc123",
    "timestamp": "2024-12-31T12:00:00+00:00",
    "event_type": "user_message",
    "content": "Hello!",
    "metadata": {"source": "api"},
}
CONTENTS = [
    "What is 2+2?",
    {"tool": "calc", "arguments": {"x": 1.0, "é": [None, True]}},
    4,
    0.1,
    "",
    None,
    [],
]


class Local:
    """Memories in this process."""

    def make(self, sessions=1000, events=500):
        return LocalMemory(max_sessions=sessions, max_events_per_session=events)


class Remote:
    """Memories in a server in this process."""

    def __init__(self, folder):
        self._folder = folder
        self._apps = []

    def make(self, sessions=1000, events=500):
        folder = self._folder / f"store{len(self._apps)}"
        app = application(folder, HandClock(), MAX_SESSIONS=str(sessions), MAX_SESSION_EVENTS=str(events))
        self._apps.append(app)
        transport = InProcessTransport(gateway(self._apps[-1]))
        return RemoteMemory(client=AsyncClient("http://localhost", transport=transport))

    def close(self):
        for app in self._apps:
            app.close()


@pytest.fixture(params=["local", "remote"])
def kind(request, tmp_path):
    if request.param == "local":
        yield Local()
        return
    remote = Remote(tmp_path)
    yield remote
    remote.close()


@pytest.fixture
def memory(kind):
    return kind.make()


def contents(events):
    return [event.content for event in events]


# --- sessions -------------------------------------------------------------------------------------


def test_a_session_is_begun_with_the_given_id_or_a_new_one(memory):
    async def program():
        assert await memory.create_session("agent", "ann", "custom-id") == "custom-id"
        made = await memory.create_session(app_name="agent", user_id="ann")
        assert made.startswith("session_")
        assert len(made) == len("session_") + 12
        assert set(await memory.list_sessions()) == {"custom-id", made}

    asyncio.run(program())


def test_a_session_that_is_there_is_got_and_keeps_its_events(memory):
    async def program():
        assert await memory.get_or_create_session("s1") == "s1"
        await memory.add_event("s1", "user_message", "Hello!")
        assert await memory.get_or_create_session(session_id="s1", app_name="agent", user_id="user") == "s1"
        assert await memory.create_session("agent", "user", "s1") == "s1"
        assert contents(await memory.get_session_events("s1")) == ["Hello!"]
        assert await memory.list_sessions() == ["s1"]

    asyncio.run(program())


def test_a_program_that_names_no_user_gets_a_session_that_has_one(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        assert await memory.get_or_create_session("s1") == "s1"
        session = await memory.get_session("s1")
        assert (session.user_id, session.app_name) == ("ann", "agent")

    asyncio.run(program())


def test_sessions_are_listed_for_one_user(memory):
    async def program():
        for session, user in (("s1", "ann"), ("s2", "bob"), ("s3", "ann")):
            await memory.create_session("agent", user, session)
        assert set(await memory.list_sessions("ann")) == {"s1", "s3"}
        assert await memory.list_sessions(user_id="nobody") == []
        assert len(await memory.list_sessions(None)) == 3

    asyncio.run(program())


def test_a_deleted_session_is_gone_with_its_events(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        await memory.add_event("s1", "user_message", "Hello!")
        assert await memory.delete_session("s1") is True
        assert await memory.delete_session("s1") is False
        assert await memory.get_session("s1") is None
        assert await memory.list_sessions() == []
        await memory.create_session("agent", "ann", "s1")
        assert await memory.get_session_events("s1") == []

    asyncio.run(program())


def test_an_unknown_session_has_nothing_and_takes_nothing(memory):
    async def program():
        assert await memory.get_session("nobody") is None
        assert await memory.get_session_events("nobody") == []
        assert await memory.build_conversation_context("nobody") == ""
        assert await memory.add_event("nobody", "user_message", "Hello!") is False
        assert await memory.list_sessions() == []

    asyncio.run(program())


def test_one_session_too_many_removes_the_tenth_that_was_left_alone_longest(kind):
    memory = kind.make(sessions=20)

    async def program():
        for number in range(20):
            await memory.create_session("agent", "ann", f"s{number}")
        await memory.add_event("s0", "user_message", "still here")
        await memory.create_session("agent", "ann", "s20")
        assert set(await memory.list_sessions()) == {f"s{number}" for number in range(21)} - {"s1", "s2"}

    asyncio.run(program())


def test_getting_a_session_that_is_there_removes_none(kind):
    memory = kind.make(sessions=2)

    async def program():
        for session in ("s1", "s2", "s1", "s2"):
            await memory.get_or_create_session(session)
        assert set(await memory.list_sessions()) == {"s1", "s2"}

    asyncio.run(program())


def test_sessions_that_nobody_added_to_are_cleaned_up(memory):
    async def program():
        for session in ("s1", "s2"):
            await memory.create_session("agent", "ann", session)
        assert await memory.cleanup_old_sessions(max_age_hours=24) == 0
        assert await memory.cleanup_old_sessions() == 0
        assert await memory.cleanup_old_sessions(max_age_hours=0) == 2
        assert await memory.list_sessions() == []

    asyncio.run(program())


def test_stats_count_sessions_and_events(memory):
    async def program():
        assert await memory.get_memory_stats() == {
            "total_sessions": 0,
            "total_events": 0,
            "avg_events_per_session": 0,
        }
        for session, events in (("s1", 3), ("s2", 4)):
            await memory.create_session("agent", "ann", session)
            for number in range(events):
                await memory.add_event(session, "user_message", f"message {number}")
        assert await memory.get_memory_stats() == {
            "total_sessions": 2,
            "total_events": 7,
            "avg_events_per_session": 3,
        }

    asyncio.run(program())


# --- events ---------------------------------------------------------------------------------------


def test_an_event_is_added_whole_or_made_on_the_way(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        event = memory.create_event(event_type="user_message", content="Hello!", metadata={"source": "api"})
        assert await memory.add_event("s1", event) is True
        assert await memory.add_event("s1", "agent_response", "Hi!", {"model": "m"}) is True
        assert await memory.add_event("s1", event="error", content="late") is True
        first, second, third = await memory.get_session_events("s1")
        assert first == event
        assert (second.event_type, second.content, second.metadata) == (
            "agent_response",
            "Hi!",
            {"model": "m"},
        )
        assert third.metadata == {}
        assert second.event_id.startswith("event_")
        assert len({first.event_id, second.event_id, third.event_id}) == 3

    asyncio.run(program())


def test_any_content_comes_back_as_it_went_in(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        for content in CONTENTS:
            await memory.add_event("s1", "tool_result", content, {"content": content})
        events = await memory.get_session_events("s1")
        assert contents(events) == CONTENTS
        assert [type(event.content) for event in events] == list(map(type, CONTENTS))
        assert [event.metadata for event in events] == [{"content": content} for content in CONTENTS]

    asyncio.run(program())


def test_events_are_filtered_by_type(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        for number, kind in enumerate(["user_message", "tool_call", "agent_response", "my own"]):
            await memory.add_event("s1", kind, number)
        asked = ["user_message", "agent_response"]
        assert contents(await memory.get_session_events("s1", event_types=asked)) == [0, 2]
        assert contents(await memory.get_session_events("s1", ["my own"])) == [3]
        assert contents(await memory.get_session_events("s1", [])) == [0, 1, 2, 3]
        assert contents(await memory.get_session_events("s1", ["delegation_request"])) == []

    asyncio.run(program())


def test_a_full_session_keeps_the_newest_events(kind):
    memory = kind.make(events=5)

    async def program():
        await memory.create_session("agent", "ann", "s1")
        for number in range(12):
            await memory.add_event("s1", "user_message", number)
        assert contents(await memory.get_session_events("s1")) == [7, 8, 9, 10, 11]
        assert len((await memory.get_session("s1")).events) == 5

    asyncio.run(program())


def test_more_events_than_a_page_come_back_in_order(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        for number in range(150):
            await memory.add_event("s1", "user_message", number)
        assert contents(await memory.get_session_events("s1")) == list(range(150))

    asyncio.run(program())


def test_concurrent_events_are_all_kept(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        await asyncio.gather(*(memory.add_event("s1", "user_message", number) for number in range(30)))
        assert sorted(contents(await memory.get_session_events("s1"))) == list(range(30))

    asyncio.run(program())


def test_a_session_holds_its_events_and_its_last_change(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        before = await memory.get_session("s1")
        begun = before.updated_at
        await memory.add_event("s1", "user_message", "Hello!")
        session = await memory.get_session("s1")
        assert isinstance(session, SessionMemory)
        assert (session.session_id, session.user_id, session.app_name) == ("s1", "ann", "agent")
        assert isinstance(session.events, deque)
        assert contents(session.events) == ["Hello!"]
        assert session.created_at.utcoffset() == timedelta(0)
        assert session.updated_at > begun
        assert SessionMemory.from_dict(session.to_dict()) == session

    asyncio.run(program())


# --- the conversation -----------------------------------------------------------------------------


def test_a_conversation_is_a_line_for_each_message(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        assert await memory.build_conversation_context("s1") == ""
        for kind, content in [
            ("user_message", "Hello!"),
            ("tool_call", {"tool": "calc"}),
            ("agent_response", "Hi there!"),
            ("user_message", "How are you?"),
        ]:
            await memory.add_event("s1", kind, content)
        whole = "User: Hello!\nAssistant: Hi there!\nUser: How are you?"
        assert await memory.build_conversation_context("s1") == whole
        assert await memory.build_conversation_context("s1", max_events=20) == whole
        assert await memory.build_conversation_context("s1", max_events=1) == "User: How are you?"
        assert await memory.build_conversation_context("s1", max_events=0) == ""

    asyncio.run(program())


def test_a_message_that_is_no_string_is_said_as_json(memory):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        await memory.add_event("s1", "agent_response", {"é": [1.0, None]})
        assert await memory.build_conversation_context("s1") == 'Assistant: {"é":[1.0,null]}'

    asyncio.run(program())


# --- a server's own trouble -----------------------------------------------------------------------


def remote(answers):
    def answer(request):
        sent.append(request)
        given = answers.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    sent: list[httpx.Request] = []
    client = AsyncClient("http://strata.test", transport=httpx.MockTransport(answer), sleep=_at_once)
    return RemoteMemory(client=client), sent


async def _at_once(_seconds):
    return


def test_an_event_whose_answer_was_lost_is_sent_again_with_its_id():
    memory, sent = remote([httpx.ReadTimeout("lost"), httpx.Response(201, json={"event_id": "e"})])
    assert asyncio.run(memory.add_event("s1", "user_message", "Hello!")) is True
    assert len(sent) == 2
    assert sent[0].content == sent[1].content
    assert b'"event_id":"event_' in sent[0].content


def test_a_repeated_event_stands_there_once(tmp_path):
    kind = Remote(tmp_path)
    memory = kind.make()

    async def program():
        await memory.create_session("agent", "ann", "s1")
        event = memory.create_event("user_message", "Hello!")
        for _ in range(3):
            assert await memory.add_event("s1", event) is True
        assert await memory.get_session_events("s1") == [event]

    asyncio.run(program())
    kind.close()


def test_a_refusal_and_an_absence_are_the_client_s_errors():
    memory, _ = remote([httpx.Response(403, json={"error": "no", "code": "forbidden"})])
    with pytest.raises(StrataClientError, match="no"):
        asyncio.run(memory.get_session_events("s1"))


def test_another_user_s_session_is_refused_to_a_program_that_names_its_user(tmp_path):
    kind = Remote(tmp_path)
    memory = kind.make()

    async def program():
        await memory.create_session("agent", "ann", "s1")
        with pytest.raises(StrataClientError) as refused:
            await memory.get_or_create_session("s1", "agent", "bob")
        assert refused.value.status == 409

    asyncio.run(program())
    kind.close()


def test_closing_closes_its_own_connections_only():
    async def program():
        client = AsyncClient("http://strata.test", transport=httpx.MockTransport(lambda _: pages.pop()))
        await RemoteMemory(client=client).close()
        assert await RemoteMemory(client=client).list_sessions() == []
        own = RemoteMemory("http://strata.test")
        await own.close()
        with pytest.raises(RuntimeError, match="closed"):
            await own.list_sessions()

    pages = [httpx.Response(200, json={"agent": "a", "sessions": [], "total": 0})]
    asyncio.run(program())


# --- the local one --------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [(0, 500), (1000, 0), (-1, 5)])
def test_a_limit_below_one_is_refused(limits):
    with pytest.raises(ValueError, match="must be at least 1"):
        LocalMemory(*limits)


def test_old_sessions_go_by_their_last_event():
    memory = LocalMemory()

    async def program():
        for session in ("s1", "s2"):
            await memory.create_session("agent", "ann", session)
            (await memory.get_session(session)).updated_at = datetime.now(UTC) - timedelta(hours=25)
        await memory.add_event("s2", "user_message", "still here")
        assert await memory.cleanup_old_sessions(max_age_hours=24) == 1
        assert await memory.list_sessions() == ["s2"]

    asyncio.run(program())


def test_a_message_that_json_does_not_know_is_said_in_a_local_memory():
    memory = LocalMemory()

    async def program():
        await memory.create_session("agent", "ann", "s1")
        await memory.add_event("s1", "agent_response", {1, 2} - {2})
        assert await memory.build_conversation_context("s1") == "Assistant: {1}"

    asyncio.run(program())


def done(coroutine):
    """The result of a coroutine that waits for nothing."""
    with pytest.raises(StopIteration) as ended:
        coroutine.send(None)
    return ended.value.value


class LocalMachine(RuleBasedStateMachine):
    """A local memory beside the simplest thing that does the same."""

    sessions = Bundle("sessions")

    def __init__(self):
        super().__init__()
        self.memory = LocalMemory(max_sessions=12, max_events_per_session=3)
        self.kept: dict[str, list[int]] = {}
        self.order: list[str] = []
        self.number = 0

    def touch(self, session):
        self.order = [one for one in self.order if one != session] + [session]

    @rule(target=sessions)
    def begin(self):
        session = done(self.memory.create_session("agent", "ann"))
        if len(self.kept) == 12:
            self.kept.pop(self.order.pop(0))
        self.kept[session] = []
        self.touch(session)
        return session

    @rule(session=sessions)
    def add(self, session):
        self.number += 1
        assert done(self.memory.add_event(session, "user_message", self.number)) == (session in self.kept)
        if session in self.kept:
            self.kept[session] = [*self.kept[session], self.number][-3:]
            self.touch(session)

    @rule(session=consumes(sessions))
    def delete(self, session):
        assert done(self.memory.delete_session(session)) == (session in self.kept)
        if self.kept.pop(session, None) is not None:
            self.order.remove(session)

    @rule()
    def look(self):
        assert set(done(self.memory.list_sessions())) == set(self.kept)
        for session, numbers in self.kept.items():
            assert contents(done(self.memory.get_session_events(session))) == numbers
        stats = done(self.memory.get_memory_stats())
        assert stats["total_events"] == sum(map(len, self.kept.values()))


TestLocalMachine = LocalMachine.TestCase


# --- the one that keeps nothing -------------------------------------------------------------------


def test_a_null_memory_succeeds_in_everything_and_keeps_nothing():
    memory = NullMemory(max_sessions=5)

    async def program():
        assert await memory.create_session("app", "user") == "null-session"
        assert await memory.create_session() == "null-session"
        assert await memory.create_session("app", "user", "custom-id") == "custom-id"
        assert await memory.get_or_create_session("my-session") == "my-session"
        event = memory.create_event("user_message", "Hello!")
        assert (event.event_type, event.content) == ("user_message", "Hello!")
        assert await memory.add_event("any", event) is True
        assert await memory.add_event("any") is True
        assert await memory.get_session("any") is None
        assert await memory.get_session_events("any") == []
        assert await memory.build_conversation_context("any") == ""
        assert await memory.list_sessions() == []
        assert await memory.delete_session("any") is True
        assert set((await memory.get_memory_stats()).values()) == {0}
        assert await memory.cleanup_old_sessions() == 0
        await memory.close()

    asyncio.run(program())


@pytest.mark.parametrize("kind", [LocalMemory, NullMemory, RemoteMemory])
def test_every_memory_takes_the_same_arguments(kind):
    """Also in the same order: programs of KAOS pass them by place."""
    assert issubclass(kind, Memory)
    for name, method in inspect.getmembers(Memory, inspect.isfunction):
        if not name.startswith("_"):
            own = inspect.signature(getattr(kind, name)).parameters
            assert list(own) == list(inspect.signature(method).parameters), name


# --- documents ------------------------------------------------------------------------------------


def test_an_event_is_the_document_of_kaos():
    event = MemoryEvent.from_dict(EVENT)
    assert event.timestamp == datetime(2024, 12, 31, 12, tzinfo=UTC)
    assert event.to_dict() == EVENT
    assert MemoryEvent("e", event.timestamp, "error", "late", {}).to_dict()["event_type"] == "error"


@pytest.mark.parametrize("text", ["2024-12-31T12:00:00", "2024-12-31T12:00:00Z", "2024-12-31T13:00:00+01:00"])
def test_a_time_is_read_in_any_form_of_iso_8601(text):
    assert MemoryEvent.from_dict(EVENT | {"timestamp": text}).timestamp == datetime(
        2024, 12, 31, 12, tzinfo=UTC
    )


def test_an_event_without_metadata_is_read():
    del (bare := dict(EVENT))["metadata"]
    assert MemoryEvent.from_dict(bare).metadata == {}


@pytest.mark.parametrize(
    ("change", "error"), [({"timestamp": "soon"}, ValueError), ({"event_id": ...}, KeyError)]
)
def test_a_document_that_is_no_event_is_refused(change, error):
    document = {name: value for name, value in (EVENT | change).items() if value is not ...}
    with pytest.raises(error):
        MemoryEvent.from_dict(document)


@given(
    st.lists(
        st.builds(
            MemoryEvent,
            event_id=st.text(),
            timestamp=st.datetimes(timezones=st.just(UTC)),
            event_type=st.text(),
            content=st.none() | st.text() | st.dictionaries(st.text(), st.integers()),
            metadata=st.dictionaries(st.text(), st.text()),
        )
    )
)
def test_a_session_is_what_its_document_says(events):
    session = SessionMemory("s1", "ann", "agent", deque(events))
    assert SessionMemory.from_dict(session.to_dict()) == session


def test_an_event_of_a_traced_program_names_its_trace(spans):
    from opentelemetry import trace

    with trace.get_tracer("test").start_as_current_span("work") as span:
        event = NullMemory().create_event("user_message", "Hello!", {"source": "api"})
    context = span.get_span_context()
    assert event.metadata == {
        "source": "api",
        "trace_id": f"{context.trace_id:032x}",
        "span_id": f"{context.span_id:016x}",
    }


# --- from the environment -------------------------------------------------------------------------


def test_the_environment_chooses_the_memory():
    assert type(memory_from_env({})) is LocalMemory
    assert type(memory_from_env({"MEMORY_TYPE": "local", "MEMORY_ENABLED": "true"})) is LocalMemory
    assert type(memory_from_env({"MEMORY_TYPE": "null"})) is NullMemory
    assert type(memory_from_env({"MEMORY_ENABLED": "False"})) is NullMemory
    assert type(memory_from_env({"MEMORY_ENABLED": "0", "MEMORY_TYPE": "remote"})) is NullMemory
    remote = memory_from_env({"MEMORY_TYPE": "Remote", "STRATA_URL": "http://strata.test"})
    assert type(remote) is RemoteMemory


def test_the_environment_sets_the_limits(monkeypatch):
    monkeypatch.setenv("MEMORY_MAX_SESSIONS", "7")
    monkeypatch.setenv("MEMORY_MAX_SESSION_EVENTS", "9")
    monkeypatch.setenv("MEMORY_CONTEXT_LIMIT", "3")
    memory = memory_from_env()
    assert isinstance(memory, LocalMemory)
    assert (memory.max_sessions, memory.max_events_per_session, memory.context_limit) == (7, 9, 3)
    usual = memory_from_env({"MEMORY_MAX_SESSIONS": "", "MEMORY_TYPE": " "})
    assert isinstance(usual, LocalMemory)
    assert (usual.max_sessions, usual.max_events_per_session, usual.context_limit) == (1000, 500, 6)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEMORY_TYPE", "redis"),
        ("MEMORY_ENABLED", "maybe"),
        ("MEMORY_CONTEXT_LIMIT", "0"),
        ("MEMORY_MAX_SESSIONS", "-1"),
        ("MEMORY_MAX_SESSION_EVENTS", "many"),
    ],
)
def test_a_value_that_can_not_be_used_is_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be .*'{value}'"):
        memory_from_env({name: value})


# --- programs that change some of their imports only


class TheirEvent:
    """KAOS's own class: the same fields."""

    def __init__(self, **changed):
        fields = {"timestamp": datetime(2024, 12, 31, 12), "metadata": {"n": 1}, "content": {"tool": "calc"}}
        fields |= {"event_id": "event_theirs", "event_type": "tool_call"}
        for name, value in (fields | changed).items():
            setattr(self, name, value)


def test_an_event_of_kaoss_own_class_is_kept_as_ours(memory):
    async def program():
        for session in ("s1", "s2"):
            await memory.create_session("agent", "ann", session)
        assert await memory.add_event("s1", event=TheirEvent())
        (event,) = await memory.get_session_events("s1")
        assert isinstance(event, MemoryEvent)
        assert event.to_dict() == {
            "event_id": "event_theirs",
            "timestamp": "2024-12-31T12:00:00+00:00",
            "event_type": "tool_call",
            "content": {"tool": "calc"},
            "metadata": {"n": 1},
        }
        assert await memory.get_session_events("s2") == []

    asyncio.run(program())


@pytest.mark.parametrize(
    "wrong",
    [None, 7, {"event_type": "error"}, TheirEvent(event_type=None), TheirEvent(timestamp="noon"), object()],
)
def test_what_is_no_event_is_refused_and_nothing_is_kept(memory, wrong):
    async def program():
        await memory.create_session("agent", "ann", "s1")
        with pytest.raises(TypeError, match="event must be a MemoryEvent"):
            await memory.add_event("s1", wrong)
        assert await memory.get_session_events("s1") == []

    asyncio.run(program())


def test_the_class_has_the_name_that_kaoss_programs_import():
    assert InMemorySessionService is LocalMemory
