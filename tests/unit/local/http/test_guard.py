"""The callers of the local server: programs, its own pages, and pages of allowed origins."""

import json

import pytest

from strata.local.http.guard import Guard, is_loopback

GUARD = Guard("127.0.0.1", origins=("https://app.example", "tauri://localhost"))
HOST = "localhost:7437"
OWN = "http://localhost:7437"
FOREIGN = [
    "http://localhost",
    "http://localhost:3000",
    "https://localhost:7437",
    "http://127.0.0.1:7437",
    "tauri://localhost:7437",
    "http://app.example",
    "https://app.example:8443",
    "https://app.example.evil.example",
    "http://evil.example",
    "null",
    "",
    "//localhost:7437",
    "http://localhost:7437, http://evil.example",
]


def answered(method="GET", path="/context", host=HOST, guard=GUARD, **headers):
    """Status and body of what the guard answers itself; None where the request goes on."""
    given = {name.replace("_", "-"): value for name, value in headers.items()} | (
        {"host": host} if host else {}
    )
    response = guard.answer(method, path, given)
    return None if response is None else (response.status, response.body and json.loads(response.body))


def code(**request):
    status, body = answered(**request)
    return status, body["code"]


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:7437", "127.0.0.1:80", "[::1]:7437", "memory.lan", "other.lan:1", "third.lan"],
)
def test_the_servers_own_names_are_let_in(host):
    guard = Guard("memory.lan", "other.lan, Third.LAN")
    assert answered(guard=guard, host=host) is None
    assert answered(guard=guard, host=host, origin=f"http://{host.lower().removesuffix(':80')}") is None


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "[",
        "@",
        "evil.example@localhost",
        "localhost/evil.example",
        "localhost:7437, evil.example",
        "localhost:evil",
    ],
)
def test_foreign_hosts_are_refused(host):
    assert code(host=host) == (403, "forbidden")
    assert code(host=host, origin="https://app.example") == (403, "forbidden")


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_pages_of_other_origins_are_refused(method, origin):
    asked = {"access-control-request-method": "POST"} if method == "OPTIONS" else {}
    assert code(method=method, origin=origin, **asked) == (403, "forbidden")
    assert GUARD.cors({"origin": origin}) == []


@pytest.mark.parametrize("site", ["cross-site", "same-site", "whatever"])
@pytest.mark.parametrize(
    ("mode", "dest"),
    [("no-cors", "image"), ("cors", "empty"), ("navigate", "document"), ("navigate", "iframe")],
)
def test_reads_that_need_no_origin_are_refused_too(site, mode, dest):
    fetched = {"sec_fetch_site": site, "sec_fetch_mode": mode, "sec_fetch_dest": dest}
    assert code(**fetched) == (403, "forbidden")


def test_a_link_may_lead_to_a_static_page_and_nowhere_else():
    link = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}

    assert answered(path="/openapi.json", **link) is None
    assert code(path="/openapi.json", method="POST", **link) == (403, "forbidden")
    assert code(path="/openapi.json", **link | {"sec_fetch_dest": "iframe"}) == (403, "forbidden")
    assert code(path="/context", **link) == (403, "forbidden")


@pytest.mark.parametrize("origin", [OWN, "https://app.example", "tauri://localhost"])
def test_own_and_allowed_pages_may_call(origin):
    json_type = {"content_type": "application/json; charset=utf-8", "content_length": "2"}
    assert answered(method="POST", origin=origin, sec_fetch_site="cross-site", **json_type) is None
    assert answered(sec_fetch_site="same-origin") is None


@pytest.mark.parametrize("body", [{"content_length": "2"}, {"transfer_encoding": "chunked"}])
@pytest.mark.parametrize("kind", [None, "", "text/plain", "multipart/form-data; boundary=application/json"])
def test_a_page_must_declare_its_body_as_json(body, kind):
    given = body | ({} if kind is None else {"content_type": kind})

    assert code(method="POST", origin=OWN, **given) == (415, "unsupported_media_type")
    assert code(method="POST", sec_fetch_site="same-origin", **given) == (415, "unsupported_media_type")
    assert answered(method="POST", origin=OWN, content_length="0") is None


def test_programs_are_not_affected():
    assert answered(method="POST", content_length="2") is None
    assert answered(method="POST", content_length="2", sec_fetch_mode="cors") is None  # Node's fetch
    assert answered(method="OPTIONS") is None


def test_a_preflight_of_an_allowed_page_is_answered():
    asked = {
        "host": HOST,
        "origin": "https://app.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization,content-type",
    }

    response = GUARD.answer("OPTIONS", "/observations/7", asked)

    assert response.status == 204
    headers = dict(response.headers)
    assert "PATCH" in headers["access-control-allow-methods"]
    assert headers["access-control-allow-headers"] == "authorization,content-type"
    assert dict(GUARD.cors(asked))["access-control-allow-origin"] == "https://app.example"


def test_only_loopback_addresses_are_the_loopback():
    assert all(map(is_loopback, ["127.0.0.1", "127.8.8.8", "localhost", "::1"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "", "10.0.0.1"]))
