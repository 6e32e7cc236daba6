"""A project is moved to another: everything in it is found there, with its ids."""

import pytest

from strata.domain.scope import Scope
from strata.services.transfer.moving import SECONDS
from support.api import ClaimsFromHeader, client
from support.clocks import HandClock
from support.memory import Memory, application

ASKED = {"old_project": "Shop-API", "new_project": "shop"}
TALK = [f"We decided on Redis for queue {number} because of reason {number}" for number in range(8)]


@pytest.fixture
def memory(tmp_path):
    app = application(tmp_path, HandClock(), AUTH="required")
    yield Memory(app)
    app.close()


@pytest.fixture
def api(memory):
    with client(memory.app, ClaimsFromHeader()) as opened:
        opened.headers["x-tenant"] = "local"
        yield opened


def found(api, project, query, **params):
    hits = api.get("/search", params={"q": query, "project": project} | params).json()
    return [hit["id"] for hit in hits]


def moved(api, **asked):
    response = api.post("/projects/migrate", json=ASKED | asked)
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.parametrize("indexed", [True, False])
def test_everything_of_a_project_is_found_in_the_other_one(api, memory, indexed):
    memory.start("s1", "shop-api")
    heron = memory.save("the blue heron stands in the pond", project="shop-api", topic_key="birds").id
    everywhere = memory.save("the grey heron is shy", project="shop-api", scope="global", title="Grey").id
    there = memory.save("the white heron was in the shop before", project="shop", session_id="s2").id
    elsewhere = memory.save("the black heron", project="docs", session_id="s3").id
    memory.end("s1", *TALK)
    memory.start("s4", "shop-api", user_id="ann")
    memory.end("s4", *TALK, user_id="ann")
    if indexed:
        memory.follow()

    answer = moved(api)
    assert answer == {
        "status": "migrated",
        "old_project": "shop-api",
        "new_project": "shop",
        "observations": 2,
        "sessions": 2,
        "prompts": 0,
    }
    for _ in range(2):  # before and after the stream was followed
        assert sorted(found(api, "shop", "heron")) == sorted([heron, everywhere, there])
        assert found(api, "shop-api", "heron", scope="project") == []
        assert found(api, "docs", "black heron", scope="project") == [elsewhere]
        assert api.get(f"/observations/{heron}").json()["project"] == "shop"
        recent = api.get("/observations/recent", params={"project": "shop"}).json()
        assert sorted(each["id"] for each in recent) == sorted([heron, everywhere, there])
        sessions = api.get("/sessions/recent", params={"project": "shop"}).json()
        assert [(each["id"], each["project"]) for each in sessions] == [("s4", "shop"), ("s1", "shop")]
        assert api.get("/sessions/recent", params={"project": "shop-api"}).json() == []
        assert "Redis" in api.get("/context", params={"project": "shop"}).json()["context"]
        params = {"project": "shop", "query": "Redis for queue 0", "layers": "episodes", "user_id": "ann"}
        (episode,) = api.get("/context", params=params).json()["items"]
        assert (episode["layer"], episode["project"]) == ("episodes", "shop")
        assert memory.stats("shop").total_observations == 3
        assert memory.stats("shop").total_sessions == 2
        assert memory.stats("shop-api").projects == ["docs", "shop"]
    assert moved(api) == {"status": "skipped", "reason": "no records found"}


def test_dedup_topics_and_changes_go_on_in_the_new_project(api, memory):
    first = memory.save("the heron", project="shop-api", topic_key="birds").id
    second = memory.save("the crane", project="shop-api", title="Crane").id
    moved(api)
    assert memory.save("the grey heron", project="shop", topic_key="birds").id == first
    again = memory.save("the crane", project="shop", title="Crane")
    assert (again.id, again.action) == (second, "deduplicated")
    assert memory.save("the crane", project="shop-api", title="Crane").action == "created"
    memory.change(second, content="the red crane")
    memory.delete(first)
    memory.follow()
    assert found(api, "shop", "crane") == [second]
    assert found(api, "shop", "heron") == []


def test_a_content_and_a_topic_that_the_new_project_has_stay_there(api, memory):
    there = memory.save("the heron", project="shop", topic_key="birds").id
    here = memory.save("the heron", project="shop-api", topic_key="birds").id
    assert moved(api)["observations"] == 1
    assert memory.save("the heron", project="shop").id == there
    assert memory.save("the owl", project="shop", topic_key="birds").id == there
    assert memory.get(here).project == "shop"


def test_a_move_that_runs_out_of_time_goes_on_with_the_next_call(api, memory, monkeypatch):
    ids = [memory.save(f"fact {number}", project="shop-api", title=f"{number}").id for number in range(3)]
    mover = memory.app.transfer.mover
    whole = type(mover)._observation

    def slowly(self, *given):
        done = whole(self, *given)
        memory.app.clock.forward(SECONDS)
        return done

    monkeypatch.setattr(type(mover), "_observation", slowly)
    first = moved(api)
    assert (first["status"], 0 < first["observations"] < 3) == ("partial", True)
    seen = first["observations"]
    while (answer := moved(api))["status"] == "partial":
        seen += answer["observations"]
    assert seen + answer.get("observations", 0) == 3
    assert {memory.get(each).project for each in ids} == {"shop"}


def test_a_write_meanwhile_is_not_lost(api, memory, monkeypatch):
    saved = memory.save("the heron", project="shop-api").id
    mover = memory.app.transfer.mover
    whole = mover._table.transact
    changes = iter(["the grey heron"])

    def changed_first(scope, actions):
        if (content := next(changes, None)) is not None:
            memory.change(saved, content=content)
        return whole(scope, actions)

    monkeypatch.setattr(mover._table, "transact", changed_first)
    assert moved(api)["observations"] == 1
    assert (memory.get(saved).project, memory.get(saved).content) == ("shop", "the grey heron")


def test_names_that_differ_in_case_only_are_one_project(api, memory):
    memory.save(project="shop")
    answer = moved(api, old_project="SHOP")
    assert answer == {"status": "skipped", "reason": "names are identical"}


def test_another_tenants_project_of_the_name_stays(api, memory):
    memory.save("the heron", project="shop-api")
    other = Memory(memory.app, Scope("acme"))
    kept = other.save("the crane", project="shop-api").id
    moved(api)
    assert other.get(kept).project == "shop-api"
    reads = {"x-tenant": "local", "x-scopes": "read"}
    assert api.post("/projects/migrate", json=ASKED, headers=reads).status_code == 403
    assert api.post("/projects/migrate", json={"old_project": "x"}).status_code == 400
