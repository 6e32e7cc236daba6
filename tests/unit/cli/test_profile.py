"""Profiles and devices by the command line, over the real routes."""

import json

import pytest

from strata.client import Client
from strata.local.transport import InProcessTransport
from support.api import gateway
from support.facts import consent


@pytest.fixture
def strata(command):
    """Runs a command over one store; its output in one line."""
    return lambda *arguments, **ends: " ".join(command(*arguments, **ends).split())


def test_a_profile_is_set_shown_and_taken_away_again_for_its_person_alone(strata):
    assert strata("profile", "--user", "ann") == "Nothing is known."
    fields = ("--name", "Ann", "--style", "in brief", "--pattern", "walks", "--preference", "units=metric")
    assert strata("profile", "set", "--user", "ann", *fields) == "The profile is changed."
    strata("profile", "set", "--user", "bob", "--name", "Bert")
    shown = strata("profile", "--user", "ann")
    for each in ("name Ann person", "communicationStyle in brief", "patterns walks", "units: metric"):
        assert each in shown
    assert "Bert" not in shown
    strata("profile", "set", "--user", "ann", "--clear", "name", "--clear", "patterns")
    profile = json.loads(strata("profile", "--user", "ann", "--json"))["profile"]
    assert (profile["name"], profile["patterns"]) == (None, [])
    assert profile["preferences"] == {"units": "metric"}
    told = strata("profile", "history", "--user", "ann")
    assert ("walks" in told, "Bert" in told) == (True, False)
    assert len(json.loads(strata("profile", "history", "--user", "ann", "--json"))["history"]) == 2
    assert "one of name" in strata("profile", "set", "--user", "ann", code=1)


def test_an_agents_words_are_shown_as_that_agents(strata, memory):
    with Client("http://strata.test", transport=InProcessTransport(gateway(memory.app))) as client:
        assert client.put_profile("ann", agent_id="helper", name="Annie") is True
    assert "name Annie agent helper" in strata("profile", "--user", "ann", "--agent", "helper")
    assert strata("profile", "--user", "ann", "--agent", "scout") == "Nothing is known."


def test_of_a_person_who_refuses_it_says_that_nothing_is_kept(strata, memory):
    consent(memory, persist=False)
    assert "Nothing is kept" in strata("profile", "set", "--user", "ann", "--name", "Ann")


def test_a_device_is_given_a_user_and_taken_from_them(strata):
    assert strata("devices", "set", "kitchen", "ann") == "kitchen is ann's."
    assert strata("devices", "show", "kitchen") == "kitchen is ann's."
    assert json.loads(strata("devices", "show", "kitchen", "--json"))["userId"] == "ann"
    strata("devices", "set", "kitchen", "bob", code=1)
    strata("devices", "delete", "kitchen")
    strata("devices", "show", "kitchen", code=1)


def test_preferences_are_shown_and_changed_one_by_one(strata):
    strata("preferences", "set", "theme=dark", "units=metric", "--user", "ann", "--no-transcripts")
    strata("preferences", "set", "units=", "--user", "ann")
    shown = json.loads(strata("preferences", "--user", "ann", "--json"))["preferences"]
    assert (shown["theme"], shown["privacySettings"]["storeTranscripts"]) == ("dark", False)
    assert "units" not in shown
    assert "theme dark" in strata("preferences", "--user", "ann")
    assert "dark" not in strata("preferences", "--user", "bob")


def test_a_device_is_set_with_what_it_wrote_before(strata):
    strata("profile", "set", "--user", "device:kitchen", "--name", "Ann")
    strata("devices", "set", "kitchen", "ann", "--adopt")
    assert "name Ann" in strata("profile", "--user", "ann")
