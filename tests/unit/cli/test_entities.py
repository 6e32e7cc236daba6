"""Entities by the command line, over the real routes."""

import json

import pytest

from strata.domain.entities.shapes import Mention
from strata.services.entities.recording import Source
from support.memory import LOCAL


@pytest.fixture
def strata(command):
    """Runs a command over one store; its output in one line."""
    return lambda *arguments, **ends: " ".join(command(*arguments, **ends).split())


def test_entities_are_listed_merged_and_deleted_for_their_person_alone(strata, memory):
    assert strata("entities", "--user", "ann") == "Nothing is named."
    for owner in ("ann", "bob"):
        source = Source("ep-1", owner, "s1", None, None, False, 1)
        named = [Mention(f"{name} of {owner}", "person", 0, 1) for name in ("Ana", "Bea")]
        memory.app.entities.recorder.record(LOCAL, source, named, [])
    listed = json.loads(strata("entities", "--user", "ann", "--json"))["entities"]
    ids = {each["name"][:3]: each["id"] for each in listed}
    assert "Bea" not in strata("entities", "--user", "ann", "--search", "ana")
    strata("entities", "merge", ids["Ana"], ids["Bea"], "--user", "ann")
    assert "Also: Bea of ann" in strata("entities", "page", ids["Bea"], "--user", "ann")
    strata("entities", "merge", ids["Ana"], ids["Bea"], "--undo", "--user", "ann")
    strata("entities", "delete", ids["Bea"], "--user", "ann")
    assert "Bea" not in strata("entities", "--user", "ann", "--type", "person")
    assert "Bea of bob" in strata("entities", "--user", "bob")
