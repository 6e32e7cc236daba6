"""Writes of a device are its user's, on every route that writes; before it has a user, its own."""

import json
from typing import Any

import pytest

from strata.entrypoints.http.api.openapi import document
from support.api import ClaimsFromHeader, client
from support.api_calls import data
from support.clocks import HandClock
from support.memory import application, observation

WORD = "heron"

WRITES: dict[str, tuple[str, Any]] = {
    "POST /sessions": ("/sessions", {"id": "s-heron", "project": "demo"}),
    "POST /sessions/{id}/end": ("/sessions/s/end", {"messages": [{"role": "user", "content": WORD}]}),
    "POST /observations": ("/observations", observation(content=f"saw a {WORD}", session_id="s2")),
    "POST /memory/sessions": ("/memory/sessions", {"session_id": "s-heron"}),
    "POST /memory/sessions/{id}/events": (
        "/memory/sessions/s/events",
        {"event_type": "user_message", "content": WORD},
    ),
    "POST /episodic/store": (
        "/episodic/store",
        {"conversation_id": "s", "agent_id": "a", "summary": f"about a {WORD}"},
    ),
    "POST /api/memory/ingest": (
        "/api/memory/ingest",
        {
            "session_id": "s",
            "tool_calls": 4,
            "response": f"In summary, the {WORD} was seen because of it. " * 20,
        },
    ),
    "PUT /working-memory/{conversation_id}": ("/working-memory/s", {"note": WORD}),
    "POST /ledger/{conversation_id}/mark": ("/ledger/s/mark", {"item": WORD}),
    "PUT /api/memory/profile": ("/api/memory/profile", {"name": WORD}),
    "POST /mcp": (
        "/mcp",
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {
                "name": "mem_save",
                "arguments": {"type": "note", "title": WORD, "content": f"a {WORD}", "project": "demo"},
            },
        },
    ),
}
"""A write of each route that takes the user whose it is."""
DELETIONS = {
    "DELETE /working-memory/{conversation_id}",
    "POST /ledger/{conversation_id}/evict",
    "DELETE /memory/sessions/{id}",
    "DELETE /api/memory/episodes/{id}",
    "DELETE /api/memory/conclusions",
    "DELETE /api/memory/conclusions/{conclusionId}",
    "POST /api/memory/consolidations/{consolidationId}/undo",
    "POST /api/memory/forget",
    "PUT /api/entities/{entityId}",
    "DELETE /api/entities/{entityId}",
    "POST /api/entities/{entityId}/restore",
    "POST /api/entities/{entityId}/merge",
    "POST /api/entities/{entityId}/merge/undo",
}
"""Routes that take a user and write nothing new: they change or take away what is known."""
READS = {"POST /episodic/search", "POST /api/memory/ask"}
OTHERS = {
    "PUT /api/devices/{deviceId}": "maps a device by its name",
    "POST /api/devices/{deviceId}/link": "maps a device by its name",
    "PUT /api/users/{userId}/preferences": "names its user in the path",
}
UNREAD = {("PUT /working-memory/{conversation_id}", "body")}
"""Every field of this body is a field of the conversation."""
USERS = {"user_id", "userId"}


@pytest.fixture
def ask(tmp_path):
    app = application(tmp_path, HandClock(), AUTH="required")
    api = client(app, ClaimsFromHeader())

    def asked(tenant, method, path, *, headers=(), **sent):
        return api.request(method, path, headers={"x-tenant": tenant, **dict(headers)}, **sent)

    yield asked
    app.close()


def held(ask, tenant, owner):
    return str(data(ask(tenant, "GET", f"/api/rgpd/users/{owner}/ai-data"))["items"])


def starts(ask, tenant):
    """A session of nobody's, which a write with a user makes that user's."""
    assert ask(tenant, "POST", "/sessions", json={"id": "s", "project": "demo"}).status_code == 201


def written(ask, tenant, route, way, device="kitchen"):
    path, body = WRITES[route]
    sent: dict[str, Any] = {"json": body}
    if way == "header":
        sent["headers"] = {"X-Device-Id": device}
    elif way == "query":
        sent["params"] = {"device_id": device}
    else:
        sent["json"] = body | {"device_id": device}
    answer = ask(tenant, route.split()[0], path, **sent)
    assert answer.status_code < 300, answer.text
    assert "device" not in answer.headers.get("strata-ignored", "")
    return answer


def test_every_route_that_takes_a_user_is_tried_here():
    described = json.loads(document())
    taking = set()
    for path, item in described["paths"].items():
        for method, operation in item.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            named = str(body.get("schema", {}))
            for reference in [word for word in named.split("'") if word.startswith("#/components/schemas/")]:
                schema = described["components"]["schemas"][reference.rpartition("/")[2]]
                named += str(sorted(schema.get("properties", {})))
            names = {each["name"] for each in operation.get("parameters", [])}
            if method != "get" and (names & USERS or any(f"'{name}'" in named for name in USERS)):
                taking.add(f"{method.upper()} {path}")
    assert set(WRITES) <= taking <= {*WRITES, *DELETIONS, *READS, *OTHERS}


@pytest.mark.parametrize(
    ("route", "way"),
    [(route, way) for route in WRITES for way in ("header", "query", "body") if (route, way) not in UNREAD],
)
def test_a_write_of_a_device_is_its_users_and_before_that_its_own(ask, route, way):
    for tenant in ("acme", "globex"):
        starts(ask, tenant)
    assert ask("acme", "PUT", "/api/devices/kitchen", json={"userId": "ann"}).status_code == 200
    assert ask("acme", "PUT", "/api/devices/cellar", json={"userId": "bob"}).status_code == 200
    for tenant in ("acme", "globex"):
        written(ask, tenant, route, way)
    own = "device:kitchen"
    assert WORD in held(ask, "acme", "ann")
    assert WORD in held(ask, "globex", own)
    for tenant, other in (("acme", own), ("acme", "bob"), ("globex", "ann"), ("acme", "default")):
        assert WORD not in held(ask, tenant, other)


def test_a_device_has_one_user_until_it_is_taken_from_them(ask):
    assert ask("acme", "GET", "/api/devices/kitchen").status_code == 404
    given = ask("acme", "PUT", "/api/devices/kitchen", json={"userId": "ann"}).json()
    assert (given["deviceId"], given["userId"]) == ("kitchen", "ann")
    assert ask("acme", "PUT", "/api/devices/kitchen", json={"userId": "ann"}).json() == given
    refused = ask("acme", "PUT", "/api/devices/kitchen", json={"userId": "bob"})
    assert (refused.status_code, refused.json()["code"]) == (409, "owned_by_another")
    assert ask("acme", "GET", "/api/devices/kitchen").json() == given | {"device": given}
    assert ask("globex", "GET", "/api/devices/kitchen").status_code == 404
    assert ask("globex", "PUT", "/api/devices/kitchen", json={"userId": "bob"}).status_code == 200
    assert ask("acme", "DELETE", "/api/devices/kitchen").json() == {
        "deleted": True,
        "success": True,
        "deviceId": "kitchen",
    }
    assert ask("acme", "DELETE", "/api/devices/kitchen").status_code == 404
    assert ask("acme", "PUT", "/api/devices/kitchen", json={"userId": "bob"}).status_code == 200


def test_a_device_is_linked_as_agtos_does_it(ask):
    for tenant, user in (("acme", "ann"), ("globex", "bob")):
        linked = ask(tenant, "POST", "/api/devices/kitchen/link", json={"userId": user})
        assert (linked.status_code, linked.json()) == (
            200,
            {"linked": True, "deviceId": "kitchen", "userId": user},
        )
        assert ask(tenant, "GET", "/api/devices/kitchen").json()["device"]["userId"] == user
    refused = ask("acme", "POST", "/api/devices/kitchen/link", json={"userId": "bob"})
    assert (refused.status_code, refused.json()["code"]) == (409, "owned_by_another")
    assert ask("acme", "POST", "/api/devices/kitchen/link", json={}).status_code == 400


def test_a_write_that_names_another_user_than_its_devices_is_refused(ask):
    ask("acme", "PUT", "/api/devices/kitchen", json={"userId": "ann"})
    headers = {"X-Device-Id": "kitchen"}
    for user, status in (("ann", 201), ("bob", 409)):
        body = observation(content=f"of {user}", user_id=user)
        assert ask("acme", "POST", "/observations", headers=headers, json=body).status_code == status
    query = {"user_id": "bob"}
    answer = ask("acme", "PUT", "/working-memory/c", headers=headers, params=query, json={"a": 1})
    assert answer.status_code == 409
    two = ask("acme", "POST", "/observations", headers=headers, json=observation(device_id="cellar"))
    assert (two.status_code, two.json()["details"][0]["field"]) == (400, "device_id")


@pytest.mark.parametrize("length", [191, 201])
def test_a_device_id_that_is_too_long_is_told_the_one_limit_wherever_it_stands(ask, length):
    long = "d" * length
    for answer in (
        ask("acme", "PUT", f"/api/devices/{long}", json={"userId": "ann"}),
        ask("acme", "POST", "/observations", headers={"X-Device-Id": long}, json=observation()),
        ask("acme", "POST", "/observations", params={"device_id": long}, json=observation()),
        ask("acme", "POST", "/observations", json=observation(device_id=long)),
    ):
        (told,) = answer.json()["details"]
        assert (answer.status_code, told["message"]) == (400, "should have at most 190 characters")
        assert told["field"] in ("device_id", "deviceId")


@pytest.mark.parametrize("wrong", [5, True, ["kitchen"], {"id": "kitchen"}])
def test_a_device_whose_id_is_no_text_is_refused_and_nothing_is_written(ask, wrong):
    answer = ask("acme", "POST", "/observations", json=observation(content=WORD, device_id=wrong))
    assert (answer.status_code, answer.json()["details"][0]["field"]) == (400, "device_id")
    assert WORD not in held(ask, "acme", "default")


def test_a_header_names_the_same_device_as_a_body_in_any_script(ask):
    for device, user in (("küche 厨房", "ann"), ("salón", "bob")):
        ask("acme", "PUT", f"/api/devices/{device}", json={"userId": user})
        headers = {"X-Device-Id": device.encode()}
        body = observation(content=f"{WORD} of {user}", session_id=f"s-{user}")
        assert ask("acme", "POST", "/observations", headers=headers, json=body).status_code == 201
    assert [f"{WORD} of {each}" in held(ask, "acme", "ann") for each in ("ann", "bob")] == [True, False]
    assert [f"{WORD} of {each}" in held(ask, "acme", "bob") for each in ("ann", "bob")] == [False, True]


def test_a_user_who_is_named_before_the_device_has_one_is_taken(ask):
    body = observation(content=f"a {WORD}", user_id="ann", device_id="kitchen")
    assert ask("acme", "POST", "/observations", json=body).status_code == 201
    assert WORD in held(ask, "acme", "ann")


def test_a_device_deletes_within_its_users_memories_only(ask):
    for person, device in (("ann", "kitchen"), ("bob", "cellar")):
        ask("acme", "PUT", f"/api/devices/{device}", json={"userId": person})
        ask("acme", "PUT", f"/working-memory/of-{person}", params={"user_id": person}, json={"a": 1})
    headers = {"X-Device-Id": "kitchen"}
    assert ask("acme", "DELETE", "/working-memory/of-bob", headers=headers).status_code == 409
    assert ask("acme", "DELETE", "/working-memory/of-ann", headers=headers).json() == {"deleted": 1}


def used(ask, tool, sent, **arguments):
    """The result of a tool for a model that is called with what names a device."""
    call = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    params = {"tools": "mem_forget,memory_ask_about_user,mem_entity"} | sent.get("params", {})
    body = message | sent.get("json", {})
    answer = ask("acme", "POST", "/mcp", headers=sent.get("headers", {}), params=params, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


BY_DEVICE = pytest.mark.parametrize(
    "sent",
    [
        {"headers": {"X-Device-Id": "kitchen"}},
        {"params": {"device_id": "kitchen"}},
        {"json": {"device_id": "kitchen"}},
        {"headers": {"X-Device-Id": "kitchen"}, "params": {"user_id": "ann"}},
    ],
    ids=["header", "query", "body", "with its user"],
)


@BY_DEVICE
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("mem_forget", {"ids": "theirs"}),
        ("mem_forget", {"query": f"which {WORD}"}),
        ("memory_ask_about_user", {"question": f"which {WORD}"}),
        ("mem_entity", {"entity": "Marta"}),
    ],
)
def test_a_tool_for_the_model_of_a_device_reaches_its_user_alone(ask, sent, tool, arguments):
    ids = {}
    for person, device in (("ann", "kitchen"), ("bob", "cellar")):
        ask("acme", "PUT", f"/api/devices/{device}", json={"userId": person})
        body = observation(content=f"likes a {WORD} of {person}", session_id=f"s-{person}", user_id=person)
        ids[person] = f"observations:{ask('acme', 'POST', '/observations', json=body).json()['id']}"
    if arguments.get("ids"):
        arguments = {"ids": [ids["bob"]]}
    result = used(ask, tool, sent, **arguments, user_id="bob")
    assert (result["isError"], result["content"][0]["text"]) == (True, "the device belongs to another user")
    assert f"{WORD} of bob" in held(ask, "acme", "bob")
    # its own user may be named, and need not be
    for named in ({}, {"user_id": "ann"}):
        shown = used(ask, "mem_forget", sent, query=f"which {WORD}", **named)["content"][0]["text"]
        assert f"{WORD} of ann" in shown
        assert f"{WORD} of bob" not in shown
    assert not used(ask, "mem_forget", sent, ids=[ids["ann"]], user_id="ann").get("isError")
    assert f"{WORD} of ann" not in held(ask, "acme", "ann")


def test_a_tool_for_the_model_of_a_device_without_a_user_takes_the_one_that_it_names(ask):
    for person in ("ann", "bob"):
        body = observation(content=f"likes a {WORD} of {person}", session_id=f"s-{person}", user_id=person)
        ask("acme", "POST", "/observations", json=body)
    sent = {"headers": {"X-Device-Id": "kitchen"}}
    shown = used(ask, "mem_forget", sent, query=f"which {WORD}", user_id="bob")["content"][0]["text"]
    assert f"{WORD} of bob" in shown
    assert f"{WORD} of ann" not in shown


def test_nothing_is_kept_of_a_device_whose_user_opted_out(ask):
    ask("acme", "PUT", "/api/devices/kitchen", json={"userId": "ann"})
    ask("acme", "PUT", "/api/rgpd/users/ann/consent", json={"persist": False})
    body = observation(content=f"a {WORD}", device_id="kitchen")
    assert ask("acme", "POST", "/observations", json=body).json()["action"] == "skipped"
    assert WORD not in held(ask, "acme", "ann")
    assert WORD not in held(ask, "acme", "device:kitchen")


def test_routes_that_read_do_not_look_the_device_up(ask):
    ask("acme", "PUT", "/api/devices/kitchen", json={"userId": "ann"})
    answer = ask("acme", "GET", "/api/memory/profile", params={"device_id": "kitchen"})
    assert answer.headers["strata-ignored"] == "device_id"
