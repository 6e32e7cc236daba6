"""The tools as an agent meets them: the protocol's own client, over HTTP and over standard streams."""

import asyncio
import json
import os
import re
import subprocess
import sys
from contextlib import asynccontextmanager

import httpx
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client
from strata.client import Client as MemoryClient
from strata.client import StrataClientError
from strata.entrypoints.mcp.revisions import HANDSHAKE, STATELESS, SUPPORTED
from support.api import ClaimsFromHeader, client
from support.api_calls import called
from support.memory import application, unique
from support.served_api import served

pytestmark = pytest.mark.xdist_group("mcp")

NAMES = ["mem_save", "mem_search", "mem_context", "mem_get", "mem_timeline"]
MODES = ["legacy", "auto", *STATELESS]
COMMAND = "from strata.cli import main; main()"
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "MEMORY_"))
}


def on_streams(*arguments, **environment):
    """A client's way to `strata mcp`."""
    return stdio_client(
        StdioServerParameters(
            command=sys.executable,
            args=["-c", COMMAND, "mcp", *arguments],
            env=ENVIRONMENT | environment,
        )
    )


@asynccontextmanager
async def over_http(url, **headers):
    """A client's way to `POST /mcp`."""
    async with (
        httpx2.AsyncClient(trust_env=False, timeout=30, headers=headers) as http,
        streamable_http_client(url, http_client=http) as streams,
    ):
        yield streams


def text(result):
    (part,) = result.content
    return part.text


async def conversation(way, mode):
    """Everything that an agent does with the tools, in order; over any way, in any era."""
    async with Client(way, mode=mode) as agent:
        assert agent.protocol_version in SUPPORTED
        if mode not in STATELESS:  # a client that is told the revision asks for nothing else
            assert agent.server_info.name == "strata"
            assert "mem_save" in agent.instructions
        listed = await agent.list_tools()
        assert [tool.name for tool in listed.tools] == NAMES
        assert listed.tools[0].output_schema["properties"]["id"] == {"type": "integer"}
        assert listed.tools[1].annotations.read_only_hint is True

        words = {"type": "decision", "title": "Journal mode", "content": f"{mode}: SQLite runs in WAL mode."}
        saved = await agent.call_tool("mem_save", words)
        assert not saved.is_error
        number = saved.structured_content["id"]
        for tool, arguments in (
            ("mem_search", {"query": "journal mode"}),
            ("mem_context", {"query": "which journal mode?"}),
            ("mem_get", {"id": number}),
            ("mem_timeline", {"id": number}),
        ):
            found = await agent.call_tool(tool, arguments)
            assert not found.is_error
            assert f"{mode}: SQLite runs in WAL mode." in text(found)
            assert text(found).startswith("<memory:")

        found = text(await agent.call_tool("mem_search", {"query": "journal mode", "limit": 500}))
        assert re.search(r"SQLite runs in WAL mode\. \(id \d+, .*, relevance [01]\.\d\d\)", found)
        unrelated = await agent.call_tool("mem_search", {"query": "quarterly tax filing in Norway"})
        assert (unrelated.is_error, text(unrelated)) == (False, "Nothing close to that is remembered.")
        untyped = {"title": "Tea", "content": f"{mode}: Ann drinks tea in the morning."}
        saved = await agent.call_tool("mem_save", untyped)
        assert not saved.is_error
        found = await agent.call_tool("mem_get", {"id": saved.structured_content["id"]})
        assert "[discovery] Tea" in text(found)

        missing = await agent.call_tool("mem_get", {"id": 1})
        assert (missing.is_error, text(missing)) == (True, "no such observation")
        wrong = await agent.call_tool("mem_search", {"limit": 0})
        assert (wrong.is_error, text(wrong)[:20]) == (True, "query: must be given")
        with pytest.raises(MCPError) as unknown:
            await agent.call_tool("mem_forget", {})
        assert unknown.value.code == -32602
        return agent.protocol_version


@pytest.mark.parametrize("mode", MODES)
def test_an_agent_uses_every_tool_over_http(address, mode):
    way = over_http(f"{address}/mcp?project={unique()}")
    spoken = asyncio.run(conversation(way, mode))
    assert spoken == (HANDSHAKE[0] if mode == "legacy" else STATELESS[0])


@pytest.mark.parametrize("mode", MODES)
def test_an_agent_uses_every_tool_on_streams_over_a_store_of_its_own(tmp_path, mode):
    spoken = asyncio.run(conversation(on_streams("--project", "shop", STRATA_DATA=str(tmp_path)), mode))
    assert spoken == (HANDSHAKE[0] if mode == "legacy" else STATELESS[0])


def test_an_agent_uses_every_tool_on_streams_in_front_of_a_server(address, tmp_path):
    way = on_streams("--project", unique(), STRATA_URL=address, STRATA_DATA=str(tmp_path / "unused"))
    asyncio.run(conversation(way, "legacy"))
    assert not (tmp_path / "unused").exists()


def test_processes_that_share_a_store_see_what_the_others_save(tmp_path):
    async def talk():
        ways = [on_streams("--project", "shop", STRATA_DATA=str(tmp_path)) for _ in range(3)]
        async with (
            Client(ways[0], mode="legacy") as one,
            Client(ways[1], mode="legacy") as two,
            Client(ways[2], mode="legacy") as three,
        ):
            agents = [one, two, three]
            saves = [
                agent.call_tool(
                    "mem_save", {"type": "note", "title": f"n{number}", "content": f"fact {number}"}
                )
                for number, agent in enumerate(agents * 5)
            ]
            done = await asyncio.gather(*saves)
            assert [each.is_error for each in done] == [False] * 15
            for agent in agents:
                found = text(await agent.call_tool("mem_search", {"query": "fact", "limit": 50}))
                assert all(f"fact {number} " in found for number in range(15))

    asyncio.run(talk())


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_older_clients_are_answered_in_their_own_revision(address, revision):
    def ask(method, params, **headers):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        response = httpx.post(f"{address}/mcp{empty}", json=message, headers=headers, trust_env=False)
        assert response.status_code == 200
        return response.json()["result"]

    empty = f"?project={unique()}"
    hello = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert ask("initialize", hello)["protocolVersion"] == revision
    spoken = {"MCP-Protocol-Version": revision} if revision >= "2025-06-18" else {}
    assert len(ask("tools/list", {}, **spoken)["tools"]) == 5
    found = ask("tools/call", {"name": "mem_search", "arguments": {"query": "nothing"}}, **spoken)
    assert found["content"][0]["text"] == "Nothing close to that is remembered."


def test_the_session_of_an_older_client_library_works(address):
    async def talk():
        async with (
            over_http(f"{address}/mcp?project={unique()}") as (read, write),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            assert len((await session.list_tools()).tools) == 5
            await session.send_ping()

    asyncio.run(talk())


def test_a_program_uses_the_tools_by_the_client_library(address):
    words = {"type": "decision", "title": "Journal mode", "content": "SQLite runs in WAL mode."}
    project = unique()
    with MemoryClient(address) as memory:
        saved = memory.call_tool("mem_save", words, project=project, user_id="ann")
        found = memory.call_tool("mem_get", {"id": saved["structuredContent"]["id"]})
        assert f"project: {project}" in found["content"][0]["text"]
        assert memory.call_tool("mem_get", {"id": 1})["isError"] is True
        with pytest.raises(StrataClientError):
            memory.call_tool("mem_forget")


# --- switches and keys ----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_the_switches_take_tools_away(address, tmp_path, mode):
    async def offered(way):
        async with Client(way, mode=mode) as agent:
            with pytest.raises(MCPError):
                await agent.call_tool("mem_save", {"type": "t", "title": "t", "content": "c"})
            return [tool.name for tool in (await agent.list_tools()).tools]

    left = ["mem_context", "mem_get", "mem_timeline"]
    assert asyncio.run(offered(over_http(f"{address}/mcp?autoSave=false&autoSearch=false"))) == left
    way = on_streams("--no-auto-save", "--no-auto-search", STRATA_DATA=str(tmp_path))
    assert asyncio.run(offered(way)) == left


def test_a_key_that_may_read_only_cannot_save(tmp_path):
    async def talk(address, key):
        way = on_streams(
            "--project", "shop", STRATA_URL=address, STRATA_API_KEY=key, STRATA_DATA=str(tmp_path)
        )
        http = over_http(f"{address}/mcp?project=shop", authorization=f"Bearer {key}")
        for each in (way, http):
            async with Client(each, mode="legacy") as agent:
                words = {"type": "t", "title": "t", "content": "c"}
                refused = await agent.call_tool("mem_save", words)
                assert (refused.is_error, text(refused)) == (True, "these credentials lack the 'write' scope")
                assert not (await agent.call_tool("mem_context")).is_error

    environment = ENVIRONMENT | {"STRATA_DATA": str(tmp_path)}
    run = [sys.executable, "-c", COMMAND]
    command = [*run, "keys", "create", "--tenant", "acme", "--name", "agent", "--scopes", "read"]
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    with served(tmp_path, STRATA_AUTH="required") as api:
        asyncio.run(talk(str(api.base_url).rstrip("/"), made.stdout.strip()))


def test_without_a_key_a_server_that_asks_for_one_is_a_sentence_in_every_result(tmp_path):
    async def talk(address):
        async with Client(on_streams(STRATA_URL=address), mode="legacy") as agent:
            assert len((await agent.list_tools()).tools) == 5
            return await agent.call_tool("mem_context")

    with served(tmp_path, STRATA_AUTH="required") as api:
        refused = asyncio.run(talk(str(api.base_url).rstrip("/")))
    assert refused.is_error
    assert "credentials" in text(refused)


def test_a_server_that_is_away_is_a_sentence_and_the_tools_are_still_listed():
    async def talk():
        async with Client(on_streams(STRATA_URL="http://127.0.0.1:9"), mode="legacy") as agent:
            assert [tool.name for tool in (await agent.list_tools()).tools] == NAMES
            return await agent.call_tool("mem_context")

    refused = asyncio.run(talk())
    assert refused.is_error
    assert text(refused).startswith("can't reach Strata at http://127.0.0.1:9")


def test_nothing_but_the_protocol_is_written_to_the_output(tmp_path):
    environment = ENVIRONMENT | {
        "STRATA_DATA": str(tmp_path),
        "STRATA_LOG_FORMAT": "json",
        "STRATA_LOG_LEVEL": "DEBUG",
        "STRATA_METRICS": "emf",
    }
    lines = [called("mem_save", type="t", title="t", content="c"), called("mem_search", query="c")]
    ran = subprocess.run(
        [sys.executable, "-c", COMMAND, "mcp", "--project", "shop"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert [json.loads(line)["result"]["isError"] for line in ran.stdout.splitlines()] == [False, False]
    assert "SavesCreated" in ran.stderr  # metrics and log lines are printed, and went the other way


# --- HTTP -----------------------------------------------------------------------------------------


@pytest.fixture
def api(tmp_path):
    app = application(tmp_path, AUTH="required")
    with client(app, ClaimsFromHeader()) as api:
        api.headers["x-tenant"] = "ours"
        yield api
    app.close()


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_and_no_session(api, method):
    response = api.request(method, "/mcp", headers={"accept": "text/event-stream", "mcp-session-id": "s1"})
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert response.json()["code"] == "method_not_allowed"


def test_no_session_is_ever_opened(api):
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
    response = api.post("/mcp", json=hello, headers={"mcp-session-id": "s1", "last-event-id": "7"})
    assert response.status_code == 200
    assert "mcp-session-id" not in response.headers


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, -32700),
        (b"{", 400, -32700),
        (b'{"a": Infinity}', 400, -32700),
        (b"[" * 50_000, 400, -32700),
        (b"7", 400, -32600),
        (b"null", 400, -32600),
        (b"[]", 400, -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "nothing"}', 200, -32601),
    ],
)
def test_a_bad_message_is_an_error_of_json_rpc(api, body, status, code):
    response = api.post("/mcp", content=body, headers={"content-type": "application/json"})
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


def test_the_newest_revision_has_a_status_for_each_kind_of_error(api):
    meta = {
        "io.modelcontextprotocol/protocolVersion": STATELESS[0],
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    def ask(method, headers=None, **params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta} | params}
        usual = {"mcp-protocol-version": STATELESS[0], "mcp-method": method, "mcp-name": params.get("name")}
        sent = {name: value for name, value in (usual | (headers or {})).items() if value}
        response = api.post("/mcp", json=message, headers=sent)
        return response.status_code, response.json().get("error", {}).get("code")

    assert ask("server/discover") == (200, None)
    assert ask("nothing") == (404, -32601)
    assert ask("tools/call", name="nothing") == (400, -32602)
    assert ask("tools/list", {"mcp-method": "tools/call"}) == (400, -32020)
    assert ask("tools/list", {"mcp-protocol-version": "2025-11-25"}) == (400, -32020)
    assert ask("tools/list", {"mcp-protocol-version": "1900-01-01"}) == (400, -32020)


def test_a_notification_is_taken_note_of_without_a_body(api):
    for note in ({"method": "notifications/initialized"}, {"id": 4, "result": {}}):
        response = api.post("/mcp", json={"jsonrpc": "2.0"} | note)
        assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"params": {"project": "x" * 201}}, 400),
        ({"params": {"autoSave": "perhaps"}}, 400),
        ({"headers": {"content-type": "text/plain"}}, 415),
        ({"headers": {"x-tenant": ""}}, 401),
        ({"content": b" " * (1024 * 1024 + 1)}, 413),
    ],
)
def test_what_is_wrong_about_the_request_itself_is_told_as_on_every_route(api, sent, status):
    usual = {"content": json.dumps(called("mem_context")), "headers": {"content-type": "application/json"}}
    response = api.post("/mcp", **usual | sent)
    assert response.status_code == status
    assert isinstance(response.json()["error"], str)


def test_a_page_of_another_site_is_kept_out(address):
    response = httpx.post(
        f"{address}/mcp",
        json=called("mem_context"),
        headers={"origin": "https://evil.example"},
        trust_env=False,
    )
    assert response.status_code == 403
