"""What a conversation is told in one layer it is not told in another one: lines, titles, names."""

from itertools import product

import pytest

from strata.domain.assembly.items import Remembered
from strata.domain.wire.episodes import NewIngest
from strata.services.context.assemble import ContextAssembler, ContextOptions
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from support.api import client
from support.api_calls import data
from support.clocks import HandClock
from support.facts import AGENT, enable
from support.memory import LOCAL, Memory, application
from support.people import People

CELLS = list(product(("ann", "bob"), ("shop", "lab")))
"""Each person with each project."""


@pytest.fixture
def memory(tmp_path):
    app = application(tmp_path, HandClock())
    yield Memory(app)
    app.close()


@pytest.fixture
def api(memory):
    with client(memory.app) as opened:
        yield opened


@pytest.fixture
def people(memory, api):
    enable(memory)
    return People(
        memory.app, lambda _, method, path, **sent: data(api.request(method, path, **sent)), memory.app.clock
    )


def given(api, user, project, **asked):
    answer = api.get("/context", params={"user_id": user, "project": project} | asked)
    assert answer.status_code == 200, answer.text
    return [(item["layer"], item["content"]) for item in answer.json()["items"]]


def told(user, project):
    return f"We decided that {user} moves the {project}'s invoices to Hamburg."


@pytest.fixture
def ended(memory):
    """A session of each person in each project, with a line and an episode."""
    for user, project in CELLS:
        memory.start(f"{user}-{project}", project, user_id=user)
        memory.end(f"{user}-{project}", told(user, project), "Noted.", "Thanks.")
    memory.follow()


@pytest.mark.parametrize("first", ["episodes", "sessions"])
def test_an_episode_and_the_line_of_its_session_are_given_once_in_a_conversation(api, ended, first):
    (second,) = {"episodes", "sessions"} - {first}
    for user, project in CELLS:
        said = told(user, project)
        asked = {"query": "where do the invoices go?", "conversation_id": f"c-{user}-{project}"}
        assert given(api, user, project, layers=first, turn_id="t1", **asked) == [(first, said)]
        assert given(api, user, project, turn_id="t2", **asked) == []
        assert given(api, user, project, layers=second, **asked) == []
        assert given(api, user, project, layers=first, turn_id="t1", **asked) == [(first, said)]
        other = asked | {"conversation_id": f"d-{user}-{project}"}
        assert given(api, user, project, layers=second, **other) == [(second, said)]


def test_an_episode_that_is_evicted_from_the_ledger_is_given_again(api, ended):
    for user, project in CELLS:
        talk = f"c-{user}-{project}"
        asked = {"query": "where do the invoices go?", "conversation_id": talk}
        first = given(api, user, project, layers="episodes", **asked)
        (item,) = (key for key, value in api.get(f"/ledger/{talk}").json().items() if value == "injected")
        api.post(f"/ledger/{talk}/evict", json={"item": item})
        assert given(api, user, project, **asked) == first


def test_an_answer_that_an_agent_kept_is_neither_its_sessions_line_nor_another_answer(api, memory):
    answers = (
        "Compared to Hamburg, Kiel is cheaper for invoices.",
        "Compared to Kiel, Bonn archives invoices.",
    )
    for user, project in CELLS:
        session = f"{user}-{project}"
        memory.start(session, project, user_id=user)
        for answer in answers:
            body = {
                "session_id": session,
                "response": f"{answer} ({session})",
                "tool_calls": [{}],
                "steps": 2,
            }
            memory.app.episodes.ingester.ingest(LOCAL, NewIngest.model_validate(body), user=user)
        memory.end(session, "hi", told(user, project), "ok", "bye", summary=told(user, project))
    memory.follow()
    for user, project in CELLS:
        seen = given(api, user, project, query="invoices archived in Hamburg, Kiel or Bonn?")
        said = [content for _, content in seen if "invoices" in content]
        assert sorted(said) == sorted(
            [told(user, project), *(f"{answer} ({user}-{project})" for answer in answers)]
        )


def saved(memory, user, project, *notes):
    """A session in which observations of these titles were saved, of which its line is made."""
    session = f"{user}-{project}"
    memory.start(session, project, user_id=user)
    for title, content in notes:
        memory.save(content, title=title, type="runbook", session_id=session, project=project)
    memory.end(session, "hi", "saved")
    memory.follow()


def test_a_line_of_titles_is_left_out_where_the_observations_are_given(api, memory):
    titles = "Runbook of the pumps", "Stopping all the valves"
    notes = list(
        zip(titles, ("The big pumps stop first.", "They are shut from north to south."), strict=True)
    )
    for user, project in CELLS:
        saved(memory, user, project, *notes)
    for user, project in CELLS:
        asked = {
            "query": "in which order are pumps and valves stopped?",
            "conversation_id": f"{user}{project}",
        }
        line = ". ".join(titles) + "."
        assert {layer for layer, _ in given(api, user, project, **asked)} == {"observations"}
        assert given(api, user, project, layers="sessions,episodes", **asked) == []
        alone = given(api, user, project, query=asked["query"], layers="sessions")
        assert alone == [("sessions", line)]


def test_a_plain_context_leaves_out_a_line_of_titles_beside_the_observations(api, memory):
    titles = "Runbook of the pumps", "Stopping all the valves"
    for user, project in CELLS:
        notes = "The big pumps stop first.", f"{user} shuts the valves of {project} from north to south."
        saved(memory, user, project, *zip(titles, notes, strict=True))
        memory.start(f"{user}-{project}-2", project, user_id=user)
        memory.end(f"{user}-{project}-2", f"We decided that {user} paints the pumps.", "Noted.", "Thanks.")
    for _, project in CELLS:
        asked = {"project": project, "query": "in which order are pumps and valves stopped?"}
        for fill in ("none", "recent"):
            answer = api.get("/context", params=asked | {"fill": fill}).json()
            assert {"Runbook of the pumps", "Stopping all the valves"} == {
                each["title"] for each in answer["recent_observations"]
            }
            assert "Runbook of the pumps. Stopping" not in answer["context"]
            assert "Stopping all the valves" in answer["context"]
        filled = api.get("/context", params={"project": project}).json()
        assert any(
            project in each["summary"] or "messages" in each["summary"] for each in filled["recent_sessions"]
        )
        assert "paints the pumps" in filled["context"]


def test_a_line_is_left_out_until_more_of_it_is_asked_for_than_what_is_given(api, memory):
    for user, project in CELLS:
        soup = f"Cooking soup for {user}", "With leeks."
        saved(memory, user, project, ("Runbook of the pumps", "The big ones stop first."), soup)
    for user, project in CELLS:
        line = "sessions", f"Runbook of the pumps. Cooking soup for {user}."
        asked = {"limit": 1, "conversation_id": f"{user}{project}"}
        seen = given(api, user, project, query="where is the runbook of the pumps?", **asked)
        assert [layer for layer, _ in seen] == ["observations"]
        seen = given(api, user, project, query="cooking soup", layers="sessions", **asked)
        assert seen == [line]
        assert line in given(api, user, project, limit=1)


def test_an_episode_that_stands_in_an_observation_is_left_out(api, memory):
    for user, project in CELLS:
        said = f"The {project} of {user} listens on port 6543"
        memory.save(
            f"{said}. It was 5432 before.", title="Port", session_id=user, user_id=user, project=project
        )
        for conversation, summary in (("a", said), ("b", f"{said}, and on 7654")):
            episode = {"conversation_id": f"{conversation}{user}{project}", "user_id": user, "agent_id": "a1"}
            api.post("/episodic/store", json=episode | {"summary": summary, "project": project})
    memory.follow()
    for user, project in CELLS:
        seen = given(api, user, project, query=f"on which port does the {project} listen?")
        assert [content for layer, content in seen if layer == "episodes"] == [
            f"The {project} of {user} listens on port 6543, and on 7654"
        ]


def test_a_name_that_the_profile_tells_is_not_told_again_as_a_conclusion(api, people, memory):
    for user, project in CELLS:
        name = user.title()
        hello = f"Hello, my name is {name}.", "Remember it.", "Thanks."
        people.says(*hello, user=user, project=project, agent_id=AGENT)
    for user, _ in CELLS:
        name = user.title()
        assert "Is called " + name in people.known(user, agent_id=AGENT)
        api.put("/api/memory/profile", json={"userId": user, "name": name})
    for user, project in CELLS:
        name, as_agent = user.title(), {"agent_id": AGENT}
        both = {each for _, each in given(api, user, project, layers="profile,conclusions", **as_agent)}
        assert both == {f"Name: {name}"}
        alone = {each for _, each in given(api, user, project, layers="conclusions", **as_agent)}
        assert alone == {f"Is called {name}"}
        body = {"question": f"What is the name, is she called {name}?", "userId": user, "project": project}
        answer = api.post("/api/memory/ask", json=body | {"agentId": AGENT}).json()
        of_name = {"Name: " + name, "Is called " + name}
        assert len([each for each in answer["statements"] if each["text"] in of_name]) == 1


class Scripted:
    """A layer that says of each person in each project what it is told to."""

    def __init__(self, name, said):
        self.name = name
        self.said = {cell: Remembered(name, "-".join(cell), said(*cell), 0) for cell in CELLS}

    def recall(self, scope, query):
        item = self.said[query.user_id, query.project]
        return LayerAnswer([] if item.key in query.given else [item])

    def fetch(self, scope, query, ids):
        return [each for each in self.recall(scope, query).items if each.id in ids]


def test_a_quote_is_left_out_beside_what_it_is_of(memory):
    app = memory.app
    quote = Scripted("conclusions", lambda user, project: f'Says: "{told(user, project)[:-1]}"')
    episode = Scripted("episodes", lambda user, project: f"{told(user, project)} Kiel is cheaper.")
    stores = (
        app.conversations.ledger,
        app.stores.parallel,
        app.models.lexicon,
        app.clock,
        app.models.tokenizer,
    )
    assembler = ContextAssembler([quote, episode], *stores)

    def layers_of(user, project, **wished):
        asked = ContextQuery(user_id=user, project=project)
        options = ContextOptions(conversation_id=f"{user}-{project}", **wished)
        return [each.item.layer for each in assembler.assemble(LOCAL, asked, options).fitting]

    for user, project in CELLS:
        assert layers_of(user, project) == ["episodes"]
        assert layers_of(user, project) == []
        assert app.conversations.ledger.items(LOCAL, f"{user}-{project}") == {
            f"episodes:{user}-{project}": "injected",
            f"conclusions:{user}-{project}": "repeated",
        }
