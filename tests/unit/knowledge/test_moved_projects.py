"""Conclusions move with the project whose sessions they rest on."""

import pytest


def moved(people, old, new, tenant="local"):
    asked = {"old_project": old, "new_project": new}
    assert people.ask(tenant, "POST", "/projects/migrate", json=asked)["status"] == "migrated"
    people.memory.work()


@pytest.fixture
def told(people):
    """Two people of one tenant, and one of another, who tell two agents things in two projects."""
    for tenant, user, place in (("local", "ann", "Lima"), ("local", "bob", "Oslo"), ("acme", "ann", "Rome")):
        for project, word in (("demo", "sourdough"), ("lab", "violin")):
            fields = {"tenant": tenant, "user": user, "project": project, "agent_id": f"of-{project}"}
            if project == "demo":
                people.says(f"I live in {place}.", **fields)
            for said in (f"The {word} needs work", f"Is my {word} ready?", f"Got two {word} books"):
                people.says(said, **fields)
    return people


def test_conclusions_of_a_moved_project_are_given_in_the_other_one(told):
    in_demo, in_lab = told.known(project="demo"), told.known(project="lab")
    assert len(in_demo) == 2
    assert len(in_lab) == 1
    others = told.known("bob"), told.known(tenant="acme")
    elsewhere = told.known("ann", "acme", project="demo")
    moved(told, "demo", "lab")
    for _ in range(2):
        assert sorted(told.known(project="lab")) == sorted([*in_demo, *in_lab])
        assert told.known(project="demo") == []
        assert len(told.known(project="lab", agent_id="of-demo")) == 2
        assert sorted(others[0]) == sorted(told.known("bob"))
        assert (told.known(tenant="acme"), told.known("ann", "acme", project="demo")) == (
            others[1],
            elsewhere,
        )
        told.memory.work()


def test_what_is_said_there_later_supports_and_replaces_what_was_moved(told):
    moved(told, "demo", "lab")
    fields = {"project": "lab", "agent_id": "of-demo"}
    told.says("The sourdough has risen", **fields)
    told.says("I live in Quito now.", **fields)
    known = told.known(project="lab", agent_id="of-demo")
    assert sorted(known) == sorted({*known})
    assert "Lives in Quito" in known
    assert "Lives in Lima" not in known
    (pattern,) = told.conclusions(project="lab", agent_id="of-demo", type="inductive")
    assert len(set(pattern["sources"])) == 4


def test_a_run_of_a_moved_project_is_undone_there(told):
    fields = {"project": "demo", "agent_id": "of-demo"}
    told.says("I live in Quito now.", **fields)
    moved(told, "demo", "lab")
    assert "Lives in Quito" in told.known(project="lab")
    run = told.ask("local", "GET", "/api/memory/consolidations", params={"userId": "ann"})["consolidations"][
        0
    ]
    path = f"/api/memory/consolidations/{run['id']}/undo"
    assert told.ask("local", "POST", path, params={"userId": "ann"})["kept"] == 0
    known = told.known(project="lab", agent_id="of-demo")
    assert "Lives in Lima" in known
    assert "Lives in Quito" not in known
    assert told.known(project="demo") == []


def test_what_the_person_deleted_does_not_come_back_with_the_move(told):
    (one,) = told.conclusions(project="demo", type="explicit")
    told.ask("local", "DELETE", f"/api/memory/conclusions/{one['id']}", params={"userId": "ann"})
    moved(told, "demo", "lab")
    told.says("The violin is back", project="lab", agent_id="of-demo")
    assert one["text"] not in told.known()
