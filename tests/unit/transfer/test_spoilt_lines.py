"""Whatever lines about a person an import takes, all that is read and done afterwards goes well."""

import copy
import json

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, assume, given, settings

from strata.domain.times import DAY
from support.api import ClaimsFromHeader, client
from support.clocks import HandClock
from support.memory import Memory, application, dialogue, unique
from support.person import Person
from support.run_size import size

KINDS = "profiles,preferences,devices,conclusions,entities"
SAID = ("I live in Lima.", "I prefer tea.", "My sister Ana Ruiz works at Globex.", "The sourdough is ready")
"""The words of one session; those of the next are `LATER`."""
LATER = ("I live in Quito now.", "Is my sourdough ready?", "Got two sourdough books")

VALUES = st.sampled_from(
    [
        *(None, True, False, 0, 1, 5, -1, 0.5, 1.0, 1e300, 2**53 - 1, 2**53, -(2**53) + 1, 2**64, 10**400),
        *("", " ", "a", "n" * 201, "t" * 501, "w" * 60_000, "../a#b|c", ".", "\x00\x1f", "\ud800"),
        *("ep-1", "fact-1", "person", "agent", "learnt", "model", "rules", "explicit", "inductive", "name"),
        *("1970-01-01T00:00:00Z", "2254-12-31T00:00:00Z", "9999-12-31T23:59:59Z", "all", "agent=a project="),
        *([], {}, [[]], [""], ["a"], ["a", "a"], {"a": 1}, {"a": None}, {"": ""}, [None]),
    ]
)
PLACES = st.integers(0, 9999)
DEEDS = st.lists(
    st.tuples(PLACES, PLACES, st.sampled_from(["put", "put", "drop", "many", "swap"]), VALUES),
    min_size=1,
    max_size=40,
)


def speak(ask, user, session, said):
    ask("POST", "/sessions", json={"id": session, "project": "demo", "user_id": user, "agent_id": "a1"})
    messages = dialogue(*(words for each in said for words in (each, "ok")))
    ask("POST", f"/sessions/{session}/end", json={"messages": messages})


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """The lines of two people in an export."""
    clock = HandClock()
    app = application(tmp_path_factory.mktemp("source"), clock, AUTH="required")
    memory = Memory(app)
    for name in ("ann", "bob"):
        person = Person(client(app, ClaimsFromHeader()), name)
        person.fills()
        person.is_known(app)
        for number, said in enumerate((SAID, LATER, SAID[:1])):
            speak(person, name, f"{name}{number}", said)
            memory.work()
            clock.forward(DAY)
        for agent in ({}, {"agent_id": "a1"}):
            stated = {"name": "N", "patterns": ["early"], "preferences": {"tea": "green", "cups": 2}}
            person("PUT", "/api/memory/profile", json={"userId": name} | agent | stated)
    asked = {"format": "jsonl", "kinds": KINDS}
    text = person.api.get("/export", params=asked, headers={"x-tenant": "local"}).text
    app.close()
    return [each for each in map(json.loads, text.splitlines()) if "user_id" in each]


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    memory = Memory(application(tmp_path_factory.mktemp("there"), HandClock(), AUTH="required"))
    yield memory
    memory.app.close()


def places(value):
    """Each container in a value with a name or place in it."""
    names = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in names:
        yield value, name
        yield from places(each)


def spoil(line, place, deed, value):
    every = [each for each in places(line) if each[1] not in ("kind", "user_id")]
    holder, name = every[place % len(every)]
    if deed == "drop":
        del holder[name]
    elif deed == "many" and isinstance(holder, list):
        holder *= 130
    elif deed == "many":
        holder |= {f"{name}{number}": holder[name] for number in range(130)}
    elif deed == "swap":
        holder[name] = copy.deepcopy(every[place % 7 % len(every)][0])
    else:
        holder[name] = copy.deepcopy(value)


LARGEST = 5_000_000
"""Bytes of a body that an import takes."""


class Reader:
    """Asks as one of a tenant; no answer says that something broke here."""

    def __init__(self, memory):
        self.tenant = unique("t")
        self.api = client(memory.app, ClaimsFromHeader())

    def __call__(self, method, path, **sent):
        response = self.api.request(method, path, headers={"x-tenant": self.tenant}, **sent)
        assert response.status_code < 500, (method, path, response.text)
        return response.json() if path != "/export" else None


def load(ask, lines):
    text = "\n".join(json.dumps(each) for each in lines)
    assume(len(text.encode()) <= LARGEST)  # a larger body is refused unread
    headers = {"x-tenant": ask.tenant, "content-type": "application/x-ndjson"}
    answer = ask.api.post("/import", content=text.encode(), headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


@settings(max_examples=size(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(deeds=DEEDS)
def test_what_is_imported_can_be_read_and_changed(there, lines, deeds):
    chosen = copy.deepcopy(lines)
    for line, *rest in deeds:
        spoil(chosen[line % len(chosen)], *rest)
    ask = Reader(there)
    load(ask, chosen)
    for user in ("ann", "bob"):
        mine = {"userId": user}
        for path in ("profile", "profile/history", "conclusions", "episodes"):
            for agent in ({}, {"agent_id": "a1"}):
                ask("GET", f"/api/memory/{path}", params=mine | agent)
        for layers in ("profile,conclusions,entities", "relevant,recent"):
            ask("GET", "/context", params={"user_id": user, "query": "who am I?", "layers": layers})
        ask("GET", f"/api/users/{user}/preferences")
        ask("POST", "/api/memory/ask", json=mine | {"question": "Where do I live, and what is my name?"})
        for each in ask("GET", "/api/entities", params=mine)["entities"]:
            ask("GET", f"/api/entities/{each['id']}", params=mine)
        runs = ask("GET", "/api/memory/consolidations", params=mine)["consolidations"]
        speak(ask, user, f"{user}9", ("I live in Rome now.", "The sourdough is back"))
        there.work()
        ask("GET", "/api/memory/conclusions", params=mine)
        for each in runs:
            ask("POST", f"/api/memory/consolidations/{each['id']}/undo", params=mine)
        ask("PUT", "/api/memory/profile", json=mine | {"patterns": ["late"], "agent_id": "a1"})
        for each in ask("GET", "/api/memory/conclusions", params=mine)["conclusions"][:2]:
            ask("DELETE", f"/api/memory/conclusions/{each['id']}", params=mine)
        ask("GET", f"/api/rgpd/users/{user}/ai-data")
    ask("GET", "/export", params={"format": "jsonl", "kinds": "all"})
