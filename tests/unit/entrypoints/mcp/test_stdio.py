"""The protocol on standard streams: lines in, lines out, nothing else."""

import io
import json

import pytest

from strata.entrypoints.mcp.protocol import Outcome, Tool
from strata.entrypoints.mcp.stdio import MAX_LINE, serve


class Toolbox:
    instructions = "Use mem_echo."

    def offered(self):
        return [Tool("echo", "Echo", "Says it again.", {"type": "object"}, {})]

    def call(self, name, arguments):
        return Outcome(arguments.get("say", ""), {"said": True})


def talk(*lines):
    """The answers to lines, which are bytes or messages."""
    sent = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    out = io.BytesIO()
    serve(io.BytesIO(sent), out, Toolbox())
    assert out.getvalue().endswith(b"\n") or not out.getvalue()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def request(method, params=None, number=1):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def code(reply):
    return reply["error"]["code"]


def test_the_handshake_decides_how_the_rest_is_answered():
    call = request("tools/call", {"name": "echo"}, 2)
    for revision, structured in (("2024-11-05", False), ("2025-11-25", True)):
        opened, called = talk(request("initialize", {"protocolVersion": revision}), call)
        assert opened["result"]["protocolVersion"] == revision
        assert ("structuredContent" in called["result"]) == structured


def test_batches_are_taken_once_their_revision_was_agreed():
    batch = [request("ping", number=2), request("ping", number=3)]
    _, replies = talk(request("initialize", {"protocolVersion": "2025-03-26"}), batch)
    assert [reply["id"] for reply in replies] == [2, 3]
    assert code(talk(batch)[0]) == -32600


def test_a_request_that_names_its_revision_needs_no_handshake():
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    (reply,) = talk(request("server/discover", {"_meta": meta}))
    assert "2026-07-28" in reply["result"]["supportedVersions"]
    old = meta | {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    (reply,) = talk(request("server/discover", {"_meta": old}, 9))
    assert (code(reply), reply["id"]) == (-32022, 9)


@pytest.mark.parametrize("line", [b"nonsense\n", b'{"a": NaN}\n', b"\xff\xfe\n", b"[" * 100_000 + b"\n"])
def test_a_line_that_is_not_json_is_answered_and_the_next_one_is_read(line):
    wrong, right = talk(line, request("ping"))
    assert (code(wrong), wrong["id"]) == (-32700, None)
    assert right["result"] == {}


def test_a_line_that_is_too_long_is_skipped_whole():
    long = b'"' + b"x" * (3 * MAX_LINE) + b'"\n'
    wrong, right = talk(long, request("ping"))
    assert code(wrong) == -32600
    assert right["result"] == {}


def test_a_line_of_exactly_the_limit_is_read():
    call = request("tools/call", {"name": "echo", "arguments": {"say": ""}})
    filled = call["params"]["arguments"]
    filled["say"] = "x" * (MAX_LINE - len(json.dumps(call)) - 1)
    (reply,) = talk(call)
    assert reply["result"]["content"][0]["text"] == filled["say"]


def test_blank_lines_and_notifications_are_not_answered():
    assert talk(b"\n", b"  \n", {"jsonrpc": "2.0", "method": "notifications/initialized"}) == []


def test_the_last_line_needs_no_end():
    assert talk(json.dumps(request("ping")).encode())[0]["result"] == {}


def test_newlines_and_surrogates_in_an_answer_stay_on_its_line():
    said = "one\ntwo\u2028three \ud800"
    (reply,) = talk(request("tools/call", {"name": "echo", "arguments": {"say": said}}))
    assert reply["result"]["content"][0]["text"] == said


def test_it_ends_when_nobody_reads_any_more():
    class Closed(io.BytesIO):
        def write(self, data):
            raise BrokenPipeError

    serve(io.BytesIO(json.dumps(request("ping")).encode() * 2), Closed(), Toolbox())
