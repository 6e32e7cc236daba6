"""Contexts are read by a reranker where the rules are unsure, within the caller's project and people."""

import json

import pytest

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from support.api import client
from support.clocks import HandClock
from support.faults import away
from support.memory import Memory, application
from support.reranker import Scripted

OTHER = Scope("other")
ASKED = "which port do we sail to with the boat?"
LIKELY = {"Marseille": 0.97, "Genoa": 0.9, "engine": 0.02}


@pytest.fixture
def reranker():
    return Scripted(LIKELY)


@pytest.fixture
def memory(tmp_path, reranker):
    memory = Memory(application(tmp_path, HandClock()))
    memory.use(reranker=reranker)
    for project, harbour in (("shop", "Marseille"), ("till", "Genoa")):
        memory.save(f"The boat of the {project} has a new engine.", title="Engine", project=project)
        memory.save(f"The {project} ships by water to {harbour}.", title="Boat", project=project)
    for user, harbour in (("ann", "Cork"), ("bob", "Galway")):
        memory.start(user, project="sea", user_id=user)
        memory.save(f"The boat of {user} lies in {harbour}.", title=harbour, project="sea", session_id=user)
    Memory(memory.app, OTHER).save("The boat goes to Odessa.", title="Boat", project="shop")
    memory.follow()
    return memory


@pytest.fixture
def api(memory):
    with client(memory.app) as api:
        yield api


def context(api, query=ASKED, **more):
    asked = {"query": query, "project": "shop", "layers": "observations"} | more
    found = api.get("/context", params=asked).json()["items"]
    return [(each["content"], each["relevance"]) for each in found]


def test_what_the_reranker_finds_likely_is_given_and_the_rest_is_not(api):
    assert context(api) == [("[decision] Boat: The shop ships by water to Marseille.", 0.97)]


def test_each_project_is_read_alone(api, reranker):
    assert context(api, project="till") == [("[decision] Boat: The till ships by water to Genoa.", 0.9)]
    assert not [text for _, texts in reranker.asked for text in texts if "Marseille" in text.text]
    assert not [text for _, texts in reranker.asked for text in texts if "Odessa" in text.text]


def test_a_persons_memories_are_read_alone(api, reranker):
    context(api, project="sea", user_id="ann")
    assert reranker.read() == ["Cork: The boat of ann lies in Cork."]


def test_a_search_goes_by_the_rules(api, reranker):
    api.get("/search", params={"q": ASKED, "project": "shop"})
    assert reranker.asked == []


@pytest.mark.parametrize(("project", "harbour"), [("shop", "Marseille"), ("till", "Genoa")])
def test_a_search_that_asks_for_it_is_read_in_its_project(api, reranker, project, harbour):
    asked = {"q": ASKED, "project": project, "rerank": True}
    (hit,) = api.get("/search", params=asked).json()
    assert (harbour in hit["content"], hit["relevance"]) == (True, LIKELY[harbour])
    assert not [text for text in reranker.read() if "Odessa" in text]


def test_where_a_search_that_is_read_finds_nothing_other_projects_are_named_unread(api, reranker):
    reranker.told = {"lies in": 0.01}
    asked = {"q": "which engine does the boat have?", "project": "sea", "rerank": True}
    answer = api.get("/search", params=asked)
    assert answer.json() == []
    assert {"shop", "till"} == set(json.loads(answer.headers["strata-elsewhere"]))
    assert len(reranker.asked) == 1


def test_what_an_agent_searches_goes_by_the_rules(api, reranker):
    called = {"name": "mem_search", "arguments": {"query": ASKED, "project": "till"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called}
    said = api.post("/mcp", json=body).json()["result"]["content"][0]["text"]
    assert "Genoa" in said
    assert reranker.asked == []


def test_a_search_cannot_ask_for_what_is_not_there(tmp_path):
    with client(Memory(application(tmp_path, HandClock())).app) as api:
        answer = api.get("/search", params={"q": ASKED, "rerank": True})
    assert answer.status_code == 409
    assert answer.json()["code"] == "switched_off"
    assert answer.json()["error"].startswith("rerank: ")


def test_a_floor_of_nothing_brings_what_is_nearest_unread(api, reranker):
    assert len(context(api, min_relevance=0)) == 2
    assert reranker.asked == []


@pytest.mark.parametrize("query", ["ok", "thanks, go on", "job"], ids=["consent", "thanks", "a common word"])
def test_nothing_is_read_for_what_asks_nothing(api, reranker, query):
    context(api, query)
    assert reranker.asked == []


def test_what_the_rules_are_sure_of_is_not_read(api, reranker, memory):
    memory.save("Invoice 4711 was paid by Hedwig Pfefferkorn.", title="Invoice 4711", project="shop")
    memory.follow()
    (found, *_) = context(api, "who paid invoice 4711, Hedwig Pfefferkorn?")
    assert "Pfefferkorn" in found[0]
    assert not [text for _, texts in reranker.asked for text in texts if "4711" in text.text]


def test_at_most_ten_are_read_and_a_memory_that_is_not_indexed_yet_among_them(api, reranker, memory):
    for number in range(14):
        memory.save(f"Coat {number} of paint for the boat.", title=f"Paint {number}", project="shop")
    memory.follow()
    memory.save("The next port is Marseille again.", title="Log", project="shop")
    assert ("[decision] Log: The next port is Marseille again.", 0.97) in context(api)
    assert len(reranker.read()) == 10
    assert len(context(api, limit=30)) <= 10


def test_what_the_rules_are_sure_of_beyond_the_tenth_is_given(api, memory):
    for number in range(14):
        memory.save(f"Invoice 4711, part {number}: Hedwig Pfefferkorn.", title="Invoice", project="shop")
    memory.follow()
    assert len(context(api, "invoice 4711 of Hedwig Pfefferkorn", limit=20)) == 14


def test_what_was_given_in_the_conversation_or_deleted_is_not_read(api, reranker, memory):
    (first,) = context(api, conversation_id="c")
    assert "Marseille" in first[0]
    gone = memory.save("To Toulon we sail by another boat.", title="Boat", project="shop").id
    memory.follow()
    memory.delete(gone, hard=True)
    assert context(api, conversation_id="c") == []
    assert not [text for text in reranker.read() if "Marseille" in text or "Toulon" in text]


def test_without_vectors_the_rules_decide(memory, reranker, monkeypatch):
    def no_answer(query):
        raise Unavailable("no answer")

    with client(memory.app) as api:
        context(api)
        assert len(reranker.asked) == 1
        monkeypatch.setattr(memory.app.models.embedder, "embed_query", no_answer)
        context(api, f"{ASKED} now")
    assert len(reranker.asked) == 1


def test_a_turn_is_read_with_the_turn_before(api, reranker, memory):
    talk = "Where does the boat go?", "Home.", "To Cork?", "To Cobh.", "Who steers it?", "Nobody."
    for place, said in enumerate(talk):
        memory.save(said, title=("Ann", "Ben")[place % 2], project="talk", session_id="talk")
    memory.follow()
    context(api, project="talk")
    before = {each.text: each.before for each in reranker.asked[-1][1]}
    assert before["Ben: Home."] == "Ann: Where does the boat go?"


def test_a_note_is_read_without_what_was_noted_before_it(api, reranker):
    context(api)
    assert {each.before for each in reranker.asked[-1][1]} == {""}


def test_of_a_long_memory_the_part_that_answers_is_read(api, reranker, memory):
    filler = "The quay was swept and the ropes were coiled. " * 40
    memory.save(f"{filler}The boat goes to pier Seven. {filler}", title="Long", project="shop")
    memory.follow()
    context(api)
    (long,) = [text for text in reranker.read() if text.startswith("Long")]
    assert "pier Seven" in long
    assert len(long) < 500


def test_of_a_long_chinese_memory_what_the_model_can_read_is_read(api, reranker, memory):
    filler = "码头昨天打扫过了。绳子也都收好了。" * 40
    memory.save(f"{filler}船夏天开往七号港口。{filler}", title="长", project="海")
    memory.follow()
    context(api, "今年夏天坐船旅行要去哪座城市", project="海")
    (long,) = reranker.read()
    assert "七号港口" in long
    assert len(long.encode()) < 500


def test_while_the_model_fails_the_rules_decide(api, reranker, memory, caplog):
    reranker.broken = True
    memory.save("We sail the boat to the port of Toulon.", title="Port", project="shop")
    memory.follow()
    assert "Toulon" in context(api)[0][0]
    assert "the weights are damaged" in caplog.text
    assert "Toulon" not in caplog.text


def test_without_the_index_the_newest_rows_are_read(memory):
    with away(memory), client(memory.app) as api:
        assert context(api) == [("[decision] Boat: The shop ships by water to Marseille.", 0.97)]


def test_another_ranking_is_not_read(tmp_path):
    reranker = Scripted(LIKELY)
    memory = Memory(application(tmp_path, HandClock(), RANKING="soft=0.1"))
    memory.use(reranker=reranker)
    assert memory.app.search.reranking is None
