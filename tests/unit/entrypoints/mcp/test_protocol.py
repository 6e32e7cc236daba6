"""The Model Context Protocol as it is spoken here, revision by revision, over a toolbox of the test's own."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.entrypoints.mcp import negotiation
from strata.entrypoints.mcp.messages import ProtocolError
from strata.entrypoints.mcp.protocol import MAX_BATCH, Outcome, Tool, respond
from strata.entrypoints.mcp.revisions import HANDSHAKE, STATELESS, SUPPORTED, Revision

NEWEST = Revision(STATELESS[0])
VERSION = "io.modelcontextprotocol/protocolVersion"
META = {VERSION: NEWEST.name, "io.modelcontextprotocol/clientCapabilities": {}}
HANDSHAKES = pytest.mark.parametrize("revision", list(map(Revision, HANDSHAKE)), ids=str)
EVERY = pytest.mark.parametrize("revision", list(map(Revision, SUPPORTED)), ids=str)


class Toolbox:
    """One tool, which says what it was given."""

    instructions = "Use mem_echo."

    def __init__(self):
        self.calls = []

    def offered(self):
        hints = {"readOnlyHint": True}
        return [Tool("echo", "Echo", "Says it again.", {"type": "object"}, hints, {"type": "object"})]

    def call(self, name, arguments):
        self.calls.append((name, arguments))
        return Outcome("as you say", {"said": True}, failed="fail" in arguments)


def request(method, params=None, number=1):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def answered(value, revision=NEWEST, toolbox=None) -> Any:
    """The answer to a message, or the answers to a batch."""
    return respond(value, revision, toolbox or Toolbox())


def ask(method, params=None, revision=NEWEST):
    """The result of a request that succeeds."""
    reply = answered(request(method, params), revision)
    assert (reply["jsonrpc"], reply["id"]) == ("2.0", 1)
    return reply["result"]


def error(value, revision=NEWEST):
    """Code and id of the error that a message is answered with."""
    reply = answered(value, revision)
    assert set(reply) == {"jsonrpc", "id", "error"}
    assert reply["error"]["message"]
    return reply["error"]["code"], reply["id"]


# --- opening --------------------------------------------------------------------------------------


@HANDSHAKES
def test_a_handshake_ends_with_the_revision_that_was_asked_for(revision):
    answer = ask("initialize", {"protocolVersion": revision.name}, Revision(HANDSHAKE[0]))
    assert answer["protocolVersion"] == revision.name
    assert answer["capabilities"] == {"tools": {}}
    assert answer["serverInfo"]["name"] == "strata"
    assert answer["instructions"] == Toolbox.instructions


@pytest.mark.parametrize("asked", ["1999-01-01", "2026-07-28", "", None, 7, ["2025-06-18"]])
def test_a_handshake_for_anything_else_ends_with_the_newest_that_has_one(asked):
    answer = ask("initialize", {"protocolVersion": asked}, Revision(HANDSHAKE[0]))
    assert answer["protocolVersion"] == "2025-11-25"


def test_without_a_handshake_a_server_is_discovered():
    answer = ask("server/discover")
    assert answer["supportedVersions"] == list(SUPPORTED)
    assert answer["capabilities"] == {"tools": {}}
    assert answer["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "strata"
    assert (answer["resultType"], answer["cacheScope"]) == ("complete", "private")
    assert answer["ttlMs"] > 0


@HANDSHAKES
def test_what_belongs_to_one_era_is_unknown_in_the_other(revision):
    assert error(request("server/discover"), revision) == (-32601, 1)
    assert error(request("initialize", {"protocolVersion": revision.name})) == (-32601, 1)
    assert error(request("ping")) == (-32601, 1)
    assert ask("ping", revision=revision) == {}


# --- tools ----------------------------------------------------------------------------------------


@EVERY
def test_tools_are_described_as_far_as_the_revision_goes(revision):
    (tool,) = ask("tools/list", revision=revision)["tools"]
    assert (tool["name"], tool["inputSchema"]) == ("echo", {"type": "object"})
    assert ("annotations" in tool) == (revision.name >= "2025-03-26")
    assert ("title" in tool) == ("outputSchema" in tool) == (revision.name >= "2025-06-18")


@EVERY
def test_a_call_gives_words_and_as_far_as_the_revision_goes_data(revision):
    answer = ask("tools/call", {"name": "echo", "arguments": {"a": 1}}, revision)
    assert answer["content"] == [{"type": "text", "text": "as you say"}]
    assert answer["isError"] is False
    assert ("structuredContent" in answer) == (revision.name >= "2025-06-18")
    assert ("resultType" in answer) == revision.stateless


@EVERY
def test_a_tool_that_fails_gives_a_result(revision):
    assert ask("tools/call", {"name": "echo", "arguments": {"fail": 1}}, revision)["isError"] is True


@EVERY
def test_a_tool_that_is_not_offered_is_a_mistake_of_the_client(revision):
    assert error(request("tools/call", {"name": "rm"}), revision) == (-32602, 1)


@pytest.mark.parametrize(
    "params",
    [{}, {"name": 1}, {"name": "echo", "arguments": [1]}, {"name": "echo", "arguments": "x"}, {"name": None}],
)
def test_a_call_without_a_name_or_with_arguments_that_are_no_object_is_a_mistake_of_the_client(params):
    assert error(request("tools/call", params)) == (-32602, 1)


@pytest.mark.parametrize("params", [{"name": "echo"}, {"name": "echo", "arguments": None}])
def test_a_tool_may_be_called_without_arguments(params):
    toolbox = Toolbox()
    respond(request("tools/call", params), NEWEST, toolbox)
    assert toolbox.calls == [("echo", {})]


def test_there_is_one_page_of_tools():
    assert "nextCursor" not in ask("tools/list", {"cursor": None})
    assert error(request("tools/list", {"cursor": "2"})) == (-32602, 1)


# --- messages -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["resources/list", "prompts/list", "logging/setLevel", "", "tools/Call"])
@EVERY
def test_a_method_that_is_not_there_is_named_so(method, revision):
    assert error(request(method), revision) == (-32601, 1)


@pytest.mark.parametrize(
    ("value", "answered_to"),
    [
        ("x", None),
        (None, None),
        (7, None),
        ({}, None),
        ({"jsonrpc": "2.0"}, None),
        ({"jsonrpc": "1.0", "id": 3, "method": "ping"}, 3),
        ({"id": "a", "method": "ping"}, "a"),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 3, "method": 4}, 3),
        ({"jsonrpc": "2.0", "id": 3, "method": "ping", "params": [1]}, 3),
        ({"jsonrpc": "2.0", "id": 3}, 3),
    ],
)
def test_what_is_no_message_is_refused(value, answered_to):
    assert error(value) == (-32600, answered_to)


@EVERY
def test_nobody_answers_a_notification_or_a_response(revision):
    for silent in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "no/such"},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}},
    ):
        assert respond(silent, revision, Toolbox()) is None


def test_a_notification_uses_no_tool():
    toolbox = Toolbox()
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "echo"}}
    assert respond(call, NEWEST, toolbox) is None
    assert toolbox.calls == []


BATCHES = Revision("2025-03-26")


def test_a_batch_is_answered_message_by_message_where_there_are_batches():
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    replies = answered([request("ping", number=1), note, "x", request("ping", number="b")], BATCHES)
    assert [reply["id"] for reply in replies] == [1, None, "b"]
    assert respond([note, note], BATCHES, Toolbox()) is None


@pytest.mark.parametrize("size", [0, MAX_BATCH + 1])
def test_a_batch_of_another_size_is_refused_whole(size):
    toolbox = Toolbox()
    reply = answered([request("tools/call", {"name": "echo"})] * size, BATCHES, toolbox)
    assert (reply["error"]["code"], toolbox.calls) == (-32600, [])


@pytest.mark.parametrize("revision", [Revision(name) for name in SUPPORTED if name != "2025-03-26"], ids=str)
def test_there_are_no_batches_anywhere_else(revision):
    assert error([request("ping")], revision) == (-32600, None)


# --- which revision -------------------------------------------------------------------------------


def of_request(value, **headers):
    return negotiation.of_request(value, {name.replace("_", "-"): text for name, text in headers.items()})


def stateless(method="tools/list", params=None, meta=META):
    return request(method, (params or {}) | {"_meta": meta})


def headers(method="tools/list", version=NEWEST.name, **more):
    return {"mcp_protocol_version": version, "mcp_method": method} | more


def test_a_request_that_says_nothing_is_of_the_first_revision_over_http():
    assert of_request(request("tools/list")) == Revision("2025-03-26")
    assert of_request([request("tools/list")]) == Revision("2025-03-26")
    assert of_request("x") == Revision("2025-03-26")


@HANDSHAKES
def test_a_header_names_the_revision_that_a_handshake_ended_with(revision):
    assert of_request(request("tools/list"), mcp_protocol_version=revision.name) == revision


def test_a_request_of_the_newest_revision_says_so_in_its_headers_too():
    assert of_request(stateless(), **headers()) == NEWEST
    call = stateless("tools/call", {"name": "echo"})
    assert of_request(call, **headers("tools/call", mcp_name="echo")) == NEWEST


@pytest.mark.parametrize(
    ("value", "sent", "code"),
    [
        (stateless(), {}, -32020),
        (stateless(), headers(version="2025-11-25"), -32020),
        (stateless(), {"mcp_protocol_version": NEWEST.name}, -32020),
        (stateless(), headers("tools/call"), -32020),
        (stateless("tools/call", {"name": "echo"}), headers("tools/call"), -32020),
        (stateless("tools/call", {"name": "echo"}), headers("tools/call", mcp_name="other"), -32020),
        (request("tools/list"), headers(), -32602),
        (stateless(meta={VERSION: NEWEST.name}), headers(), -32602),
        (request("tools/list"), {"mcp_protocol_version": "1999-01-01"}, -32022),
        (stateless(meta=META | {VERSION: "2099-01-01"}), headers(version="2099-01-01"), -32022),
        ([stateless()], headers(), -32602),
    ],
)
def test_a_request_whose_headers_and_body_do_not_go_together_is_refused(value, sent, code):
    with pytest.raises(ProtocolError) as refused:
        of_request(value, **sent)
    assert refused.value.code == code
    if code == -32022:
        assert isinstance(refused.value.data, dict)
        assert refused.value.data["supported"] == list(SUPPORTED)


def test_a_notification_needs_no_more_than_a_revision_that_is_spoken():
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    for name in SUPPORTED:
        assert of_request(note, mcp_protocol_version=name) == Revision(name)


def test_a_line_is_of_the_agreed_revision_unless_it_names_its_own():
    agreed = Revision("2025-06-18")
    assert negotiation.of_line(request("tools/list"), agreed) == agreed
    assert negotiation.of_line(stateless(), agreed) == NEWEST
    for meta, code in (
        ({VERSION: NEWEST.name}, -32602),
        (META | {VERSION: 7}, -32602),
        (META | {VERSION: "2099-01-01"}, -32022),
    ):
        with pytest.raises(ProtocolError) as refused:
            negotiation.of_line(stateless(meta=meta), agreed)
        assert refused.value.code == code


# --- anything at all ------------------------------------------------------------------------------

_words = st.sampled_from(
    ["jsonrpc", "2.0", "id", "method", "params", "tools/call", "echo", "_meta", "name", *META, *SUPPORTED]
)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | _words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_words | st.text(), inner, max_size=5),
    max_leaves=20,
)


@given(_json, st.sampled_from(SUPPORTED), st.dictionaries(_words | st.just("mcp-method"), st.text() | _words))
def test_whatever_is_sent_is_answered_by_the_rules_of_json_rpc(value, name, sent):
    try:
        reply = respond(value, negotiation.of_request(value, sent), Toolbox())
    except ProtocolError as refused:
        reply = refused.reply()
    also = respond(value, Revision(name), Toolbox())
    for each in [reply, *(also if isinstance(also, list) else [also])]:
        if isinstance(each, dict):
            assert each["jsonrpc"] == "2.0"
            assert ("result" in each) != ("error" in each)
            json.dumps(each)
