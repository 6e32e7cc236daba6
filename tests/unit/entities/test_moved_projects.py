"""What sessions name moves with them to another project."""

import pytest

from strata.domain.entities.shapes import Mention, Relationship
from strata.services.entities.recording import Source
from support.facts import ScriptedFinder, enable
from support.memory import LOCAL

ANA, ACME = Mention("Ana Ruiz", "person", 0, 1), Mention("Acme", "organization", 2, 3)
WORKS = Relationship("Ana Ruiz", "works-at", "Acme", "")


@pytest.fixture
def told(entities):
    """Ann and Bob tell two agents, one of them configured, what they love; each in two projects."""
    memory = entities.memory
    memory.use(fact_finder=ScriptedFinder())
    enable(memory, "helper")
    for user in ("ann", "bob"):
        for agent in ("helper", "other"):
            for project, place in (("demo", "Lima"), ("lab", "Oslo")):
                session = f"{user}-{agent}-{project}"
                memory.start(session, project, agent_id=agent, user_id=user)
                said = f"I love [place {place}]."
                memory.end(session, said, "Noted.", f"We decided to paint {said[7:]}", "Done.", "Bye", "Bye")
    memory.work()
    return entities


def move(entities, ask, old, new, tenant="local"):
    asked = {"old_project": old, "new_project": new}
    assert ask(tenant, "POST", "/projects/migrate", json=asked)["status"] == "migrated"
    entities.memory.work()


def seen(entities, **asked):
    return {each["name"]: each["mention_count"] for each in entities.listed(**asked)}


def test_what_facts_and_episodes_name_is_shown_in_the_new_project_only(told, ask):
    agents = ({}, {"agent_id": "helper"}, {"agent_id": "other"})
    before = [seen(told, project="demo", **agent) for agent in agents]
    assert before == [{"Lima": 1}, {"Lima": 2}, {"Lima": 1}]
    ids = {each["name"]: each["id"] for each in told.listed()}
    move(told, ask, "demo", "studio")
    for _ in range(2):
        for user in ("ann", "bob"):
            assert [seen(told, user=user, project="studio", **agent) for agent in agents] == before
            assert [seen(told, user=user, project="demo", **agent) for agent in agents] == [{}] * 3
            assert {*seen(told, user=user, project="lab")} == {"Oslo"}
        assert {each["name"]: each["id"] for each in told.listed()} == ids
        told.memory.work()


def test_a_new_project_of_the_old_name_is_not_shown_what_was_moved(told, ask):
    move(told, ask, "demo", "studio")
    told.tell("[person Ana Ruiz] paints.", project="demo", user="ann")
    assert [*seen(told, project="demo")] == ["Ana Ruiz"]
    assert [*seen(told, project="studio", agent_id="helper")] == ["Lima"]


def test_relationships_move_with_their_source(app, entities):
    for source, project in (("ep-1", "demo"), ("ep-2", "lab")):
        app.entities.recorder.record(
            LOCAL, Source(source, "ann", "s1", None, project, False, 1), [ANA, ACME], [WORKS]
        )
    app.entities.recorder.move(LOCAL, "ann", "ep-1", "studio")
    (ana,) = entities.listed(q="ana")
    counts = {
        project: entities.ask(f"/{ana['id']}/relationships", params={"project": project})["count"]
        for project in ("lab", "studio")
    }
    assert counts == {"lab": 1, "studio": 1}
    assert entities.listed(project="demo") == []
    app.entities.recorder.remove(LOCAL, "ann", "ep-1")
    app.entities.recorder.remove(LOCAL, "ann", "ep-2")
    assert entities.listed() == []
