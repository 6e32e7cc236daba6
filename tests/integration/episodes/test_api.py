"""Episodes over HTTP, as AEGIS and agtOS have them: statuses, shapes, errors."""

import json

import pytest

from support.api_calls import end, refused, start
from support.memory import unique

EPISODE = {"id", "summary", "keywords", "topic", "timestamp", "importance", "type", "conversation_id"}
SYNTHESIS = "Compared to Postgres, SQLite is simpler to run."


@pytest.fixture
def user():
    return unique("user-")


@pytest.fixture
def agent():
    return unique("agent-")


def store(api, agent, summary="The dog barked at the mailman", **fields):
    body = {"conversation_id": unique("c-"), "agent_id": agent, "summary": summary} | fields
    response = api.post("/episodic/store", json=body)
    assert response.status_code == 201, response.text
    assert set(response.json()) == {"id"}
    return response.json()["id"]


def recent(api, user, **params):
    response = api.get("/api/memory/episodes", params={"userId": user} | params)
    assert response.status_code == 200
    assert set(response.json()) == {"episodes", "count", "available"}
    assert response.json()["count"] == len(response.json()["episodes"])
    return response.json()["episodes"]


def test_a_stored_episode_is_listed_by_its_conversation(api, agent):
    conversation = unique("c ü/#%")
    identity = store(
        api,
        agent,
        conversation_id=conversation,
        key_decisions=["ship", {"what": "wait", "until": None, "n": 1.5}],
        entities=[{"type": "Well", "id": "42", "name": "Smith #1"}],
        tools_used=["search"],
        importance=1,
    )
    response = api.get(f"/episodic/{_quoted(conversation)}")
    assert response.status_code == 200
    (episode,) = response.json()["episodes"]
    assert set(episode) == EPISODE | {"agent_id", "key_decisions", "entities", "tools_used"}
    assert episode["id"] == identity
    assert episode["key_decisions"] == ["ship", {"what": "wait", "until": None, "n": 1.5}]
    assert episode["entities"] == [{"type": "Well", "id": "42", "name": "Smith #1"}]
    assert (episode["conversation_id"], episode["importance"]) == (conversation, 1)
    assert api.get(f"/episodic/{unique('unknown-')}").json() == {"episodes": []}


def _quoted(conversation):
    return "".join(f"%{byte:02X}" for byte in conversation.encode())


def test_a_search_by_similarity_gives_the_agents_episodes_best_first(api, agent, user):
    close = store(api, agent, user_id=user)
    far = store(api, agent, "Quarterly revenue grew by four percent")
    body = {"query": "a puppy and the postman", "agent_id": agent}
    results = api.post("/episodic/search", json=body).json()["results"]
    assert [hit["id"] for hit in results] == [close, far]
    assert 1 >= results[0]["similarity"] > results[1]["similarity"] >= -1
    assert set(results[0]) == EPISODE | {"agent_id", "user_id", "similarity"}
    mine = api.post("/episodic/search", json=body | {"user_id": user}).json()["results"]
    assert [hit["id"] for hit in mine] == [close]
    given = {
        top_k: len(api.post("/episodic/search", json=body | {"top_k": top_k}).json()["results"])
        for top_k in (1, 0, -3, "many", 101, "1")
    }
    assert given == {1: 1, 0: 2, -3: 2, "many": 2, 101: 2, "1": 1}


def test_a_users_episodes_are_listed_newest_first(api, agent, user):
    ids = [store(api, agent, f"number {n}", user_id=user) for n in range(4)]
    assert [episode["id"] for episode in recent(api, user)] == ids[::-1]
    assert [episode["id"] for episode in recent(api, user, limit=2)] == ids[:1:-1]
    assert set(recent(api, user)[0]) == EPISODE | {"agent_id", "user_id"}
    assert api.get("/api/memory/episodes", params={"userId": user}).json()["available"] is True


@pytest.mark.parametrize(
    ("mode", "found"), [("bm25", "keyword"), ("vector", "semantic"), ("hybrid", "hybrid"), (None, "hybrid")]
)
def test_a_users_episodes_are_searched_by_words_and_meaning(api, agent, user, mode, found):
    identity = store(api, agent, user_id=user)
    params = {"q": "mailman", "userId": user} | ({"mode": mode} if mode else {})
    answer = api.get("/api/memory/search", params=params).json()
    assert (answer["query"], answer["count"]) == ("mailman", 1)
    (hit,) = answer["results"]
    assert (hit["id"], hit["matchType"]) == (identity, found)
    assert hit["score"] > 0
    assert set(hit) == EPISODE | {"agent_id", "user_id", "score", "matchType"}


def test_without_a_user_the_routes_speak_of_what_was_stored_without_one(api, agent):
    word = unique("zyx")
    identity = store(api, agent, f"about {word}")
    for params in ({}, {"userId": "default"}, {"userId": ""}):
        answer = api.get("/api/memory/search", params={"q": word, "mode": "bm25"} | params).json()
        assert [hit["id"] for hit in answer["results"]] == [identity]
        assert api.get("/api/memory/episodes", params=params).json()["episodes"][0]["id"] == identity


def test_a_forgotten_episode_is_gone_at_once(api, agent, user):
    identity = store(api, agent, user_id=user)
    refused(api.delete(f"/api/memory/episodes/{identity}"), 404, "not_found")
    response = api.delete(f"/api/memory/episodes/{identity}", params={"userId": user})
    assert (response.status_code, response.json()) == (200, {"deleted": True, "episodeId": identity})
    assert recent(api, user) == []
    found = api.get("/api/memory/search", params={"q": "mailman", "userId": user}).json()
    assert (found["results"], found["count"]) == ([], 0)
    refused(api.delete(f"/api/memory/episodes/{identity}", params={"userId": user}), 404, "not_found")
    refused(api.delete("/api/memory/episodes/nonsense"), 404, "not_found")


def test_a_conversation_of_one_user_takes_no_other(api, agent, user):
    conversation = unique("c-")
    store(api, agent, conversation_id=conversation, user_id=user)
    body = {"conversation_id": conversation, "agent_id": agent, "summary": "s", "user_id": unique("user-")}
    refused(api.post("/episodic/store", json=body), 409, "owned_by_another")
    taken = {"session_id": conversation, "response": SYNTHESIS, "steps": 2, "user_id": unique("user-")}
    refused(api.post("/api/memory/ingest", json=taken), 409, "owned_by_another")


def test_an_ended_session_worth_it_is_among_its_users_episodes(api, project, user):
    session = start(api, project, user_id=user)
    ended = end(api, session, "I prefer metric units.", "Noted.").json()
    assert ended["summary"].startswith("Session with 2 messages.")
    (episode,) = recent(api, user)
    assert (episode["type"], episode["summary"]) == ("preference", "I prefer metric units.")
    trivial = start(api, project, user_id=user)
    end(api, trivial, "Hi", "Hello")
    assert len(recent(api, user)) == 1


def test_a_session_of_events_only_can_be_ended(api, user):
    session, app = unique("k-"), unique("app-")
    opened = {"session_id": session, "app_name": app, "user_id": user}
    assert api.post("/memory/sessions", json=opened).status_code == 201
    for kind, content in (("user_message", "I prefer metric units."), ("agent_response", "Noted.")):
        event = {"event_type": kind, "content": content}
        assert api.post(f"/memory/sessions/{session}/events", json=event).status_code == 201
    assert api.post(f"/sessions/{session}/end").json()["message_count"] == 2
    assert [each["id"] for each in api.get("/sessions/recent", params={"project": app}).json()] == [session]
    assert [episode["conversation_id"] for episode in recent(api, user)] == [session]


def test_a_synthesis_is_ingested_by_hand(api, user):
    body = {"session_id": unique("s-"), "response": SYNTHESIS, "tool_calls": [{"name": "x"}], "steps": 2}
    answer = api.post("/api/memory/ingest", json=body | {"userId": user})
    assert answer.status_code == 200
    (episode,) = recent(api, user)
    assert answer.json() == {"ingested": True, "importance": 1.0, "id": episode["id"]}
    assert episode["type"] == "RESPONSE_INGEST"
    again = api.post("/api/memory/ingest", json=body | {"userId": user}).json()
    assert again == {"ingested": False, "importance": 1.0}
    little = {"session_id": body["session_id"], "response": "Noon."}
    assert api.post("/api/memory/ingest", json=little).json() == {"ingested": False, "importance": 0.4}


def test_a_synthesis_is_ingested_by_itself_from_an_event(api, user):
    session = unique("k-")
    api.post("/memory/sessions", json={"session_id": session, "user_id": user})
    event = {
        "event_type": "agent_response",
        "content": SYNTHESIS,
        "metadata": {"tools": ["search"], "steps": 3},
    }
    assert api.post(f"/memory/sessions/{session}/events", json=event).status_code == 201
    assert [episode["summary"] for episode in recent(api, user)] == [SYNTHESIS]


WRONG = [
    ("/episodic/store", {}, ["agent_id", "conversation_id", "summary"]),
    (
        "/episodic/store",
        {"agent_id": "a", "conversation_id": "c", "summary": " ", "importance": 2, "ttl_days": 0},
        ["importance", "summary", "ttl_days"],
    ),
    (
        "/episodic/store",
        {
            "agent_id": "a",
            "conversation_id": "c",
            "summary": "s",
            "key_decisions": [1],
            "entities": ["x", []],
        },
        ["entities.1", "key_decisions.0"],
    ),
    ("/episodic/search", {"query": "", "agent_id": "a"}, ["query"]),
    ("/api/memory/ingest", {"session_id": "s", "response": "", "steps": -1}, ["response", "steps"]),
]


@pytest.mark.parametrize(("path", "body", "fields"), WRONG)
def test_all_that_is_wrong_with_a_body_is_told_at_once(api, path, body, fields):
    assert refused(api.post(path, json=body), 400, "invalid_request") == fields


@pytest.mark.parametrize(
    ("path", "params", "fields"),
    [
        ("/api/memory/search", {}, ["q"]),
        ("/api/memory/search", {"q": ""}, ["q"]),
        ("/api/memory/search", {"q": "x", "limit": 51, "mode": "magic"}, ["mode"]),
    ],
)
def test_bad_parameters_are_named(api, path, params, fields):
    assert refused(api.get(path, params=params), 400, "invalid_request") == fields


def test_a_lone_surrogate_is_refused_and_nothing_is_stored(api, agent, user):
    body = {"conversation_id": unique("c-"), "agent_id": agent, "user_id": user, "summary": "s"}
    for wrong in ({"summary": "\ud800"}, {"entities": ["\ud800"]}, {"entities": [{"\ud800": 1}]}):
        sent = json.dumps(body | wrong).encode()
        response = api.post("/episodic/store", content=sent, headers={"content-type": "application/json"})
        refused(response, 400, "invalid_request")
    assert recent(api, user) == []


def test_more_episodes_than_an_answer_holds_are_cut_from_the_oldest(api, agent):
    conversation = unique("c-")
    ids = [store(api, agent, "é" * 10_000, conversation_id=conversation, keywords=["k"]) for _ in range(110)]
    response = api.get(f"/episodic/{conversation}")
    kept = [episode["id"] for episode in response.json()["episodes"]]
    left_out = int(response.headers["strata-left-out"])
    assert 0 < left_out < 110
    assert kept == ids[left_out:]
