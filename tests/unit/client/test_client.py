import asyncio
import json
import pickle
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strata.client import AsyncClient, Client, RetryPolicy, StrataClientError
from support.blocking_client import Blocking
from support.fake_strata import FakeStrata


@pytest.fixture
def server() -> FakeStrata:
    return FakeStrata()


@pytest.fixture(params=["sync", "async"])
def client(request, server):
    """Either kind of client; the methods of both wait."""
    given = {"url": "http://strata.test", "transport": server, "retry": RetryPolicy(retries=0)}
    opened = Client(**given) if request.param == "sync" else Blocking(lambda: AsyncClient(**given))
    with opened as client:
        yield client


def note(client: Client, content: str = "the deploy needs a lock") -> int:
    return client.save(content, project="web", session_id="s1", title="Deploy", type="lesson").id


# --- routes ---------------------------------------------------------------------------------------


def test_what_is_saved_is_found_read_changed_and_forgotten(client):
    identity = note(client)
    assert [hit.id for hit in client.search("lock", project="web")] == [identity]
    assert client.get(identity).content == "the deploy needs a lock"
    assert client.change(identity, title="Deploying", tags=[]).title == "Deploying"
    assert [entry.id for entry in client.timeline(identity)] == [identity]
    assert [observation.id for observation in client.recent("web")] == [identity]
    client.delete(identity, hard=True)
    assert client.recent("web") == []


def test_a_change_sends_only_what_is_named(client, server):
    identity = note(client)
    client.change(identity, tags=[])
    assert json.loads(server.requests[-1].content) == {"tags": []}


def test_context_comes_as_data_and_as_the_text_of_a_prompt(client):
    note(client)
    assert client.context("web", query="deploy").recent_observations[0].title == "Deploy"
    assert "[lesson] Deploy: the deploy needs a lock" in client.context_text("web")


def test_the_pages_of_an_export_can_be_imported_elsewhere(client):
    for number in range(5):
        note(client, f"note {number}")
    other = Client("http://other.test", transport=FakeStrata())
    pages = list(client.export("web"))
    assert [len(page.observations) for page in pages] == [2, 2, 1]
    added = [other.import_(page).imported_observations for page in pages]
    assert sum(added) == other.stats().total_observations == 5
    assert other.import_(pages[0].model_dump(mode="json")).imported_observations == 0


def test_the_pages_of_an_export_are_fetched_when_they_are_asked_for(server):
    with Client("http://strata.test", transport=server) as client:
        for number in range(5):
            note(client, f"note {number}")
        before = len(server.requests)
        next(client.export("web"))
        assert len(server.requests) == before + 1


async def _first_pages(server) -> int:
    async with AsyncClient("http://strata.test", transport=server) as client:
        pages: Any = client.export("web")
        await anext(pages)
        await anext(pages)
        await pages.aclose()
    return len(server.requests)


def test_the_pages_of_an_export_are_fetched_when_they_are_awaited(server, client):
    for number in range(9):
        note(client, f"note {number}")
    assert asyncio.run(_first_pages(server)) == 9 + 2


def test_an_async_session_is_a_block_to_await(server):
    async def talk() -> str:
        async with AsyncClient("http://strata.test", transport=server) as client:
            async with client.session(project="web", user_id="ann", agent_id="bot") as session:
                session.add("user", "hello")
                await session.save("greets back", title="Manners", type="note")
            assert session.ended is not None
            return session.ended.summary

    assert asyncio.run(talk()) == "Session with 1 messages."
    begun, saved, _ = (json.loads(request.content) for request in server.requests)
    assert (begun["user_id"], begun["agent_id"], saved["user_id"]) == ("ann", "bot", "ann")


def test_many_calls_of_one_async_client_are_on_their_way_together():
    waiting = 0

    async def answer(request: httpx.Request) -> httpx.Response:
        nonlocal waiting
        waiting += 1
        while waiting < 10:
            await asyncio.sleep(0)
        return httpx.Response(200, json=[])

    async def talk() -> None:
        async with AsyncClient("http://strata.test", transport=httpx.MockTransport(answer)) as client:
            await asyncio.wait_for(asyncio.gather(*(client.recent() for _ in range(10))), timeout=30)

    asyncio.run(talk())
    assert waiting == 10


def test_health_says_how_the_server_is(client):
    assert client.health().status == "ok"


@given(st.text(st.characters(), min_size=1, max_size=30))
@example("\udcff")
@example(".")
@example("..")
def test_an_id_of_any_characters_stays_one_part_of_the_path(identity):
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"session_id": "x", "summary": "", "message_count": 0})

    Client("http://strata.test", transport=httpx.MockTransport(answer)).end_session(identity)
    raw = seen[0].url.raw_path.decode()
    assert raw.count("/") == 3
    assert "?" not in raw


def test_half_a_character_is_searched_as_a_replacement(client, server):
    client.search("caf\udce9")
    assert server.requests[-1].url.params["q"] == "caf\N{REPLACEMENT CHARACTER}"


def test_half_a_character_in_a_body_is_left_to_the_server_to_refuse(client, server):
    note(client, "caf\udce9")
    assert b"caf\\udce9" in server.requests[-1].content


def test_parameters_that_are_not_given_are_not_sent(client, server):
    client.search("tea, coffee")
    assert dict(server.requests[-1].url.params) == {"q": "tea, coffee"}


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_client_tells_where_its_server_is(kind, monkeypatch):
    assert kind("http://strata.test/v1/").url == "http://strata.test/v1"
    monkeypatch.setenv("STRATA_URL", "http://elsewhere.test")
    assert kind().url == "http://elsewhere.test"


# --- sessions -------------------------------------------------------------------------------------


def test_a_session_block_begins_collects_and_ends(client, server):
    with client.session(project="web") as session:
        session.add("user", "hello")
        session.add("assistant", "hi")
        saved = session.save("greets back", title="Manners", type="note")
    assert session.ended is not None
    assert session.ended.message_count == 2
    assert server.sessions[session.id]["project"] == "web"
    assert server.observations[saved.id]["session_id"] == session.id


def test_a_session_asks_for_context_as_its_own_conversation(client, server):
    with client.session(project="web", id="s9", user_id="ann", agent_id="bot") as session:
        session.save("greets back", title="Manners", type="note")
        text = session.context_text(
            "greeting", token_budget=300, limit=2, layers=["observations"], turn_id="t1"
        )
        asked = dict(server.requests[-1].url.params)
    assert "- [note] Manners: greets back" in text
    assert asked == {
        "project": "web",
        "query": "greeting",
        "agent_id": "bot",
        "user_id": "ann",
        "conversation_id": "s9",
        "token_budget": "300",
        "limit": "2",
        "layers": "observations",
        "turn_id": "t1",
        "format": "text",
    }


def test_a_session_block_that_fails_ends_with_what_was_said_and_keeps_its_error(client, server):
    def talk() -> None:
        with client.session(project="web", id="s9") as session:
            session.add("user", "hello")
            raise RuntimeError("the agent broke")

    with pytest.raises(RuntimeError, match="the agent broke"):
        talk()
    assert server.sessions["s9"]["message_count"] == 1


def test_an_ending_that_fails_does_not_hide_the_error_of_the_block(client, server):
    def talk() -> None:
        with client.session(project="web"):
            server.refusals = [httpx.Response(500)]
            raise RuntimeError("the agent broke")

    with pytest.raises(RuntimeError, match="the agent broke"):
        talk()


# --- errors ---------------------------------------------------------------------------------------


def test_a_refusal_carries_status_code_message_and_details(client, server):
    details = [{"field": "title", "message": "is too long"}]
    body = {"error": "one field is wrong", "code": "invalid_request", "details": details}
    server.refusals = [httpx.Response(400, json=body)]
    with pytest.raises(StrataClientError, match="one field is wrong") as raised:
        note(client)
    error = raised.value
    assert (error.status, error.code, error.details) == (400, "invalid_request", details)
    assert pickle.loads(pickle.dumps(error)).details == details


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        (
            httpx.Response(429, json={"message": "Too Many Requests"}),
            "too_many_requests",
            "Too Many Requests",
        ),
        (httpx.Response(502, text="<html>bad</html>"), "bad_gateway", "502 Bad Gateway"),
        (httpx.Response(599, text=""), "bad_answer", "599"),
        (httpx.Response(403, json=["?"]), "forbidden", "403 Forbidden"),
        (httpx.Response(301, headers={"location": "/x"}), "moved_permanently", "301"),
    ],
)
def test_a_refusal_of_something_on_the_way_is_told_too(client, server, answer, code, message):
    server.refusals = [answer]
    with pytest.raises(StrataClientError, match=message) as raised:
        note(client)
    assert raised.value.code == code


def test_an_answer_that_cannot_be_unpacked_is_an_error(client, server):
    server.refusals = [httpx.DecodingError("not gzip")]
    with pytest.raises(StrataClientError, match="not Strata's") as raised:
        client.recent()
    assert raised.value.code == "bad_answer"


def test_a_question_that_no_address_can_hold_is_refused(client, server):
    with pytest.raises(StrataClientError, match="too long") as raised:
        client.search("x" * 70_000)
    assert raised.value.code == "invalid_request"
    assert server.requests == []


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines", "nul\x00"])
def test_a_key_that_no_header_can_carry_is_refused_at_once(key):
    with pytest.raises(StrataClientError) as raised:
        Client("http://strata.test", key=key)
    assert raised.value.code == "bad_key"
    assert key not in raised.value.message


def test_space_around_a_key_is_not_part_of_it(monkeypatch, server):
    monkeypatch.setenv("STRATA_API_KEY", "secret\n")
    with Client("http://strata.test", transport=server) as client:
        client.recent()
    assert server.requests[-1].headers["authorization"] == "Bearer secret"


@pytest.mark.parametrize("answer", [httpx.Response(200, text="<html>"), httpx.ConnectError("refused")])
def test_a_password_in_the_address_stands_in_no_error(answer):
    def send(request):
        if isinstance(answer, Exception):
            raise answer
        return answer

    address, once = "http://ann:secret@strata.test:8443/prod", RetryPolicy(retries=0)
    client = Client(address, transport=httpx.MockTransport(send), retry=once)
    with client, pytest.raises(StrataClientError) as raised:
        client.get(7)
    assert "http://strata.test:8443/prod" in raised.value.message
    assert "secret" not in raised.value.message


@pytest.mark.parametrize("text", ["<html>", "{}", '{"id": "seven"}', ""])
def test_an_answer_that_is_not_stratas_is_an_error(client, server, text):
    server.refusals = [httpx.Response(200, text=text)]
    with pytest.raises(StrataClientError) as raised:
        client.get(7)
    assert raised.value.code == "bad_answer"


@pytest.mark.parametrize(
    "url", ["strata.test", "ftp://strata.test", "http://", "http://x:99999", "http://[::1", "http://x\x01y"]
)
def test_an_address_that_cannot_be_one_is_refused_at_once(url):
    with pytest.raises(StrataClientError) as raised:
        Client(url)
    assert raised.value.code == "bad_url"


# --- where and who --------------------------------------------------------------------------------


def test_address_and_key_come_from_the_environment(monkeypatch, server):
    monkeypatch.setenv("STRATA_URL", "https://strata.test/prod/")
    monkeypatch.setenv("STRATA_API_KEY", "secret")
    with Client(
        transport=httpx.MockTransport(lambda request: server.requests.append(request) or page())
    ) as client:
        client.recent()
    assert str(server.requests[-1].url) == "https://strata.test/prod/observations/recent"
    assert server.requests[-1].headers["authorization"] == "Bearer secret"


def page() -> httpx.Response:
    return httpx.Response(200, json=[])


def test_arguments_win_over_the_environment_and_no_key_sends_none(monkeypatch, server):
    monkeypatch.setenv("STRATA_URL", "https://elsewhere.test")
    Client("http://strata.test", transport=server).recent()
    assert server.requests[-1].url.host == "strata.test"
    assert "authorization" not in server.requests[-1].headers
