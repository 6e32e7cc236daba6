"""Profiles and devices by the command line, over the real routes."""

import json

import pytest

from strata.client import Client
from strata.local.transport import InProcessTransport
from support.api import gateway
from support.facts import consent


def test_a_profile_is_set_shown_and_taken_away_again_for_its_person_alone(in_one_line):
    assert in_one_line("profile", "--user", "ann").startswith("Nothing is known.")
    fields = ("--name", "Ann", "--style", "in brief", "--pattern", "walks", "--preference", "units=metric")
    assert in_one_line("profile", "set", "--user", "ann", *fields) == "The profile is changed."
    in_one_line("profile", "set", "--user", "bob", "--name", "Bert")
    shown = in_one_line("profile", "--user", "ann")
    for each in ("name Ann person", "communicationStyle in brief", "patterns walks", "units: metric"):
        assert each in shown
    assert "Bert" not in shown
    in_one_line("profile", "set", "--user", "ann", "--clear", "name", "--clear", "patterns")
    profile = json.loads(in_one_line("profile", "--user", "ann", "--json"))["profile"]
    assert (profile["name"], profile["patterns"]) == (None, [])
    assert profile["preferences"] == {"units": "metric"}
    told = in_one_line("profile", "history", "--user", "ann")
    assert ("walks" in told, "Bert" in told) == (True, False)
    assert "name taken away person" in told
    assert len(json.loads(in_one_line("profile", "history", "--user", "ann", "--json"))["history"]) == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "give at least one of --name, --style, --pattern, --preference and --clear"),
        (("--name", "Ann", "--clear", "name"), "--clear: name: is set in the same call"),
        (("--clear", "style"), "'name', 'communicationStyle', 'patterns', 'preferences'"),
        (("--preference", "metric"), "--preference: 'metric' should be KEY=VALUE"),
    ],
)
def test_a_profile_is_not_changed_by_halves(in_one_line, options, told):
    said = in_one_line("profile", "set", "--user", "ann", *options, code=2)
    assert told in said.replace("│ ", "")
    assert "Nothing is known." in in_one_line("profile", "--user", "ann")


def test_an_agents_words_are_shown_as_that_agents(in_one_line, memory):
    with Client("http://strata.test", transport=InProcessTransport(gateway(memory.app))) as client:
        assert client.put_profile("ann", agent_id="helper", name="Annie") is True
    assert "name Annie agent helper" in in_one_line("profile", "--user", "ann", "--agent", "helper")
    assert in_one_line("profile", "--user", "ann", "--agent", "scout") == "Nothing is known."


def test_of_a_person_who_refuses_it_says_that_nothing_is_kept(in_one_line, memory):
    consent(memory, persist=False)
    assert "Nothing is kept" in in_one_line("profile", "set", "--user", "ann", "--name", "Ann")


def test_a_device_is_given_a_user_and_taken_from_them(in_one_line):
    assert in_one_line("devices", "set", "kitchen", "ann") == "kitchen is ann's."
    assert in_one_line("devices", "show", "kitchen") == "kitchen is ann's."
    assert json.loads(in_one_line("devices", "show", "kitchen", "--json"))["userId"] == "ann"
    in_one_line("devices", "set", "kitchen", "bob", code=1)
    in_one_line("devices", "delete", "kitchen")
    in_one_line("devices", "show", "kitchen", code=1)


def test_preferences_are_shown_and_changed_one_by_one(in_one_line):
    in_one_line("preferences", "set", "theme=dark", "units=metric", "--user", "ann", "--no-transcripts")
    in_one_line("preferences", "set", "units=", "--user", "ann")
    shown = json.loads(in_one_line("preferences", "--user", "ann", "--json"))["preferences"]
    assert (shown["theme"], shown["privacySettings"]["storeTranscripts"]) == ("dark", False)
    assert "units" not in shown
    shown = in_one_line("preferences", "--user", "ann")
    assert "theme dark" in shown
    assert "storeTranscripts: False" in shown
    assert "dark" not in in_one_line("preferences", "--user", "bob")


def test_a_device_is_set_with_what_it_wrote_before(in_one_line):
    in_one_line("profile", "set", "--user", "device:kitchen", "--name", "Ann")
    in_one_line("devices", "set", "kitchen", "ann", "--adopt")
    assert "name Ann" in in_one_line("profile", "--user", "ann")


def test_a_save_for_who_wants_nothing_stored_says_so(in_one_line):
    in_one_line("preferences", "set", "--user", "ann", "--no-transcripts")
    for user, told in (("ann", "not kept: this person or session wants nothing stored"), ("bob", "saved")):
        said = in_one_line("save", f"a note of {user}", "--project", "demo", "--user", user)
        assert said == told if user == "ann" else said.endswith(told)


def test_an_export_of_one_document_names_the_form_that_has_every_kind(command, tmp_path):
    command("profile", "set", "--user", "ann", "--name", "Ann")
    said = command("export", str(tmp_path / "some.json"))
    assert "exported 0 sessions and 0 memories" in said
    assert ".jsonl" in said
    assert ".jsonl" not in command("export", str(tmp_path / "all.jsonl"))
