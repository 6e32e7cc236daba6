"""Searches and contexts give what is relevant, in the caller's project and of the caller's people alone."""

import pytest

from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from support.api import client
from support.clocks import HandClock
from support.memory import Memory, application

OTHER = Scope("other")


@pytest.fixture
def memory(tmp_path):
    memory = Memory(application(tmp_path, HandClock()))
    for project in ("shop", "till"):
        memory.save(f"The {project} keeps its backups for thirty days.", title="Backups", project=project)
        memory.save(f"The {project} prints receipts on thermal paper.", title="Receipts", project=project)
    other = Memory(memory.app, OTHER)
    other.save("Backups of the other tenant are kept for ever.", title="Backups", project="shop")
    memory.follow()
    return memory


@pytest.fixture
def api(memory):
    with client(memory.app) as api:
        yield api


def search(api, q, **more):
    return api.get("/search", params={"q": q, "project": "shop"} | more).json()


def context(api, query, **more):
    return api.get("/context", params={"query": query, "project": "shop"} | more).json()


def test_a_hit_tells_how_relevant_it_is_and_others_are_left_out(api):
    (hit,) = search(api, "how long are backups kept?")
    assert hit["title"] == "Backups"
    assert hit["relevance"] > 0.5
    everything = search(api, "how long are backups kept?", min_relevance=0)
    assert [each["title"] for each in everything] == ["Backups", "Receipts"]
    assert everything[1]["relevance"] < 0.05
    assert search(api, "how long are backups kept?", min_relevance=1) == []


def test_a_search_of_episodes_leaves_out_what_is_not_relevant(api, memory):
    for user in ("ann", "bob"):
        for told in ("The backups are kept for thirty days", "The ferry to Skellig left at noon"):
            body = {"conversation_id": f"of-{user}", "agent_id": "a1", "user_id": user}
            api.post("/episodic/store", json=body | {"summary": f"{told}, says {user}"})

    def found(q, **more):
        answer = api.get("/api/memory/search", params={"q": q, "userId": "ann"} | more).json()
        return [each["summary"] for each in answer["results"]]

    backups = "The backups are kept for thirty days, says ann"
    assert found("how long are backups kept?") == [backups]
    for mode in ("hybrid", "bm25", "vector"):
        assert found("zzqqxx", mode=mode) == []
    assert found("ok") == []
    assert len(found("zzqqxx", min_relevance=0)) == 2
    assert found("how long are backups kept?", min_relevance=1) == []
    asked = {"query": "zzqqxx", "agent_id": "a1", "user_id": "ann", "top_k": 5}
    assert len(api.post("/episodic/search", json=asked).json()["results"]) == 2
    other = Memory(memory.app, OTHER)
    assert (
        other.app.episodes.finder.matching(OTHER, "ann", "backups", limit=5, mode=Mode.HYBRID).results == []
    )


@pytest.mark.parametrize(
    "query", ["ok", "thanks, go on", "what is the capital of France?", "till drawer colour"]
)
def test_what_has_nothing_to_be_found_finds_nothing(api, query):
    assert search(api, query) == []
    assert context(api, query, token_budget=2000)["items"] == []
    assert context(api, query, fill="none") == {"recent_sessions": [], "recent_observations": []}


def test_a_common_word_alone_is_searched_for_but_asks_for_no_context(memory, api):
    memory.save("The job at the till ends in May.", title="Job", project="shop")
    memory.follow()
    assert [each["title"] for each in search(api, "job")] == ["Job"]
    assert context(api, "job", token_budget=2000)["items"] == []


def test_a_plain_context_is_filled_with_the_newest_as_agentops_documents_it(api):
    titles = [each["title"] for each in context(api, "thanks!")["recent_observations"]]
    assert titles == ["Receipts", "Backups"]
    titles = [each["title"] for each in context(api, "how long are backups kept?")["recent_observations"]]
    assert titles == ["Backups", "Receipts"]


def test_a_setting_turns_the_fill_off_and_another_the_floor(memory):
    bare = application(memory.app.settings.data_dir, HandClock(), CONTEXT_FILL="none", MIN_RELEVANCE="0")
    with client(bare) as api:
        assert len(context(api, "how long are backups kept?")["recent_observations"]) == 2
    strict = application(memory.app.settings.data_dir, HandClock(), CONTEXT_FILL="none")
    with client(strict) as api:
        (only,) = context(api, "how long are backups kept?")["recent_observations"]
        assert only["title"] == "Backups"


def test_pinned_memories_are_in_every_context_of_their_own_project(memory):
    memory.save("Speak plainly.", title="Tone", project="shop", tags=["pinned"])
    memory.save("Sing.", title="Song", project="till", tags=["pinned"])
    memory.save("The word pinned is all that this has.", title="Word", project="shop")
    memory.follow()
    app = application(memory.app.settings.data_dir, HandClock(), PINNED_TAG="pinned")
    with client(app) as api:
        for query in ("thanks!", "how long are backups kept?"):
            items = context(api, query, layers="observations")["items"]
            titles = [each["content"].split("] ")[1].split(":")[0] for each in items]
            assert sorted(titles) == (["Tone"] if query == "thanks!" else ["Backups", "Tone"])


def test_an_item_of_a_context_tells_its_relevance(api):
    (item,) = context(api, "how long are backups kept?", token_budget=2000)["items"]
    assert item["relevance"] == search(api, "how long are backups kept?")[0]["relevance"]
    newest = context(api, "", token_budget=2000)["items"]
    assert [each["relevance"] for each in newest] == [0, 0]


def test_a_small_budget_holds_the_best_memory_and_a_large_one_all_that_is_relevant(api, memory):
    for number in range(30):
        memory.save(
            f"Backup {number} of the shop went to the vault number {number} behind the bakery.",
            title=f"Backup {number}",
            project="shop",
        )
    memory.start("s1", "shop")
    memory.end("s1", "Hello", "Hi")
    memory.follow()
    small = context(api, "where do backups of the shop go?", token_budget=50)
    assert {each["layer"] for each in small["items"]} == {"observations"}
    assert small["tokens"] <= 50
    large = context(api, "where do backups of the shop go?", token_budget=8000)
    assert len(large["items"]) > 20
    assert all(each["relevance"] >= 0.15 for each in large["items"])
    capped = context(api, "where do backups of the shop go?", token_budget=8000, limit=3)
    assert len(capped["items"]) == 3


def test_people_and_tenants_stay_apart(memory, api):
    memory.save(
        "Ann keeps her backups at home.", title="Ann", project="shop", user_id="ann", session_id="s-ann"
    )
    memory.save(
        "Bob keeps his backups at work.", title="Bob", project="shop", user_id="bob", session_id="s-bob"
    )
    memory.follow()
    titles = {
        each["title"] for each in context(api, "who keeps backups?", user_id="ann")["recent_observations"]
    }
    assert "Ann" in titles
    assert "Bob" not in titles
    assert all(
        "tenant" not in each["content"]
        for each in search(api, "backups of the other tenant", min_relevance=0)
    )


@pytest.mark.parametrize("value", ["-0.1", "1.1", "nan", "x"])
@pytest.mark.parametrize("path", ["/search", "/context"])
def test_a_bad_floor_is_refused_by_name(api, path, value):
    answer = api.get(path, params={"q": "x", "query": "x", "min_relevance": value})
    assert answer.status_code == 400
    assert [each["field"] for each in answer.json()["details"]] == ["min_relevance"]


def test_a_name_that_is_a_stop_word_elsewhere_is_looked_up(memory, api):
    memory.save("On 12 May the boiler of the shop was replaced.", title="Boiler", project="shop")
    memory.save("Will is the landlord and has the spare key.", title="Landlord", project="shop")
    memory.follow()
    assert [hit["title"] for hit in search(api, "what happened in May?")][:1] == ["Boiler"]
    assert [hit["title"] for hit in search(api, "who is Will?")][:1] == ["Landlord"]
    assert "boiler" in str(context(api, "what happened in May?"))
    assert "landlord" in str(context(api, "who is Will?"))
