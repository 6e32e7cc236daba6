"""Entities by the command line, over the real routes."""

import json

import pytest

from strata.domain.entities.shapes import Mention, Relationship
from strata.services.entities.recording import Source
from support.memory import LOCAL


@pytest.fixture
def ids(memory, in_one_line):
    """The ids of Ana and Acme for ann, by name; bob and another project have others."""
    told = [("ann", "demo", "Ana", "Acme"), ("bob", "demo", "Bob", "Bolt"), ("ann", "web", "Wim", "Webb")]
    for number, (owner, project, name, firm) in enumerate(told, 1):
        source = Source(f"ep-{number}", owner, f"s{number}", "a1", project, False, number)
        named = [Mention(name, "person", 0, 1), Mention(firm, "organization", 2, 3)]
        related = [Relationship(name, "works-at", firm, "")]
        memory.app.entities.recorder.record(LOCAL, source, named, related)
    listed = json.loads(in_one_line("entities", "--user", "ann", "--json"))["entities"]
    return {each["name"]: each["id"] for each in listed}


def test_entities_are_listed_merged_and_deleted_for_their_person_alone(in_one_line, memory):
    assert in_one_line("entities", "--user", "ann").startswith("Nothing is named.")
    for owner in ("ann", "bob"):
        source = Source("ep-1", owner, "s1", None, None, False, 1)
        named = [Mention(f"{name} of {owner}", "person", 0, 1) for name in ("Ana", "Bea")]
        memory.app.entities.recorder.record(LOCAL, source, named, [])
    listed = json.loads(in_one_line("entities", "--user", "ann", "--json"))["entities"]
    ids = {each["name"][:3]: each["id"] for each in listed}
    assert "Bea" not in in_one_line("entities", "--user", "ann", "--search", "ana")
    in_one_line("entities", "merge", ids["Ana"], ids["Bea"], "--user", "ann")
    assert "Also: Bea of ann" in in_one_line("entities", "page", ids["Bea"], "--user", "ann")
    in_one_line("entities", "merge", ids["Ana"], ids["Bea"], "--undo", "--user", "ann")
    in_one_line("entities", "delete", ids["Bea"], "--user", "ann")
    assert "Bea" not in in_one_line("entities", "--user", "ann", "--type", "person")
    assert "Bea of bob" in in_one_line("entities", "--user", "bob")


def test_the_graph_shows_relationships_within_the_borders_of_who_asks(in_one_line, ids):
    shown = in_one_line("entities", "graph", ids["Ana"], "--user", "ann")
    assert "Ana works-at Acme" in shown
    assert "Webb" not in shown
    assert ids["Acme"] in shown
    assert "Acme" in in_one_line("entities", "graph", ids["Ana"], "--user", "ann", "--json")
    for elsewhere in (("--user", "bob"), ("--user", "ann", "--project", "web")):
        assert "no such entity" in in_one_line("entities", "graph", ids["Ana"], *elsewhere, code=1)


def test_a_list_is_as_an_agent_sees_it_in_a_project(in_one_line, ids, memory):
    secret = Source("ep-9", "ann", "s9", "coach", "demo", True, 9)
    memory.app.entities.recorder.record(LOCAL, secret, [Mention("Coral", "person", 0, 1)], [])
    seen = ("entities", "--user", "ann", "--project", "demo", "--agent")
    assert "Coral" in in_one_line(*seen, "coach")
    other = in_one_line(*seen, "a1")
    assert "Ana" in other
    assert "Coral" not in other
    assert "Webb" not in other


def test_an_entity_is_renamed_and_given_back_to_what_is_learnt_for_its_person_alone(in_one_line, ids):
    edit = ("entities", "edit", ids["Ana"], "--user", "ann")
    told = in_one_line(*edit, "--name", "Ana Ruiz", "--type", "thing", "--alias", "Ana", "--alias", "Anita")
    assert told.endswith("is Ana Ruiz, thing, also Ana, Anita.")
    assert "Ana Ruiz" in in_one_line("entities", "--user", "ann", "--search", "anita")
    assert "Anita" not in in_one_line("entities", "--user", "bob")
    assert (
        in_one_line(*edit, "--learnt", "name", "--learnt", "type")
        .partition(" is ")[2]
        .startswith("Ana, person")
    )
    assert "no such entity" in in_one_line(
        "entities", "edit", ids["Ana"], "--name", "X", "--user", "bob", code=1
    )
    assert "at least one of" in in_one_line(*edit, code=2)
    assert "name: is set in the same call" in in_one_line(*edit, "--name", "X", "--learnt", "name", code=2)


def test_a_deleted_entity_is_listed_and_restored_for_its_person_alone(in_one_line, ids):
    in_one_line("entities", "delete", ids["Ana"], "--user", "ann")
    assert ids["Ana"] in in_one_line("entities", "--deleted", "--user", "ann")
    assert "no such" in in_one_line("entities", "restore", ids["Ana"], "--user", "bob", code=1)
    assert in_one_line("entities", "restore", ids["Ana"], "--user", "ann") == f"Entity {ids['Ana']} is back."
    assert ids["Ana"] in in_one_line("entities", "--user", "ann")


def test_an_entity_is_not_merged_with_itself_and_the_command_says_so_in_words(in_one_line, ids):
    said = in_one_line("entities", "merge", ids["Ana"], ids["Ana"], "--user", "ann", code=1)
    assert "an entity can't be merged with itself" in said
    assert "sourceId" not in said


def test_ids_are_printed_in_one_piece(command, memory):
    sources = [
        (user, agent, project) for user in ("ann", "bob") for agent in "ab" for project in ("shop", "lab")
    ]
    for number, (user, agent, project) in enumerate(sources):
        name = f"Ana {'Maria ' * 12}{number} of {user}"
        named = [Mention(name, "person", 0, 0)]
        memory.app.entities.recorder.record(
            LOCAL, Source(f"e{number}", user, f"s{number}", agent, project, False, 10**15), named, []
        )
    for user in ("ann", "bob"):
        listed = json.loads(command("entities", "--user", user, "--json"))["entities"]
        assert len(listed) == 4
        shown = command("entities", "--user", user)
        assert all(len(each["id"]) == 32 and each["id"] in shown for each in listed)
