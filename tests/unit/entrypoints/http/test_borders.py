"""A request keeps to the user, agent and project that it names."""

import itertools

import pytest

from support.api import ClaimsFromHeader, client
from support.memory import application

TENANTS, PEOPLE, AGENTS, PROJECTS = ("alpha", "bravo"), ("ann", "bob"), ("cook", "clerk"), ("shop", "lab")
CELLS = list(itertools.product(PEOPLE, AGENTS, PROJECTS))


def name(person, agent, project):
    return f"{person}-{agent}-{project}"


@pytest.fixture
def api(tmp_path):
    """Each person's session with each agent in each project, and one of nobody's, in two tenants."""
    app = application(tmp_path, AUTH="required")
    with client(app, ClaimsFromHeader()) as api:
        for tenant in TENANTS:
            api.headers["x-tenant"] = tenant
            for person, agent, project in CELLS:
                session = name(person, agent, project)
                started = {"id": session, "project": project, "user_id": person, "agent_id": agent}
                assert api.post("/sessions", json=started).status_code == 201
                add(api, session, f"{tenant} {session}")
            assert api.post("/memory/sessions", json={"session_id": "nobody"}).status_code == 201
            add(api, "nobody", f"{tenant} nobody")
        api.headers["x-tenant"] = "alpha"
        yield api
    app.close()


def add(api, session, words):
    event = {"event_type": "user_message", "content": words}
    assert api.post(f"/memory/sessions/{session}/events", json=event).status_code == 201


def contents(answer):
    assert answer.status_code == 200, answer.text
    return {event["content"] for event in answer.json()["events"]}


@pytest.mark.parametrize("named", [{}, {"user_id": "ann"}, {"agent_id": "cook"}, {"project": "lab"}])
def test_recent_sessions_are_those_of_whom_a_request_names(api, named):
    asked = list(named.values())
    wanted = {name(*cell) for cell in CELLS if all(each in cell for each in asked)}
    answer = api.get("/sessions/recent", params={"limit": 50, **named})
    assert {each["id"] for each in answer.json()} == wanted
    newest = api.get("/sessions/recent", params={"limit": 1, **named}).json()
    assert [each["id"] for each in newest] == [max(wanted, key=[name(*c) for c in CELLS].index)]


def test_events_of_all_sessions_are_those_of_the_user(api):
    wanted = {f"alpha {name(*cell)}" for cell in CELLS if "ann" in cell}
    assert contents(api.get("/memory/events?user_id=ann")) == wanted
    assert len(contents(api.get("/memory/events"))) == len(CELLS) + 1
    assert contents(api.get("/memory/events?user_id=eve")) == set()


def test_nobodys_events_become_those_of_the_user_who_is_named_later(api):
    api.post("/sessions", json={"id": "nobody", "project": "shop", "user_id": "bob"})
    assert "alpha nobody" in contents(api.get("/memory/events?user_id=bob"))
    assert "alpha nobody" not in contents(api.get("/memory/events?user_id=ann"))


@pytest.mark.parametrize(
    "path",
    [
        "/memory/sessions/{}",
        "/memory/sessions/{}/events",
        "/memory/sessions/{}/context",
        "/memory/events?session_id={}",
        "/sessions/{}",
    ],
)
def test_a_session_of_another_user_is_not_found(api, path):
    own, another = path.format("ann-cook-shop"), path.format("bob-cook-shop")
    unknown = path.format("eve-cook-shop")
    for where in (own, another):
        assert api.get(where).status_code == 200, "a key opens its whole tenant"
    assert api.get(own, params={"user_id": "ann"} | query(own)).status_code == 200
    refused = api.get(another, params={"user_id": "ann"} | query(another))
    missing = api.get(unknown, params={"user_id": "ann"} | query(unknown))
    assert (refused.status_code, refused.text) == (404, missing.text)


def test_an_observation_of_another_user_is_not_found_nor_among_ones_own(api):
    ids = {}
    for person in PEOPLE:
        own = {"session_id": name(person, "cook", "shop"), "project": "shop", "user_id": person}
        new = own | {"type": "note", "title": person, "content": f"{person} counts the jars"}
        ids[person] = api.post("/observations", json=new).json()["id"]
    for person, other in (PEOPLE, PEOPLE[::-1]):
        whose = {"user_id": person}
        assert api.get(f"/observations/{ids[person]}", params=whose).json()["title"] == person
        around = api.get("/timeline", params=whose | {"observation_id": ids[person]}).json()
        assert [each["title"] for each in around] == [person]
        for path in (f"/observations/{ids[other]}", f"/timeline?observation_id={ids[other]}"):
            assert api.get(path).status_code == 200, "a key opens its whole tenant"
            assert api.get(path, params=whose | query(path)).status_code == 404


def query(path):
    _, _, asked = path.partition("?")
    return dict([asked.split("=")]) if asked else {}


def test_a_session_of_nobody_is_no_other_users(api):
    assert contents(api.get("/memory/sessions/nobody/events?user_id=ann")) == {"alpha nobody"}


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "ignored"),
    [
        ("GET", "/sessions/recent?colour=red", None, 200, "colour"),
        ("GET", "/sessions/recent?userId=ann", None, 200, "userId"),
        ("GET", "/memory/events?project=shop", None, 200, "project"),
        ("GET", "/memory/sessions/ann-cook-shop?agent_id=cook", None, 200, "agent_id"),
        ("POST", "/memory/sessions", {"session_id": "new", "project": "shop"}, 201, "project"),
    ],
)
def test_names_that_a_route_does_not_take_are_ignored_and_told(api, method, path, body, status, ignored):
    answer = api.request(method, path, json=body)
    assert (answer.status_code, answer.headers["Strata-Ignored"]) == (status, ignored)


def test_an_episode_has_the_project_that_it_is_stored_with(api):
    for tenant in TENANTS:
        for person, agent, project in CELLS:
            kept = {
                "conversation_id": f"c-{person}",
                "agent_id": agent,
                "user_id": person,
                "project": project.upper(),
            }
            summary = f"{tenant} {name(person, agent, project)} chose marmalade"
            answer = api.post(
                "/episodic/store", json=kept | {"summary": summary}, headers={"x-tenant": tenant}
            )
            assert answer.status_code == 201, answer.text
    stored = api.get("/episodic/c-ann").json()["episodes"]
    assert {(each["agent_id"], each["project"]) for each in stored} == set(
        itertools.product(AGENTS, PROJECTS)
    )
    asked = {"query": "marmalade", "agent_id": "cook", "user_id": "ann", "project": "lab"}
    found = api.post("/episodic/search", json=asked).json()["results"]
    assert [each["summary"] for each in found] == ["alpha ann-cook-lab chose marmalade"]
    told = {
        "agent_id": "cook",
        "user_id": "ann",
        "project": "shop",
        "query": "marmalade",
        "layers": "episodes",
    }
    items = api.get("/context", params=told).json()["items"]
    assert [each["project"] for each in items] == ["shop"]


def test_an_episode_without_a_project_has_its_sessions(api):
    kept = {"conversation_id": "ann-cook-lab", "agent_id": "cook", "summary": "We chose marmalade"}
    api.post("/episodic/store", json=kept)
    (stored,) = api.get("/episodic/ann-cook-lab").json()["episodes"]
    assert (stored["project"], stored["user_id"]) == ("lab", "ann")
