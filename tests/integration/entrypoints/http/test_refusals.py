"""Refusals of the API: one shape, every problem at once."""

import json

import pytest

from support.api_calls import refused, save
from support.memory import observation

JSON = {"content-type": "application/json"}


def test_every_wrong_field_is_named_at_once(api):
    body = {"session_id": "", "type": "x" * 51, "title": "x" * 501, "tags": ["x"] * 21, "topic_key": "a\nb"}
    named = refused(api.post("/observations", json=body), 400, "invalid_request")
    assert named == ["content", "project", "session_id", "tags", "title", "topic_key", "type"]
    assert refused(api.post("/sessions", json={}), 400, "invalid_request") == ["id", "project"]
    asked = {"mode": "y", "min_score": "z", "type": "t" * 51, "project": "p" * 201}
    named = refused(api.get("/search", params=asked), 400, "invalid_request")
    assert named == ["min_score", "mode", "project", "q", "type"]


def test_of_very_many_problems_the_first_hundred_are_named(api):
    body = {
        "conversation_id": "c",
        "agent_id": "a",
        "summary": "s",
        "tools_used": [1] * 100,
        "keywords": [""] * 20,
    }
    response = api.post("/episodic/store", json=body)
    assert len(response.json()["details"]) == 100
    assert response.json()["error"].endswith("; and 20 more")


@pytest.mark.timeout(20)
def test_an_import_of_a_megabyte_of_mistakes_gets_a_short_answer(api):
    response = api.post("/import", json={"observations": [{}] * 300_000})
    assert refused(response, 400, "invalid_request") == ["observations"]
    assert len(response.content) < 100_000


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/observations"),
        ("PATCH", "/observations/1"),
        ("POST", "/sessions"),
        ("POST", "/sessions/s1/end"),
        ("POST", "/ledger/c1/mark"),
        ("POST", "/episodic/store"),
        ("PUT", "/working-memory/c1"),
    ],
)
def test_a_list_is_no_object_and_no_part_of_it_is_taken_for_one(api, method, path):
    body = [observation() | {"id": "s", "item": "i", "conversation_id": "c", "agent_id": "a", "summary": "s"}]
    response = api.request(method, path, json=body)
    assert response.status_code == 400
    assert "object" in response.json()["error"]


PARAMETERS = [
    ("/search", "min_score", [0, -5.5, "1e3"], ["nan", "inf", "-inf", "1e999", "x", ""]),
    ("/search", "mode", ["hybrid", "bm25", "vector"], ["", "HYBRID", "x"]),
    ("/search", "q", ["x" * 10_000], ["x" * 10_001]),
    ("/search", "project", ["p" * 200, ""], ["p" * 201, "a\nb"]),
    ("/context", "format", ["json", "text"], ["xml", ""]),
    ("/observations/recent", "scope", ["s" * 50, ""], ["s" * 51]),
]


@pytest.mark.parametrize(("path", "name", "good", "bad"), PARAMETERS)
def test_a_parameter_holds_its_limits_and_not_more(api, path, name, good, bad):
    usual = {"q": "x"} if path == "/search" else {}
    for value in good:
        assert api.get(path, params=usual | {name: value}).status_code == 200, value
    for value in bad:
        assert refused(api.get(path, params=usual | {name: value}), 400, "invalid_request") == [name], value


NO_NUMBERS = ["", "x", "1e3", "1.5", "-1", "9" * 5000]


def test_a_limit_is_cut_to_its_maximum_or_falls_back_to_its_default(api, project):
    for number in range(60):
        save(api, project, content=f"The otter has {number} fish", title=f"Otter {number}")

    def answered(path, **params):
        response = api.get(path, params={"project": project} | params)
        assert response.status_code == 200, response.text
        return response.json()

    for high in (1000, 1001, 10**12):
        assert len(answered("/observations/recent", limit=high)) == 60
        assert len(answered("/context", limit=high)["recent_observations"]) == 50
    for value in (*NO_NUMBERS, "0"):
        assert len(answered("/observations/recent", limit=value)) == 20
        assert len(answered("/search", q="otter", limit=value)) == 10
    for value in NO_NUMBERS:
        assert len(answered("/context", limit=value)["recent_observations"]) == 5
    assert answered("/context", limit=0)["recent_observations"] == []


@pytest.mark.parametrize("name", ["before", "after"])
def test_a_timeline_reaches_any_number_of_rows(api, project, name):
    for number in range(9):
        save(api, project, content=f"Fish {number}")
    rows = api.get("/observations/recent", params={"project": project}).json()
    asked = {"observation_id": rows[4]["id"], "before": 0, "after": 0}
    for value, expected in (("0", 0), ("4", 4), ("1001", 4), ("x", 3), ("-1", 3)):
        found = api.get("/timeline", params=asked | {name: value})
        assert (found.status_code, len(found.json())) == (200, 1 + expected), value


@pytest.mark.parametrize("name", ["0", "-1", "x", "1.5", str(2**53), "9" * 5000, "%20", "1%2F2", "1%00"])
def test_an_id_that_can_be_none_is_refused(api, name):
    for method in ("GET", "DELETE"):
        assert refused(api.request(method, f"/observations/{name}"), 400, "invalid_request") == ["id"]


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        *(("GET", f"/api/memory/{each}", "userId") for each in ("profile", "conclusions", "consolidations")),
        *(("GET", "/api/memory/conclusions", each) for each in ("agent_id", "project")),
        ("DELETE", "/api/memory/conclusions", "userId"),
        ("PUT", "/api/memory/profile", "userId"),
        ("GET", "/api/entities", "agent_id"),
        ("GET", "/search", "user_id"),
        ("GET", "/search", "session_id"),
        ("GET", "/export", "user_id"),
        ("GET", "/stats", "project"),
        ("DELETE", "/api/rgpd/users/ann/ai-data", "external_type"),
    ],
)
def test_an_id_of_white_space_is_refused_and_is_not_taken_for_none(api, method, path, name):
    body = {"json": {"name": "Ann"}} if method == "PUT" else {}
    for blank in (" ", "\u3000"):
        response = api.request(method, path, params={"q": "x", name: blank}, **body)
        assert response.status_code == 400
        assert f"{name}: must not be blank" in response.text


def test_several_values_of_a_parameter_that_takes_one_are_refused(api):
    for path, name, some in (
        ("/api/memory/conclusions", "type", ["explicit", "inductive"]),
        ("/api/memory/conclusions", "userId", ["ann", "bob"]),
        ("/api/entities", "type", ["person", "place"]),
    ):
        assert refused(api.get(path, params={name: some}), 400, "invalid_request") == [name]


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_an_unknown_id_is_not_found(api, method):
    body = {"json": {"title": "x"}} if method == "PATCH" else {}
    refused(api.request(method, f"/observations/{2**53 - 1}", **body), 404, "not_found")


@pytest.mark.parametrize(
    "body",
    [
        *("{", "[1,", "nope", "NaN", '{"title": Infinity}', "\ufeff\ufeff{}", "'a'", '{"a": 1,}'),
        *("[" * 100_000, "1" * 5000, '{"a":' * 5000),
    ],
)
def test_what_is_not_json_is_refused(api, body):
    for method, path in (("POST", "/observations"), ("PATCH", "/observations/1"), ("POST", "/import")):
        refused(api.request(method, path, content=body.encode(), headers=JSON), 400, "invalid_request")


@pytest.mark.parametrize("body", ["", "null", "[]", "1", '"text"', "true"])
def test_a_body_that_is_no_object_is_refused(api, body):
    for path in ("/observations", "/sessions", "/import"):
        named = refused(api.post(path, content=body, headers=JSON), 400, "invalid_request")
        assert named == ["body"]


def test_bytes_that_are_no_text_are_refused(api):
    refused(api.post("/sessions", content=b'{"id": "\xff\xfe"}', headers=JSON), 400, "invalid_request")


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
def test_a_body_of_another_type_is_refused(api, media):
    body = json.dumps(observation())
    response = api.post("/observations", content=body, headers={"content-type": media})
    refused(response, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "media", ["text/plain;charset=UTF-8", "multipart/form-data", "application/vnd.api+json", "x"]
)
def test_no_body_is_no_body_whatever_type_it_is_said_to_be_of(api, media):
    headers = {"content-type": media}
    assert api.post("/memory/cleanup", headers=headers).status_code == 200
    assert refused(api.post("/sessions", headers=headers), 400, "invalid_request") == ["body"]
    assert api.get("/stats", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "media", [None, "application/json", "APPLICATION/JSON; charset=utf-8", "application/vnd.api+json"]
)
def test_json_goes_by_several_names(api, project, media):
    body = json.dumps(observation(project=project))
    response = api.post("/observations", content=body, headers={"content-type": media} if media else {})
    assert response.status_code == 201


def test_a_byte_order_mark_before_the_body_is_skipped(api, project):
    body = json.dumps(observation(project=project)).encode("utf-8-sig")
    assert api.post("/observations", content=body, headers=JSON).status_code == 201
    assert api.post("/observations", content=body).json()["action"] == "deduplicated"


def padded(size: int, **fields) -> bytes:
    """A body that saves, of exactly `size` bytes."""
    body = json.dumps(observation(**fields) | {"ignored": ""}).encode()
    return body[:-2] + b"x" * (size - len(body)) + b'"}'


def test_a_body_of_a_megabyte_is_taken_and_a_byte_more_is_not(api, project):
    limit = 1024 * 1024
    assert api.post("/observations", content=padded(limit, project=project), headers=JSON).status_code == 201
    response = api.post("/observations", content=padded(limit + 1, project=project), headers=JSON)
    refused(response, 413, "too_large")


def test_an_import_may_have_five_megabytes_and_not_a_byte_more(api):
    whole = b'{"sessions": [], "ignored": "' + b"x" * (5_000_000 - 31) + b'"}'
    assert len(whole) == 5_000_000
    assert api.post("/import", content=whole, headers=JSON).status_code == 200
    refused(api.post("/import", content=whole + b" ", headers=JSON), 413, "too_large")


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/nowhere"), ("GET", "/health/"), ("POST", "/sessions//end"), ("GET", "/observations/1/2")],
)
def test_an_unknown_route_is_not_found(api, method, path):
    refused(api.request(method, path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/observations/1", "GET, PATCH, DELETE, OPTIONS"),
        ("DELETE", "/sessions", "POST, OPTIONS"),
    ],
)
def test_another_method_of_a_known_path_is_told_which_there_are(api, method, path, allowed):
    response = api.request(method, path)
    refused(response, 405, "method_not_allowed")
    assert response.headers["allow"] == api.options(path).headers["allow"] == allowed


def test_head_is_get_without_its_body(api):
    head = api.head("/health")
    assert (head.status_code, head.content, head.headers["content-type"]) == (200, b"", "application/json")
    assert api.get("/health").json()["status"] == "ok"
    assert api.head("/stats").status_code == 405
