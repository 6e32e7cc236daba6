"""Entities are recognized behind the stream in what is stored, once for each source."""

import threading

import pytest

from strata.domain.entities.shapes import Mention
from strata.services.entities.recording import Source
from support.memory import LOCAL


def test_an_episode_gives_its_entities_to_its_owner_alone(entities):
    entities.tell("Met [person Ana Ruiz] in [place Leeds]", "[person Ana Ruiz] called")
    assert [(each["name"], each["type"], each["mention_count"]) for each in entities.listed()] == [
        ("Ana Ruiz", "person", 2),
        ("Leeds", "place", 1),
    ]
    assert entities.names(user="bob") == entities.names(tenant="globex") == []
    entities.tell("[person Ana Ruiz] of Bob's", user="bob")
    assert {each["id"] for each in entities.listed()}.isdisjoint(
        each["id"] for each in entities.listed(user="bob")
    )


def test_nothing_is_taken_from_recalled_text(entities):
    entities.tell("[place Leeds] <memory:facts>[person Ana Ruiz]</memory:facts>")
    assert entities.names() == ["Leeds"]


def test_four_spellings_of_one_person_over_forty_episodes_are_one_entity(entities):
    spellings = ["María Gil", "maria gil", "MARÍA GIL", "María Gil Soto|María Gil"]
    entities.tell(*(f"[person {spellings[number % 4]}] called" for number in range(40)))
    (found,) = entities.listed()
    assert (found["name"], found["mention_count"]) == ("María Gil Soto", 40)
    assert set(found["aliases"]) == {"María Gil", "maria gil", "MARÍA GIL", "María Gil Soto"}


def test_namesakes_are_told_apart_where_their_relationships_differ(entities):
    entities.tell(
        "My sister [person Ana||sister] called",
        "Met my dentist [person Ana||dentist]",
        "Mi hermana [person Ana||hermana] vino",
        "[person Ana] wrote",
    )
    found = {tuple(each["roles"]): each["mention_count"] for each in entities.listed()}
    assert found == {("sister",): 2, ("dentist",): 1}  # the fourth fits both, so it is of neither


def test_a_shared_alias_merges_one_other_and_no_two(entities):
    entities.tell("[person Bob] came", "[person Robert Hale|Bob] came")
    (found,) = entities.listed()
    assert (found["name"], found["mention_count"]) == ("Robert Hale", 2)
    entities.tell(
        "my boss [person Liz||boss]", "my aunt [person Liz||aunt]", "[person Elizabeth Moss|Liz] called"
    )
    assert sorted(entities.names()) == ["Elizabeth Moss", "Liz", "Liz", "Robert Hale"]


@pytest.mark.parametrize("projects", [("demo", "web")])
def test_each_project_and_agent_sees_what_its_own_sources_name(entities, ask, projects):
    ask("local", "PUT", "/api/agents-config/helper", json={"memory_enabled": True})
    for number, project in enumerate(projects):
        ask("local", "POST", "/sessions", json={"id": f"of {project}", "project": project, "user_id": "ann"})
        entities.tell(f"[person Ana Ruiz|Ana {number}] of [place Town {number}]", session=f"of {project}")
    ask("local", "POST", "/sessions", json={"id": "h", "project": "demo", "user_id": "ann"})
    entities.tell("[person Ana Ruiz|Ani] of [place Hidden]", session="h", agent_id="helper")
    assert set(entities.names(project="demo")) == {"Ana Ruiz", "Town 0"}
    assert set(entities.names(project="web")) == {"Ana Ruiz", "Town 1"}
    assert set(entities.names(agent_id="helper")) == {"Ana Ruiz", "Hidden"}
    assert entities.names(agent_id="helper", project="web") == []
    (ana,) = entities.listed(q="ana", project="web")
    assert (ana["aliases"], ana["mention_count"]) == (["Ana Ruiz", "Ana 1"], 1)
    assert entities.listed(q="ani", project="web") == []
    assert len(entities.ask(f"/{ana['id']}/episodes", params={"project": "web"})["episodes"]) == 1
    assert entities.ask("/stats", params={"project": "web"}) == {
        "total": 2,
        "types": {"person": 1, "place": 1},
    }


def test_fifty_entities_are_counted_once_under_ten_deliveries_two_at_once(app, entities):
    source = Source("ep-1", "ann", "s1", None, "demo", False, 1)
    mentions = [
        Mention(f"Person{number} Name{number % 7}", "person", 0, 1, (f"P{number}",), "friend")
        for number in range(55)
    ]

    def deliver():
        for _ in range(5):
            app.entities.recorder.record(LOCAL, source, mentions, [])

    both = [threading.Thread(target=deliver) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    found = entities.listed()
    assert len(found) == 55
    assert {each["mention_count"] for each in found} == {1}
    assert entities.ask("/stats")["types"] == {"person": 55}
    known = entities.ask(f"/{found[0]['id']}/relationships")["relationships"]
    assert [(each["subject"]["id"], each["kind"], each["sources"]) for each in known] == [
        ("user", "knows", ["ep-1"])
    ]


def forget(entities, ask, episode):
    ask("local", "DELETE", f"/api/memory/episodes/{episode}", params={"userId": "ann"})


def refuse(entities, ask, episode):
    ask("local", "POST", "/api/rgpd/sessions/lost/consent", json={"consent": False})


@pytest.mark.parametrize("loses", [forget, refuse])
def test_what_a_lost_source_named_falls(entities, ask, loses):
    kept = entities.tell("my sister [person Ana Ruiz||sister] of [place Leeds]", session="kept")
    (lost,) = entities.tell("[person Ana Ruiz|Anita] of [place York]", session="lost")
    loses(entities, ask, lost)
    entities.memory.follow()
    assert sorted(entities.names()) == ["Ana Ruiz", "Leeds"]
    (ana,) = entities.listed(q="ana")
    assert (ana["aliases"], ana["mention_count"]) == (["Ana Ruiz"], 1)
    assert entities.listed(q="anita") == []
    forget(entities, ask, kept[0])
    entities.memory.follow()
    assert entities.names() == []
    assert entities.memory.rows("ENTITIES#ann") == []


def test_a_refusal_with_erasure_leaves_nothing_and_stops_what_follows(entities, ask):
    entities.tell("my sister [person Ana Ruiz||sister]")
    entities.tell("[person Ana Ruiz]", user="bob")
    ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False, "erase": True})
    entities.tell("[person Carla Diaz]")
    assert entities.names() == entities.memory.rows("ENTITIES#ann") == []
    assert entities.names(user="bob") == ["Ana Ruiz"]
