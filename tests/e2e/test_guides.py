"""The programs of docs/guides, as they stand there, between a real server and a scripted model.

Each runs twice over one store, and the server is stopped in between: what the second run knows, memory kept.
"""

import json
from dataclasses import dataclass

import pytest

from support.chat_model import UNKNOWN, recalled
from support.guide_programs import PROGRAMS, blocks, on_streams, over_http, run, run_command

pytestmark = pytest.mark.xdist_group("guides")

LONG = "All of yesterday's log: " + "GET /basket 200; " * 2_500
"""More than any program leaves in the hands of its model."""

TELL = ["Hello.", LONG, "Remember that the staging database listens on port 6543.", "Thanks."]
ASK = ["Which port does the staging database listen on?", "Tell me again which port the database listens on?"]


@dataclass
class Talk:
    """The messages of two runs, the fact that the second must know, and its type of observation."""

    first: list[str]
    second: list[str]
    fact: str
    type: str


TALKS = {
    "plain-python": Talk(TELL, ASK, "port 6543", "learning"),
    "openai": Talk(
        ["Hello.", LONG, "Deploy the shop.", "Thanks."],
        ["What holds the lock of the shop?", "Once more, what holds the lock of the shop?"],
        "job 41 holds the lock",
        "bugfix",
    ),
    "mcp": Talk(TELL, ASK, "port 6543", "learning"),
}


@pytest.fixture(
    scope="module",
    params=[
        *(pytest.param((guide, over_http), id=guide) for guide in PROGRAMS),
        pytest.param(("mcp", on_streams), id="mcp-on-streams"),
    ],
)
def twice(request, tmp_path_factory):
    """Two runs of a program, one after the other, and what was said in them."""
    guide, way = request.param
    folder, data = tmp_path_factory.mktemp("agent"), tmp_path_factory.mktemp("data")
    program, said = way(guide), TALKS[guide]
    return run(program, folder, data, said.first), run(program, folder, data, said.second), said


def test_every_program_knows_in_its_second_run_what_it_was_told_in_its_first(twice):
    _, second, said = twice
    assert len(second.said) == len(said.second)
    for answer in second.said:
        assert said.fact in answer
    assert not second.called()  # it did not do again what it had done, and searched for nothing
    prompt = second.model[0].body["messages"][0]
    assert prompt["role"] == "system"
    assert any(
        line.startswith(f"[{said.type}] ") and said.fact in line for line in recalled(prompt["content"])
    )


def test_every_program_asks_for_context_each_turn_within_its_session(twice):
    first, second, said = twice
    for done, lines in ((first, said.first), (second, said.second)):
        asked = [dict(each.url.params) for each in done.memory.asked("GET", "/context")]
        assert [each["query"] for each in asked] == [line.strip()[:500] for line in lines]
        assert {each["conversation_id"] for each in asked} == {done.session_id}
        assert {(each["project"], each["user_id"]) for each in asked} == {("shop", "ann")}
        assert len({each["turn_id"] for each in asked}) == len(lines)
        assert all(0 < int(each["token_budget"]) <= 1_000 for each in asked)


def test_every_program_ends_its_session_with_all_that_was_said(twice):
    first, second, said = twice
    assert first.session_id != second.session_id
    for done, lines in ((first, said.first), (second, said.second)):
        assert done.memory.requests[-1].url.path.endswith("/end")
        assert [each["role"] for each in done.ending] == ["user", "assistant"] * len(lines)
        assert [each["content"] for each in done.ending[::2]] == [line.strip() for line in lines]
        assert [each["content"] for each in done.ending[1::2]] == done.said


def test_every_program_gives_its_model_the_talk_within_a_budget(twice):
    first, _, said = twice
    talks = [[each["content"] for each in asked.body["messages"][1:]] for asked in first.model]
    assert said.first[0] in talks[0]
    assert talks[1] == [LONG.strip()]  # what goes before would be too much with it
    assert not any(LONG.strip() in each for each in talks[2:])
    last = next(each for each in talks if said.first[-1] in each)
    assert last[0] == said.first[2]  # the model still has the turn before, from its beginning
    assert len(last) >= 3
    for asked in first.model:
        assert asked.body["model"] == "scripted"
        assert asked.headers["authorization"] == "Bearer key-of-the-model"
        assert all(len(str(each["content"])) < len(LONG) for each in asked.body["messages"][:1])


@pytest.mark.parametrize("guide", PROGRAMS)
def test_without_a_first_run_no_program_knows(guide, tmp_path):
    done = run(over_http(guide), tmp_path, tmp_path / "data", TALKS[guide].second)
    assert done.said == [UNKNOWN] * 2


@pytest.mark.parametrize("twice", [("openai", over_http)], ids=["openai"], indirect=True)
def test_a_tool_runs_once_and_its_failure_is_remembered_by_a_rule(twice):
    done, _, _ = twice
    assert done.called() == [("deploy", "shop: failed, as job 41 holds the lock")]
    (saved,) = done.memory.asked("POST", "/observations")
    body = json.loads(saved.content)
    assert (body["session_id"], body["type"]) == (done.session_id, "bugfix")


@pytest.mark.parametrize("way", [over_http, on_streams])
def test_a_model_saves_and_searches_by_itself(way, tmp_path):
    program, data = way("mcp"), tmp_path / "data"
    first = run(program, tmp_path, data, TELL[2:3])
    assert [name for name, _ in first.called()] == ["mem_save"]
    (call,) = [
        each
        for each in first.memory.asked("POST", "/mcp")
        if json.loads(each.content)["method"] == "tools/call"
    ]
    assert call.url.params["session_id"] == first.session_id
    second = run(program, tmp_path, data, ["Look up the port on which the staging database listens."])
    ((name, found),) = second.called()
    assert name == "mem_search"
    assert "port 6543" in found
    assert "port 6543" in second.said[0]
    (prompt, *_), *_ = [asked.body["messages"] for asked in second.model]
    assert "save it with mem_save" in prompt["content"]  # what the server tells of its tools


@pytest.mark.parametrize("guide", PROGRAMS)
def test_a_program_has_at_most_40_lines_of_a_usual_length(guide):
    lines = over_http(guide).splitlines()
    assert len(lines) <= 40
    assert all(len(line) <= 110 for line in lines)


@pytest.mark.parametrize("guide", PROGRAMS)
def test_what_is_shown_on_the_command_line_works(guide, tmp_path):
    (commands,) = blocks(guide, "bash")
    shell = ["bash", "-euo", "pipefail", "-c", commands]
    done = run_command(shell, over_http(guide), tmp_path, tmp_path / "data")
    assert TALKS[guide].fact in done.said[-1]
