"""Messages of commands about wrong or unknown ids, projects and users, over the real routes."""

import itertools
import json

import pytest

from support.faults import Away

CELLS = list(itertools.product(("ann", "bob"), ("shop", "lab")))


@pytest.fixture
def saved(in_one_line):
    """A memory of each person in each project."""
    for person, project in CELLS:
        in_one_line("save", f"The heron of {person} in the {project}", "--project", project, "--user", person)


def test_a_memory_is_saved_for_its_user(in_one_line, saved):
    for person, project in CELLS:
        recent = json.loads(in_one_line("recent", "--project", project, "--user", person, "--json"))
        assert [each["content"] for each in recent] == [f"The heron of {person} in the {project}"]
        assert recent[0]["user_id"] == person
    assert len({each["session_id"] for each in json.loads(in_one_line("recent", "-p", "lab", "--json"))}) == 2


def test_an_unknown_project_is_told_from_one_in_which_nothing_is_found(in_one_line, saved):
    for asked in (["search", "zeppelins"], ["context", "zeppelins"], ["recent"]):
        told = in_one_line(*asked, "--project", "shp")
        assert "There is no project 'shp'; projects are 'lab', 'shop'." in told
    assert "There is no project" not in in_one_line("search", "zeppelins", "--project", "SHOP")
    assert "In other projects there is" in in_one_line("search", "heron", "--project", "shp")


@pytest.fixture
def without_index(memory):
    memory.use(index=Away())


@pytest.mark.usefixtures("without_index", "saved")
def test_what_is_missing_without_the_index_is_told_to_people_and_not_in_documents(in_one_line):
    told = "The search index is away or not whole: memories may be missing here."
    whose = ("--project", "shop", "--user", "ann")
    for asked in (
        ("search", "heron", *whose),
        ("context", "heron", *whose),
        ("context", "heron", "-p", "shop"),
    ):
        answer = in_one_line(*asked)
        assert told in answer
        assert "The heron of ann in the shop" in answer
        assert told not in in_one_line(*asked, "--json")


def test_a_blank_memory_is_told_without_naming_fields_that_nobody_gave(in_one_line):
    for blank in ("", "  "):
        told = in_one_line("save", blank, "--project", "shop", code=1)
        assert told == "strata: there is nothing to save: the memory is blank"


def test_filters_of_memories_are_refused_for_sessions(in_one_line):
    told = in_one_line("recent", "--sessions", "--type", "note", code=2).replace("│ ", "")
    assert "of the filters, --sessions takes only --user and --agent" in told


@pytest.mark.parametrize(
    "asked", [("conclusions",), ("entities",), ("profile",), ("ask", "who"), ("forget", "tea")]
)
def test_an_empty_answer_about_a_person_names_the_option_for_what_one_agent_is_given(in_one_line, asked):
    hint = "--agent NAME adds what only that agent is given."
    assert hint in in_one_line(*asked, "--user", "ann")
    assert hint not in in_one_line(*asked, "--user", "ann", "--agent", "helper")


def test_what_is_no_id_of_a_memory_is_named_so(in_one_line):
    told = in_one_line("get", "abc", code=2)
    assert "'abc' is not a memory's id: that is a number" in told.replace("│ ", "")


def test_an_export_of_lines_says_how_one_project_is_exported(in_one_line, tmp_path):
    told = in_one_line("export", str(tmp_path / "a.jsonl"), "--project", "shop", code=2).replace("│ ", "")
    assert "--project takes one JSON document: name a file that does not end with .jsonl" in told


def test_a_context_for_a_user_has_every_layer_and_nothing_of_another(in_one_line, saved):
    for person in ("ann", "bob"):
        in_one_line("profile", "set", "--user", person, "--style", f"{person} wants short answers")
    for person, project in CELLS:
        told = in_one_line("context", "heron", "--project", project, "--user", person)
        assert f"{person} wants short answers" in told
        assert f"The heron of {person} in the {project}" in told
        other = "bob" if person == "ann" else "ann"
        assert other not in told
        assert ("lab" if project == "shop" else "shop") not in told
    plain = in_one_line("context", "heron", "--project", "shop")
    assert "ann in the shop" in plain
    assert "wants short answers" not in plain


def test_the_help_of_context_tells_whose_memory_is_asked_from_what_only_filters(in_one_line):
    told = in_one_line("context", "--help").replace("│ ", "")
    for sentence in (
        "The person whom the agent serves: what is known of them, and what they or nobody saved.",
        "The agent that asks: what it learnt of the person, and its episodes.",
        "Without words the newest is given.",
        "The person is --user, else the caller; --user leaves out what other people saved.",
        "with one of them nothing else is given: no profile, facts and conclusions.",
    ):
        assert sentence in told
    assert "Only memories of this user" not in told
    assert "Only memories of this user." in in_one_line("search", "--help").replace("│ ", "")


def test_a_filter_leaves_out_the_profile_of_the_person_as_the_help_of_context_says(in_one_line, saved):
    for person in ("ann", "bob"):
        in_one_line("profile", "set", "--user", person, "--style", f"{person} wants short answers")
        in_one_line("save", f"The tagged ibis of {person}", "-p", "shop", "--user", person, "--tag", "bird")
    told = in_one_line("context", "ibis", "--project", "shop", "--user", "ann", "--tag", "bird")
    assert "The tagged ibis of ann" in told
    assert "wants short answers" not in told
    assert "bob" not in told
