"""Entities by the command line, over the real routes."""

import json

from strata.domain.entities.shapes import Mention
from strata.services.entities.recording import Source
from support.memory import LOCAL


def test_entities_are_listed_merged_and_deleted_for_their_person_alone(in_one_line, memory):
    assert in_one_line("entities", "--user", "ann") == "Nothing is named."
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
