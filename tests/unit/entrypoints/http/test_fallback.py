"""Requests that no route of the template takes, for every path that there is."""

from collections import defaultdict

import pytest

from strata.local.http.gateway import Gateway
from strata.local.http.messages import Request, Response
from strata.local.template import declarations
from support.api import gateway
from support.memory import application

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PUBLIC = {"/health", "/api/health", "/openapi.json"}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    app = application(tmp_path_factory.mktemp("store"))
    yield gateway(app)
    app.close()


@pytest.fixture(scope="module")
def declared() -> dict[str, set[str]]:
    """The methods of every path of the template; a path with parameters by an example of it."""
    routes = [route for each in declarations.load().functions.values() for route in each.routes]
    found: dict[str, set[str]] = defaultdict(set)
    for route in routes:
        found[route.path.replace("{", "an-").replace("}", "")].add(route.method)
    return found


def asked(served: Gateway, method: str, path: str) -> tuple[Response, list[str]]:
    response = served.handle(Request(method, path))
    return response, dict(response.headers).get("allow", "").split(", ")


def test_every_path_tells_the_methods_that_the_template_has_for_it(served, declared):
    assert len(declared) > 40
    for path, methods in declared.items():
        response, allowed = asked(served, "OPTIONS", path)
        assert (response.status, response.body) == (204, b""), path
        assert methods <= set(allowed), path
        assert ("HEAD" in allowed) == (path in PUBLIC)
        for method in set(METHODS) - set(allowed):
            refused, named = asked(served, method, path)
            assert (refused.status, named) == (405, allowed), (method, path)


def test_a_literal_path_takes_the_methods_of_the_pattern_that_it_fits_too(served):
    assert asked(served, "OPTIONS", "/observations/recent")[1] == ["GET", "PATCH", "DELETE", "OPTIONS"]


@pytest.mark.parametrize("path", sorted(PUBLIC))
def test_head_of_a_public_route_is_get_without_its_body(served, path):
    head, get = (served.handle(Request(method, path)) for method in ("HEAD", "GET"))
    assert (head.status, head.body) == (get.status, b"")
    assert dict(head.headers)["content-type"] == dict(get.headers)["content-type"]


def test_head_of_another_route_is_refused_for_nobody_checked_credentials(served):
    response, allowed = asked(served, "HEAD", "/stats")
    assert (response.status, allowed) == (405, ["GET", "OPTIONS"])


@pytest.mark.parametrize("method", [*METHODS, "HEAD", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/nowhere", "/health/", "/observations//", "/sessions//end"])
def test_an_unknown_path_is_not_found_by_any_method(served, method, path):
    response, allowed = asked(served, method, path)
    assert (response.status, allowed) == (404, [""])


def test_a_slash_at_the_end_is_named(served):
    for path in ("/health/", "/observations/5//", "/sessions/recent/"):
        told = served.handle(Request("GET", path)).body.decode()
        assert f"{path.rstrip('/')} has no slash at the end" in told
    assert "slash" not in served.handle(Request("GET", "/nowhere/")).body.decode()


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_a_compressed_body_is_refused_and_its_encoding_named(served, encoding):
    headers = [("content-type", "application/json"), ("content-encoding", encoding)]
    for body in (b'{"id": "s1", "project": "p"}', b"\x1f\x8b\x08\x00\xff"):
        answer = served.handle(Request("POST", "/sessions", headers=headers, body=body))
        assert (answer.status, encoding in answer.body.decode()) == (415, True)
    plain = [("content-type", "application/json"), ("content-encoding", "identity")]
    body = b'{"id": "s1", "project": "p"}'
    assert served.handle(Request("POST", "/sessions", headers=plain, body=body)).status == 201


def test_fysos_paths_answer_in_their_envelope(served):
    refused = served.handle(Request("POST", "/api/rgpd/audit-log"))
    assert refused.status == 405
    assert b'"success": false' in refused.body
    assert b"METHOD_NOT_ALLOWED" in refused.body
