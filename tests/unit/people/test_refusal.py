"""Of a person who refuses nothing is learnt, and nothing is given or listed that was, until they agree."""

from typing import Any

import pytest

from support.api import ClaimsFromHeader, client
from support.api_calls import data
from support.memory import Memory, application, dialogue

TOWNS = {"ann": "Valencia", "bob": "Lisbon"}
PROJECTS = {"ann": "demo", "bob": "web"}
ANSWER = "In summary, compared to the coach the train to TOWN is simpler. " * 30


@pytest.fixture
def app(tmp_path, clock):
    app = application(tmp_path, clock, AUTH="required")
    yield app
    app.close()


@pytest.fixture
def memory(app):
    return Memory(app)


class House:
    """Two tenants in which ann and bob talk with an agent."""

    def __init__(self, app, memory: Memory) -> None:
        self._api = client(app, ClaimsFromHeader())
        self._memory = memory

    def answer(self, tenant: str, method: str, path: str, **sent: Any) -> Any:
        return self._api.request(method, path, headers={"x-tenant": tenant}, **sent)

    def __call__(self, tenant: str, method: str, path: str, **sent: Any) -> Any:
        response = self.answer(tenant, method, path, **sent)
        assert response.status_code < 300, response.text
        return data(response)

    def talks(self, tenant: str, person: str, session: str) -> None:
        town, about = TOWNS[person], {"project": PROJECTS[person], "user_id": person, "agent_id": "helper"}
        self(tenant, "PUT", "/api/agents-config/helper", json={"memory_enabled": True})
        self(tenant, "POST", "/sessions", json={"id": session} | about)
        said = dialogue(
            f"I live in {town}.", "Noted.", "I love jazz.", "Nice.",
            f"We decided to take the train to {town} because it is simpler.", "Good.",
        )  # fmt: skip
        self(tenant, "POST", f"/sessions/{session}/end", json={"messages": said})
        answer = {
            "session_id": session,
            "response": ANSWER.replace("TOWN", town),
            "tool_calls": 3,
            "steps": 4,
        }
        self(tenant, "POST", "/api/memory/ingest", json=answer | {"user_id": person})
        self._memory.work()

    def told(self, tenant: str, person: str) -> dict[str, str]:
        """What each reading tells of a person, as text."""
        about = {"agent_id": "helper", "user_id": person}
        town, user, everything = TOWNS[person], {"userId": person}, "episodes,sessions,facts,conclusions"
        asked = about | {"project": PROJECTS[person], "layers": everything}
        similar = about | {"query": f"train to {town}", "top_k": 20}
        answers = {
            "context": self(tenant, "GET", "/context", params=asked),
            "context of a query": self(tenant, "GET", "/context", params=asked | {"query": town}),
            "facts": self(tenant, "GET", f"/api/agents/helper/users/{person}/facts"),
            "episodes": self(tenant, "GET", "/api/memory/episodes", params=user),
            "episodes found": self(tenant, "GET", "/api/memory/search", params=user | {"q": "train"}),
            "episodes alike": self(tenant, "POST", "/episodic/search", json=similar),
            "conclusions": self(tenant, "GET", "/api/memory/conclusions", params=user | about),
            "sessions": self(tenant, "GET", "/sessions/recent", params={"user_id": person}),
            "entities": self(tenant, "GET", "/api/entities", params=user | about),
        }
        return {name: str(answer) for name, answer in answers.items()}

    def consents(self, tenant: str, person: str, **said: bool) -> None:
        self(tenant, "PUT", f"/api/rgpd/users/{person}/consent", json=said)
        self._memory.work()


@pytest.fixture
def house(app, memory):
    return House(app, memory)


def silent(told: dict[str, str], person: str) -> set[str]:
    return {name for name, text in told.items() if TOWNS[person] not in text}


def test_what_was_learnt_is_neither_given_nor_listed_until_the_person_agrees(house):
    for tenant in ("local", "globex"):
        for person in TOWNS:
            house.talks(tenant, person, f"talk-{person}")
    assert {name for person in TOWNS for name in silent(house.told("local", person), person)} == set()
    before = house.told("local", "ann")

    house.consents("local", "ann", ai_consent=False)

    assert silent(house.told("local", "ann"), "ann") == set(before)
    assert silent(house.told("local", "bob"), "bob") == set()
    assert silent(house.told("globex", "ann"), "ann") == set()
    house.consents("local", "ann", ai_consent=True)
    assert silent(house.told("local", "ann"), "ann") == set()


def test_an_episode_that_a_client_stored_is_still_found(house):
    stored = {"conversation_id": "c1", "agent_id": "helper", "user_id": "ann", "summary": "Valencia by train"}
    house("local", "POST", "/episodic/store", json=stored)
    house.consents("local", "ann", ai_consent=False)
    told = house.told("local", "ann")
    assert silent(told, "ann") == set(told) - {
        "context", "context of a query", "episodes", "episodes found", "episodes alike",
    }  # fmt: skip


@pytest.mark.parametrize("session_consent", [None, True])
def test_no_episode_line_or_fact_is_made_of_what_somebody_says_who_refuses(house, memory, session_consent):
    house.consents("local", "ann", ai_consent=False)
    for person in TOWNS:
        if session_consent is not None:
            path = f"/api/rgpd/sessions/talk-{person}/consent"
            house("local", "POST", path, json={"consent": session_consent})
        house.talks("local", person, f"talk-{person}")
    house.consents("local", "ann", ai_consent=True)  # so that whatever was made would be told
    assert silent(told := house.told("local", "ann"), "ann") == set(told)
    assert silent(house.told("local", "bob"), "bob") == set()


def test_entities_that_were_known_by_their_ids_are_gone_until_the_person_agrees(house):
    for person in TOWNS:
        house.talks("local", person, f"talk-{person}")
    ids = {}
    for person, town in TOWNS.items():
        asked = {"userId": person, "agent_id": "helper"}
        listed = house("local", "GET", "/api/entities", params=asked)["entities"]
        ids[person] = next(each["id"] for each in listed if each["name"] == town)
    house.consents("local", "ann", ai_consent=False)
    for person, known in (("ann", False), ("bob", True)):
        asked = {"userId": person, "agent_id": "helper"}
        for method, path in (("GET", ""), ("GET", "/relationships"), ("GET", "/graph"), ("PUT", "")):
            sent = {"json": {}} if method == "PUT" else {}
            answer = house.answer("local", method, f"/api/entities/{ids[person]}{path}", params=asked, **sent)
            assert (answer.status_code == 200) is known, (person, path, answer.text)
    gone = {"userId": "ann", "agent_id": "helper"}
    assert house("local", "DELETE", f"/api/entities/{ids['ann']}", params=gone)["deleted"]


def test_who_refuses_takes_no_place_among_the_episodes_that_are_found(house):
    for number in range(3):
        house.talks("local", "ann", f"talk-{number}")
    house.talks("local", "bob", "talk-bob")
    house.consents("local", "ann", ai_consent=False)
    asked = {"agent_id": "helper", "query": "We decided to take the train to Valencia", "top_k": 1}
    (found,) = house("local", "POST", "/episodic/search", json=asked)["results"]
    assert found["conversation_id"] == "talk-bob"
