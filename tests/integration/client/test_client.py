"""The client against the service, three ways: in this process, through `strata serve`, and a deployed stack.

The last is the stack at STRATA_TEST_URL, opened by STRATA_API_KEY; without it one skipped test says so.
"""

import asyncio
import os
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from strata.client import AsyncClient, Client, StrataClientError
from strata.local.transport import InProcessTransport
from support.api import gateway
from support.blocking_client import Blocking
from support.memory import application
from support.served_api import served

pytestmark = pytest.mark.xdist_group("client-ways")

DEPLOYED = "STRATA_TEST_URL"


@contextmanager
def _in_process(folder: Path) -> Iterator[dict[str, Any]]:
    app = application(folder)
    yield {"url": "http://localhost", "transport": InProcessTransport(gateway(app))}
    app.close()


@contextmanager
def _served(folder: Path) -> Iterator[dict[str, Any]]:
    with served(folder) as api:
        yield {"url": str(api.base_url)}


@contextmanager
def _deployed(folder: Path) -> Iterator[dict[str, Any]]:
    yield {"url": os.environ[DEPLOYED]}


WAYS: dict[str, Callable[[Path], AbstractContextManager[dict[str, Any]]]] = {
    "in process": _in_process,
    "served": _served,
}
if DEPLOYED in os.environ:
    WAYS["deployed"] = _deployed


@pytest.mark.skipif(
    DEPLOYED not in os.environ,
    reason=f"{DEPLOYED} is not set: the client was NOT tried against a deployed stack",
)
def test_the_deployed_stack_is_well():
    with Client(os.environ[DEPLOYED]) as client:
        assert client.health().status == "ok"


@pytest.fixture(scope="module", params=list(WAYS))
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The arguments that let a client reach the service."""
    with WAYS[request.param](tmp_path_factory.mktemp("store")) as place:
        yield place


@pytest.fixture(params=["sync", "async"])
def client(request: pytest.FixtureRequest, place: Any) -> Iterator[Any]:
    """Either kind of client; the methods of both wait."""
    opened = Client(**place) if request.param == "sync" else Blocking(lambda: AsyncClient(**place))
    with opened as client:
        yield client


@pytest.fixture
def new() -> str:
    """A name that no other test and no other run uses."""
    return f"t{uuid.uuid4().hex}"


# --- observations and sessions --------------------------------------------------------------------


def test_what_is_saved_is_found_read_changed_and_forgotten(client, new):
    fields = {"project": new, "session_id": new, "title": "Storage", "type": "decision"}
    saved = client.save("SQLite runs in WAL mode", **fields)
    assert saved.action == "created"
    assert [hit.id for hit in client.search("which mode does SQLite run in?", project=new)] == [saved.id]
    assert client.change(saved.id, tags=["sqlite"]).tags == ["sqlite"]
    assert client.get(saved.id).content == "SQLite runs in WAL mode"
    assert [entry.id for entry in client.timeline(saved.id)] == [saved.id]
    assert "SQLite runs in WAL mode" in client.context_text(new)
    client.delete(saved.id, hard=True)
    assert client.recent(new) == []
    with pytest.raises(StrataClientError) as raised:
        client.get(saved.id)
    assert (raised.value.status, raised.value.code) == (404, "not_found")


def test_a_session_block_ends_with_what_was_said(client, new):
    with client.session(project=new, user_id="ann") as session:
        session.add("user", "Make the database faster")
        session.add("assistant", "Done: WAL mode.")
        saved = session.save("WAL mode is faster", title="Speed", type="lesson")
    assert session.ended.message_count == 2
    assert "Make the database faster" in session.ended.summary
    assert [each.id for each in client.recent_sessions(new)] == [session.id]
    assert client.get(saved.id).user_id == "ann"
    assert client.context(new).recent_sessions[0].summary == session.ended.summary


def test_what_is_exported_is_imported_once(client, new):
    for number in range(3):
        client.save(f"note {number}", project=new, session_id=new, title="Note", type="note")
    pages = list(client.export(new))
    assert sorted(row.content for page in pages for row in page.observations) == [
        "note 0",
        "note 1",
        "note 2",
    ]
    assert [client.import_(page).imported_observations for page in pages] == [0] * len(pages)


def test_every_problem_of_a_request_is_told(client, new):
    with pytest.raises(StrataClientError) as raised:
        client.save("", project=new, session_id=new, title="", type="note")
    assert raised.value.code == "invalid_request"
    assert {detail["field"] for detail in raised.value.details} == {"content", "title"}


def test_the_server_is_well(client):
    assert client.health().status == "ok"
    assert client.stats().total_observations >= 0


def test_many_awaited_saves_at_once_are_all_kept(place, new):
    async def save_all() -> set[int]:
        fields = {"project": new, "session_id": new, "title": "Note", "type": "note"}
        async with AsyncClient(**place) as client:
            saved = await asyncio.gather(*(client.save(f"note {n}", **fields) for n in range(20)))
        return {each.id for each in saved}

    identities = asyncio.run(save_all())
    with Client(**place) as client:
        assert {row.id for row in client.recent(new, limit=50)} == identities
    assert len(identities) == 20


# --- working memory and the ledger ----------------------------------------------------------------


def test_working_memory_gives_back_what_was_put(client, new):
    values = {"plan": [1, 1.0, {"deep": None}], "naïve": "\N{HOT BEVERAGE}", "large": 10**40}
    assert client.get_working_memory(new) == {}
    put = client.put_working_memory(new, values, ttl_seconds=600, user_id="ann")
    assert put == values
    assert [type(each) for each in put["plan"]] == [int, float, dict]
    assert client.put_working_memory(new, {"plan": None}) == values | {"plan": None}
    assert client.delete_working_memory(new, ["naïve", "nothing"]) == 1
    assert client.get_working_memory(new) == {"plan": None, "large": 10**40}
    assert client.delete_working_memory(new) == 2
    assert client.get_working_memory(new) == {}


def test_the_scratchpad_and_the_entities_are_fields_of_working_memory(client, new):
    assert client.get_scratchpad(new) is None
    assert client.get_entities(new) == []
    client.set_scratchpad(new, "Rule 37 applies")
    client.set_entities(new, [{"type": "Well", "id": "42-123"}])
    assert client.get_scratchpad(new) == "Rule 37 applies"
    assert client.get_entities(new) == [{"type": "Well", "id": "42-123"}]
    assert set(client.get_working_memory(new)) == {"scratchpad", "entities"}


def test_a_working_memory_that_is_too_large_is_refused(client, new):
    with pytest.raises(StrataClientError) as raised:
        client.put_working_memory(new, {"much": "x" * 70_000})
    assert raised.value.status == 413
    assert client.get_working_memory(new) == {}


def test_an_item_is_marked_once_until_it_is_evicted(client, new):
    assert client.check_ledger(new, "facts:1") is False
    assert [client.mark_ledger(new, "facts:1") for _ in range(2)] == [True, False]
    assert client.check_ledger(new, "facts:1") is True
    client.mark_ledger(new, "facts:2", "shown")
    assert client.get_ledger(new) == {"facts:1": "injected", "facts:2": "shown"}
    assert [client.evict_ledger(new, "facts:1") for _ in range(2)] == [True, False]
    assert client.mark_ledger(new, "facts:1") is True


def test_of_many_marks_at_once_one_wins(place, new):
    with Client(**place) as client, ThreadPoolExecutor(8) as pool:
        marks = list(pool.map(lambda _: client.mark_ledger(new, "facts:1"), range(24)))
    assert sorted(marks) == [False] * 23 + [True]


# --- events ---------------------------------------------------------------------------------------


def test_events_come_back_in_order_and_as_they_were(client, new):
    assert client.create_event_session(new, user_id="ann") == new
    first = client.add_event(new, "user_message", "hello", metadata={"weight": 1.0})
    rest = client.add_events(
        new,
        [
            {"event_type": "tool_call", "content": {"tool": "search", "arguments": {"q": "x"}}},
            {"event_type": "agent_response", "content": "hi"},
        ],
    )
    page = client.session_events(new)
    assert [event.event_id for event in page.events] == [first, *rest]
    assert page.events[0].metadata == {"weight": 1.0}
    assert page.events[1].content == {"tool": "search", "arguments": {"q": "x"}}
    assert page.total == 3
    assert client.recent_events(new, limit=1).events == page.events[-1:]
    chosen = client.session_events(new, event_types=["user_message", "agent_response"]).events
    assert [event.content for event in chosen] == ["hello", "hi"]
    assert client.conversation_text(new) == "User: hello\nAssistant: hi"
    session = client.get_event_session(new)
    assert (session.session_id, session.user_id, session.events) == (new, "ann", page.events)
    assert new in client.event_sessions("ann").sessions
    assert client.delete_event_session(new) is True
    with pytest.raises(StrataClientError, match=r".") as raised:
        client.add_event(new, "user_message", "hello?")
    assert raised.value.status == 404


def test_an_event_that_is_sent_again_is_there_once(client, new):
    client.create_event_session(new)
    ids = [client.add_event(new, "error", "no", event_id="e1") for _ in range(2)]
    assert ids == ["e1", "e1"]
    assert client.session_events(new).total == 1


def test_a_session_for_events_is_made_with_an_id_of_its_own(client):
    session_id = client.create_event_session()
    assert client.get_event_session(session_id).events == []
    client.delete_event_session(session_id)


def test_events_are_counted(client, new):
    client.create_event_session(new)
    client.add_events(new, [{"event_type": "error", "content": n} for n in range(3)])
    assert client.event_stats().total_sessions >= 1
    assert client.clean_up_events(1_000_000) == 0


# --- episodes -------------------------------------------------------------------------------------


def test_an_episode_is_stored_found_and_forgotten(client, new):
    identity = client.store_episode(
        "Moved the shop's database to PostgreSQL",
        conversation_id=new,
        agent_id=new,
        user_id=new,
        key_decisions=["PostgreSQL, not MySQL"],
        importance=0.8,
    )
    [listed] = client.conversation_episodes(new)
    assert (listed.id, listed.importance, listed.key_decisions) == (identity, 0.8, ["PostgreSQL, not MySQL"])
    [similar] = client.similar_episodes("which database?", agent_id=new)
    assert similar.id == identity
    assert -1 <= similar.similarity <= 1
    assert [each.id for each in client.search_episodes("database move", user_id=new)] == [identity]
    recent = client.recent_episodes(new)
    assert ([each.id for each in recent.episodes], recent.count) == ([identity], 1)
    assert client.delete_episode(identity, user_id=new) is True
    assert client.conversation_episodes(new) == []


def test_a_response_that_is_worth_it_is_kept(client, new):
    long = "Compared to MySQL, the trade-offs favour PostgreSQL. " * 30
    kept = client.ingest(new, long, tool_calls=2, steps=3, user_id=new)
    assert kept.ingested
    assert kept.importance >= 0.6
    assert not client.ingest(new, "ok", user_id=new).ingested


# --- the assembled context ------------------------------------------------------------------------


def test_a_conversation_is_not_given_the_same_twice_but_a_repeat_is(client, new):
    client.save("SQLite runs in WAL mode", project=new, session_id=new, title="Storage", type="decision")
    asked = {"query": "database mode", "conversation_id": f"{new}-c", "layers": ["observations"]}
    first = client.assemble_context(new, **asked, turn_id="t1")
    assert [item.layer for item in first.items] == ["observations"]
    assert client.assemble_context(new, **asked, turn_id="t1").items == first.items
    assert client.assemble_context(new, **asked).items == []
    assert client.context_text(new, query="database mode", layers=["observations"])


# --- tools ----------------------------------------------------------------------------------------


def test_a_models_tools_can_be_called(client, new):
    arguments = {"title": "Storage", "content": "SQLite runs in WAL mode", "type": "decision"}
    assert not client.call_tool("mem_save", arguments, project=new)["isError"]
    found = client.call_tool("mem_search", {"query": "database mode"}, project=new)
    assert "WAL mode" in found["content"][0]["text"]
