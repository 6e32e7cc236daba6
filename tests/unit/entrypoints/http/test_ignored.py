"""Names in a request that its route does not know are ignored, and named in the answer."""

import pytest

from support.api import client
from support.memory import application, observation

IGNORED = "Strata-Ignored"


@pytest.fixture
def api(tmp_path):
    app = application(tmp_path)
    with client(app) as api:
        yield api
    app.close()


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/context?project=p&max_tokens=100", "max_tokens"),
        ("/context?token_budget=100&user_id=ann", None),
        (
            "/search?q=x&tags_any=a&metadata=%7B%22a%22%3A1%7D&z=1&b%0d%0aX-Evil: 1=2",
            "b%0D%0AX-Evil%3A%201, z",
        ),
        ("/api/memory/search?q=x&userId=ann&user=bob", "user"),
    ],
)
def test_unknown_parameters_are_named(api, path, named):
    answer = api.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers.get(IGNORED) == named
    assert "x-evil" not in answer.headers


def test_unknown_fields_of_a_body_are_named_and_do_no_harm(api):
    answer = api.post("/observations", json=observation(importance=3, tagz=["a"]))
    assert (answer.status_code, answer.headers[IGNORED]) == (201, "importance, tagz")
    sent = '{"id": "s9", "project": "p", "autoSummarize": false, "\\ud800": 1}'
    answer = api.post("/sessions", content=sent)
    assert (answer.status_code, answer.headers[IGNORED]) == (201, "%3F")
    assert (
        IGNORED
        not in api.post("/sessions", json={"id": "s9", "project": "p", "auto_summarize": True}).headers
    )
    assert IGNORED not in api.get("/stats").headers, "nothing is left of the request before"


def test_many_and_long_names_make_a_short_header(api):
    answer = api.post(
        "/sessions", json={"id": "s9", "project": "p"} | {f"{n}{'x' * 500}": 1 for n in range(99)}
    )
    assert len(answer.headers[IGNORED]) < 2500


def test_bodies_of_any_fields_have_none_that_are_unknown(api):
    assert IGNORED not in api.put("/working-memory/c1?user_id=ann", json={"anything": 1}).headers
    assert IGNORED not in api.delete("/working-memory/c1?fields[]=anything&user_id=ann").headers
    event = {"event_type": "user_message", "content": {"any": 1}}
    api.post("/memory/sessions", json={"session_id": "k1"})
    assert IGNORED not in api.post("/memory/sessions/k1/events", json=[event]).headers
