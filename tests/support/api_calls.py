"""Calls that many tests of the API make."""

from urllib.parse import quote, unquote

from strata.domain.wire.envelope import has_envelope
from support.memory import dialogue, observation, unique

IDS = [
    *(
        "a/b",
        "😀 emoji",
        "שלום/עולם",
        "a b+c",
        "100%",
        "a%2Fb",
        "a#b?c=d&e",
        "x" * 200,
        "字" * 200,
        "..a",
        "%",
    ),
    *("'; DROP TABLE--", "a\\b", "\u2028", "{id}", "end"),
]


def save(api, project, content="SQLite runs in WAL mode", **fields):
    """The answer to a save, which must succeed."""
    body = observation(project=project, content=content, session_id=f"{project}-s", **fields)
    response = api.post("/observations", json=body)
    assert response.status_code == 201, response.text
    return response.json()


def start(api, project, session_id=None, **fields):
    """The id of a session that was started."""
    session_id = session_id or unique("session-")
    body = {"id": session_id, "project": project} | fields
    assert api.post("/sessions", json=body).status_code == 201
    return session_id


def end(api, session_id, *said):
    return api.post(f"/sessions/{quote(session_id, safe='')}/end", json={"messages": dialogue(*said)})


def data(response):
    """The content of a successful response; on Fyso's routes, and nowhere else, inside their envelope."""
    assert response.status_code < 400, response.text
    said = response.json()
    if not has_envelope(unquote(response.request.url.path)):
        return said
    assert set(said) == {"success", "data"}
    assert said["success"] is True
    return said["data"]


def refused(response, status, code):
    """The fields that an error names; it must have the shape of its route's errors."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    if has_envelope(unquote(response.request.url.path)):
        assert (set(body), body["success"]) == ({"success", "error"}, False)
        assert body["error"]["code"] == ("VALIDATION_ERROR" if code == "invalid_request" else code.upper())
        body = {"error": body["error"].pop("message"), **body["error"], "code": code}
    assert body["code"] == code
    assert set(body) <= {"error", "code", "details"}
    assert body["error"]
    assert "Traceback" not in body["error"]
    for detail in body.get("details", []):
        assert set(detail) == {"field", "message"}
    return sorted({detail["field"] for detail in body.get("details", [])})


def called(tool, **arguments):
    """The message that calls a tool."""
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
