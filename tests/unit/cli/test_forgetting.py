"""Forgetting in words by the command line, over the real routes."""

import re

import pytest
from typer.testing import CliRunner

from strata.cli.app import app
from strata.domain.wire.episodes import NewEpisode
from strata.local.transport import InProcessTransport
from support.api import gateway

SHOWN = re.compile(r"(\w+:[\w-]+)  ")


@pytest.fixture
def strata(memory, monkeypatch):
    """Runs a command over one store; its output."""
    for name in ("STRATA_URL", "STRATA_PROJECT", "STRATA_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    server = InProcessTransport(gateway(memory.app))

    def run(*arguments):
        result = CliRunner().invoke(app, arguments, obj=server)
        assert result.exit_code == 0, result.output
        return result.output

    return run


@pytest.fixture(autouse=True)
def told(memory):
    for user in ("ann", "bob"):
        summary = "My dentist Marta Gil moved to Vigo."
        told = NewEpisode(conversation_id=f"of-{user}", agent_id="a1", user_id=user, summary=summary)
        memory.app.episodes.catalog.store(memory.scope, told)
    memory.follow()


def test_words_show_what_they_mean_and_its_ids_delete_it_with_the_entities_that_it_named(strata, memory):
    shown = strata("forget", "her", "dentist", "--user", "ann")
    ids = SHOWN.findall(shown)
    assert "Marta Gil" in shown
    assert strata("forget", "her", "dentist", "--user", "ann") == shown

    assert "1 of 1 forgotten" in strata("forget", "--yes", *ids, "--user", "ann")
    memory.follow()

    assert "Nothing that is known" in strata("forget", "her", "dentist", "--user", "ann")
    assert "Nothing is named" in strata("entities", "--user", "ann")
    assert "Marta Gil" in strata("entities", "--user", "bob")
    assert "Marta Gil" in strata("forget", "her", "dentist", "--user", "bob")


def test_ids_of_another_person_are_passed_over(strata):
    ids = SHOWN.findall(strata("forget", "her", "dentist", "--user", "bob"))
    assert "0 of 1 forgotten" in strata("forget", "--yes", *ids, "--user", "ann")
    assert "Marta Gil" in strata("forget", "her", "dentist", "--user", "bob")
