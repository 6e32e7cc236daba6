"""Forgetting in words by the command line, over the real routes."""

import re

import pytest

from strata.domain.wire.episodes import NewEpisode

SHOWN = re.compile(r"(\w+:[\w-]+)  ")


@pytest.fixture(autouse=True)
def told(memory):
    for user in ("ann", "bob"):
        summary = "My dentist Marta Gil moved to Vigo."
        told = NewEpisode(conversation_id=f"of-{user}", agent_id="a1", user_id=user, summary=summary)
        memory.app.episodes.catalog.store(memory.scope, told)
    memory.follow()


def test_words_show_what_they_mean_and_its_ids_delete_it_with_the_entities_that_it_named(command, memory):
    shown = command("forget", "her", "dentist", "--user", "ann")
    ids = SHOWN.findall(shown)
    assert "Marta Gil" in shown
    assert command("forget", "her", "dentist", "--user", "ann") == shown

    assert "1 of 1 forgotten" in command("forget", "--yes", *ids, "--user", "ann")
    memory.follow()

    assert "Nothing that is known" in command("forget", "her", "dentist", "--user", "ann")
    assert "Nothing is named" in command("entities", "--user", "ann")
    assert "Marta Gil" in command("entities", "--user", "bob")
    assert "Marta Gil" in command("forget", "her", "dentist", "--user", "bob")


def test_ids_of_another_person_are_passed_over(command):
    ids = SHOWN.findall(command("forget", "her", "dentist", "--user", "bob"))
    assert "0 of 1 forgotten" in command("forget", "--yes", *ids, "--user", "ann")
    assert "Marta Gil" in command("forget", "her", "dentist", "--user", "bob")
