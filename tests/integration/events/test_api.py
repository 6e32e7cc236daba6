"""The contract of sessions and events over HTTP, route by route: statuses, shapes, errors."""

import json
import re
from datetime import datetime
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strata.entrypoints.http.api import answers
from support.api_calls import IDS, end, refused, start
from support.memory import unique

EVENT = {"event_id", "timestamp", "event_type", "content", "metadata"}
JSON = {"content-type": "application/json"}


def opened(api, session_id=None, **fields):
    """The id of a session of the test's own."""
    body = {"session_id": session_id or unique("session-")} | fields
    response = api.post("/memory/sessions", json=body)
    assert (response.status_code, response.json()) == (201, {"session_id": body["session_id"]})
    return body["session_id"]


def path(session_id, rest="events"):
    return f"/memory/sessions/{quote(session_id, safe='')}/{rest}".rstrip("/")


def post(api, session_id, content="Hello!", **fields):
    event = {"event_type": "user_message", "content": content} | fields
    return api.post(path(session_id), json=event)


def added(api, session_id, content="Hello!", **fields):
    response = post(api, session_id, content, **fields)
    assert response.status_code == 201, response.text
    assert set(response.json()) == {"event_id"}
    return response.json()["event_id"]


def contents(response):
    assert response.status_code == 200, response.text
    assert response.json()["total"] == len(response.json()["events"])
    return [event["content"] for event in response.json()["events"]]


# --- sessions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [{}, {"json": {}}, {"json": {"session_id": "", "user_id": None}}])
def test_a_session_is_named_when_the_caller_names_none(api, sent):
    response = api.post("/memory/sessions", **sent)
    assert response.status_code == 201
    assert re.fullmatch("session_[0-9a-f]{12}", response.json()["session_id"])
    assert response.json()["session_id"] in api.get("/memory/sessions").json()["sessions"]


def test_a_session_is_shown_as_kaos_shows_it(api):
    session_id = opened(api, user_id=unique("ann"), app_name="chat")
    event_id = added(api, session_id, metadata={"source": "api"})
    shown = api.get(path(session_id, "")).json()
    assert set(shown) == {"session_id", "user_id", "app_name", "events", "created_at", "updated_at"}
    assert (shown["session_id"], shown["app_name"]) == (session_id, "chat")
    assert datetime.fromisoformat(shown["created_at"]) <= datetime.fromisoformat(shown["updated_at"])
    (event,) = shown["events"]
    assert set(event) == EVENT
    assert datetime.fromisoformat(event["timestamp"]).utcoffset().total_seconds() == 0
    assert event | {"timestamp": 0} == {
        "event_id": event_id,
        "timestamp": 0,
        "event_type": "user_message",
        "content": "Hello!",
        "metadata": {"source": "api"},
    }


def test_sessions_are_listed_by_their_user(api):
    ann = unique("ann")
    ids = [opened(api, user_id=ann) for _ in range(3)]
    opened(api)
    listed = api.get("/memory/sessions", params={"user_id": ann})
    assert listed.json() == {"agent": "strata", "sessions": ids, "total": 3}


def test_a_session_is_deleted_once(api):
    session_id = opened(api)
    added(api, session_id)
    assert api.delete(path(session_id, "")).json() == {"deleted": True}
    assert api.delete(path(session_id, "")).json() == {"deleted": False}
    assert session_id not in api.get("/memory/sessions").json()["sessions"]
    for rest in ("", "events", "context"):
        refused(api.get(path(session_id, rest)), 404, "not_found")
    refused(post(api, session_id), 404, "not_found")


def test_another_user_may_neither_open_write_nor_delete_a_session(api):
    session_id = opened(api, user_id="ann")
    bob = {"user_id": "bob"}
    body = {"session_id": session_id} | bob
    refused(api.post("/memory/sessions", json=body), 409, "owned_by_another")
    refused(post(api, session_id, **bob), 409, "owned_by_another")
    event = {"event_type": "error", "content": None}
    refused(api.post(path(session_id), params=bob, json=[event]), 409, "owned_by_another")
    refused(api.delete(path(session_id, ""), params=bob), 409, "owned_by_another")
    assert contents(api.get(path(session_id))) == []


def test_a_session_of_observations_and_one_of_events_are_one(api, project):
    session_id = start(api, project, user_id="ann")
    assert api.get(path(session_id, "")).json()["events"] == []
    assert session_id not in api.get("/memory/sessions").json()["sessions"]
    added(api, session_id)
    assert session_id in api.get("/memory/sessions", params={"user_id": "ann"}).json()["sessions"]
    refused(post(api, session_id, user_id="bob"), 409, "owned_by_another")
    assert end(api, session_id, "hello").status_code == 200
    api.delete(path(session_id, ""))
    recent = api.get("/sessions/recent", params={"project": project}).json()
    assert [session["id"] for session in recent] == [session_id]
    other = opened(api, user_id="ann")
    begun = api.post("/sessions", json={"id": other, "project": project}).json()
    assert (begun["project"], begun["user_id"]) == (project, "ann")


def test_nothing_is_kept_of_the_events_of_a_session_that_asks_for_that(api, project):
    session_id = start(api, project, persist=False)
    assert added(api, session_id).startswith("event_")
    opened(api, session_id)
    assert session_id not in api.get("/memory/sessions").json()["sessions"]
    refused(api.get(path(session_id)), 404, "not_found")


@pytest.mark.parametrize("name", IDS)
def test_an_id_of_any_script_names_a_session(api, name):
    session_id = opened(api, name + unique("-") if len(name) < 190 else name[:-12] + unique("-events")[:12])
    added(api, session_id, name)
    assert contents(api.get(path(session_id))) == [name]
    assert contents(api.get("/memory/events", params={"session_id": session_id})) == [name]
    assert session_id in api.get("/memory/sessions").json()["sessions"]
    assert api.get(path(session_id, "")).json()["session_id"] == session_id
    assert api.delete(path(session_id, "")).json() == {"deleted": True}


# --- events ---------------------------------------------------------------------------------------


def test_a_list_of_events_is_added_in_order(api):
    session_id = opened(api)
    events = [{"event_type": "tool_call", "content": n} for n in range(100)]
    response = api.post(path(session_id), json=events)
    assert response.status_code == 201
    assert set(response.json()) == {"event_id", "event_ids"}
    assert response.json()["event_id"] == response.json()["event_ids"][-1]
    assert contents(api.get(path(session_id))) == list(range(100))
    listed = api.get(path(session_id)).json()["events"]
    assert [event["event_id"] for event in listed] == response.json()["event_ids"]


def test_the_newest_events_are_given_oldest_first(api):
    first, second = opened(api), opened(api)
    for n in range(6):
        added(api, (first, second)[n % 2], n)
    assert contents(api.get(path(first), params={"limit": 2})) == [2, 4]
    assert contents(api.get("/memory/events", params={"session_id": second})) == [1, 3, 5]
    assert contents(api.get("/memory/events", params={"limit": 4})) == [2, 3, 4, 5]
    assert api.get("/memory/events").json()["agent"] == "strata"
    assert contents(api.get("/memory/events", params={"session_id": "nobody's"})) == []


def test_events_are_filtered_by_type_however_the_types_are_sent(api):
    session_id = opened(api)
    for n, kind in enumerate(["user_message", "error", "mine", "user_message"]):
        added(api, session_id, n, event_type=kind)
    asked = [
        "event_types=user_message,mine",
        "event_types=user_message&event_types=mine",
        "event_types=mine,%20user_message,",
    ]
    for query in asked:
        assert contents(api.get(f"{path(session_id)}?{query}")) == [0, 2, 3]
    assert contents(api.get(f"{path(session_id)}?event_types=user_message&limit=1")) == [3]
    assert contents(api.get(f"{path(session_id)}?event_types=")) == [0, 1, 2, 3]


def test_a_conversation_is_text(api):
    session_id = opened(api)
    assert api.get(path(session_id, "context")).json() == {"context": ""}
    added(api, session_id, 'Hello "you"!')
    added(api, session_id, {"tool": "calc"}, event_type="tool_call")
    added(api, session_id, "Hi there!\n\\o/", event_type="agent_response")
    added(api, session_id, "How are you? 😀")
    whole = 'User: Hello "you"!\nAssistant: Hi there!\n\\o/\nUser: How are you? 😀'
    assert api.get(path(session_id, "context")).json() == {"context": whole}
    last = api.get(path(session_id, "context"), params={"max_events": 2}).json()
    assert last == {"context": "Assistant: Hi there!\n\\o/\nUser: How are you? 😀"}


def test_an_event_sent_again_under_its_id_is_answered_and_not_added(api):
    session_id = opened(api)
    for _ in range(2):
        assert added(api, session_id, event_id="event_abc", timestamp="2024-12-31T12:00:00") == "event_abc"
    (event,) = api.get(path(session_id)).json()["events"]
    assert event["timestamp"] == "2024-12-31T12:00:00.000000+00:00"


numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
texts = st.text(st.characters(codec=None), max_size=10)
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(texts, children, max_size=3),
    max_leaves=10,
)


@given(content=json_values, metadata=st.dictionaries(texts, json_values, max_size=2))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_json_comes_back_as_it_went_in(api, content, metadata):
    session_id = opened(api)
    body = json.dumps({"event_type": "error", "content": content, "metadata": metadata})
    assert api.post(path(session_id), content=body, headers=JSON).status_code == 201
    (event,) = json.loads(api.get(path(session_id)).text)["events"]
    assert json.dumps([event["content"], event["metadata"]]) == json.dumps([content, metadata])
    assert api.delete(path(session_id, "")).json() == {"deleted": True}


def test_what_is_too_much_for_one_answer_is_left_out_at_the_old_end(api):
    session_id = opened(api)
    for n in range(30):
        added(api, session_id, [n, "é" * 100_000])
    for where in (path(session_id, ""), path(session_id), f"/memory/events?session_id={session_id}"):
        response = api.get(where)
        assert len(json.dumps(response.text)) <= answers.MOST
        numbers = [event["content"][0] for event in response.json()["events"]]
        assert numbers == list(range(30))[-len(numbers) :]
        assert response.headers["strata-left-out"] == str(30 - len(numbers))
    response = api.get(path(session_id, "context"), params={"max_events": 30})
    assert response.headers["strata-left-out"]
    assert response.json()["context"].count("User: ") == 30 - int(response.headers["strata-left-out"])
    assert response.json()["context"].startswith("User: [")


# --- refusals -------------------------------------------------------------------------------------

GOOD = {"event_type": "error", "content": None}
LARGE = "x" * (256 * 1024 - 2)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["content", "event_type"]),
        ({"event_type": "", "content": 1}, ["event_type"]),
        ({"event_type": "x" * 51, "content": 1}, ["event_type"]),
        ({"event_type": 7, "content": 1, "metadata": []}, ["event_type", "metadata"]),
        (GOOD | {"content": LARGE + "x"}, ["content"]),
        (GOOD | {"content": "é" * 131_072}, ["content"]),
        (GOOD | {"metadata": {"a": LARGE}}, ["metadata"]),
        (GOOD | {"event_id": "x" * 201}, ["event_id"]),
        (GOOD | {"timestamp": "yesterday"}, ["timestamp"]),
        (GOOD | {"user_id": "a\nb"}, ["user_id"]),
        ([GOOD, {"event_type": "error"}, {"content": 1}], ["1.content", "2.event_type"]),
        ([GOOD] * 101, ["body"]),
        ([], ["body"]),
        ([GOOD | {"event_id": "twice"}] * 2, ["event_id"]),
        ([[GOOD]], ["0"]),
        ("an event", ["body"]),
    ],
)
def test_a_bad_event_is_refused_and_nothing_is_added(api, body, fields):
    session_id = opened(api)
    response = api.post(path(session_id), json=body)
    assert refused(response, 400, "invalid_request") == fields
    assert len(response.text) < 10_000
    assert contents(api.get(path(session_id))) == []


@pytest.mark.parametrize("number", ["1e400", "-1e400", '[1, {"a": 1e999}]'])
def test_a_number_that_nobody_can_give_back_is_refused(api, number):
    body = f'{{"event_type": "error", "content": {number}}}'
    response = api.post(path(opened(api)), content=body, headers=JSON)
    assert refused(response, 400, "invalid_request") == ["content"]


@pytest.mark.parametrize("levels", [100_000, 5_000, 900])
def test_what_is_nested_very_deeply_is_refused_or_comes_back(api, levels):
    session_id = opened(api)
    body = '{"event_type": "error", "content": ' + "[" * levels + "]" * levels + "}"
    response = api.post(path(session_id), content=body, headers=JSON)
    if response.status_code == 201:
        assert "[" * levels + "]" * levels in api.get(path(session_id)).text
    else:
        refused(response, 400, "invalid_request")


def test_a_content_of_just_the_limit_is_taken(api):
    session_id = opened(api)
    added(api, session_id, LARGE)
    assert contents(api.get(path(session_id))) == [LARGE]


@pytest.mark.parametrize(
    ("where", "field"),
    [
        ("/memory/events?session_id=" + "x" * 201, "session_id"),
        ("/memory/sessions?user_id=" + "x" * 201, "user_id"),
        ("/memory/sessions/" + "x" * 201, "id"),
    ],
)
def test_a_bad_parameter_is_refused(api, where, field):
    assert refused(api.get(where), 400, "invalid_request") == [field]


@pytest.mark.parametrize("types", ["x" * 51, ",".join(f"t{n}" for n in range(21))])
def test_a_bad_filter_is_refused(api, types):
    response = api.get(path(opened(api)), params={"event_types": types})
    assert refused(response, 400, "invalid_request") == ["event_types"]


@pytest.mark.parametrize("field", ["session_id", "app_name", "user_id"])
@pytest.mark.parametrize("value", ["x" * 201, "a\0b", 7, "..", " "])
def test_a_bad_session_is_refused(api, field, value):
    assert refused(api.post("/memory/sessions", json={field: value}), 400, "invalid_request") == [field]


def test_an_unknown_session_is_not_found(api):
    unknown = unique("unknown-")
    for response in (
        post(api, unknown),
        api.get(path(unknown)),
        api.get(path(unknown, "")),
        api.get(path(unknown, "context")),
    ):
        refused(response, 404, "not_found")


# --- the whole ------------------------------------------------------------------------------------


def test_totals_follow_what_is_added_and_deleted(api):
    before = api.get("/memory/stats").json()
    session_id = opened(api)
    api.post(path(session_id), json=[GOOD] * 7)
    after = api.get("/memory/stats").json()
    assert set(after) == {"total_sessions", "total_events", "avg_events_per_session"}
    assert after["total_sessions"] == before["total_sessions"] + 1
    assert after["total_events"] == before["total_events"] + 7
    assert after["avg_events_per_session"] == after["total_events"] // after["total_sessions"]
    api.delete(path(session_id, ""))
    assert api.get("/memory/stats").json() == before


@pytest.mark.parametrize("hours", [0, -1, "soon", 1e300, True])
def test_a_bad_age_is_refused(api, hours):
    response = api.post("/memory/cleanup", json={"max_age_hours": hours})
    assert refused(response, 400, "invalid_request") == ["max_age_hours"]


def test_what_was_left_alone_is_cleaned_up(api):
    opened(api)
    assert api.post("/memory/cleanup").json() == {"cleaned": 0}
    assert api.post("/memory/cleanup", json={"max_age_hours": 1.5}).json() == {"cleaned": 0}
    number = api.get("/memory/stats").json()["total_sessions"]
    assert api.post("/memory/cleanup", json={"max_age_hours": 0.000_000_001}).json() == {"cleaned": number}
    empty = {"total_sessions": 0, "total_events": 0, "avg_events_per_session": 0}
    assert api.get("/memory/stats").json() == empty
    assert api.get("/memory/sessions").json() == {"agent": "strata", "sessions": [], "total": 0}
    assert api.get("/memory/events").json() == {"agent": "strata", "events": [], "total": 0}
