"""The programs of docs/guides, as they stand there, between a real server and a scripted model.

Each runs twice over one store, and the server is stopped in between: what the second run knows, memory kept.
"""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from benchmarks.server import running

from model_server import Asked, model_server
from recorder import Recorder, recorded
from talking_model import UNKNOWN, recalled, talk

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
PROGRAMS = sorted(path.stem for path in GUIDES.glob("*.md") if path.stem != "README")
LONG = "All of yesterday's log: " + "GET /basket 200; " * 2_500
"""More than any program leaves in the hands of its model."""

TELL = ["Hello.", LONG, "Remember that the staging database listens on port 6543.", "Thanks."]
ASK = ["Which port does the staging database listen on?", "Tell me again which port the database listens on?"]


@dataclass
class Talk:
    """What is said in two runs, what the second must know, and as which type of observation."""

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


def blocks(guide, language):
    """The blocks of a guide that are to be run."""
    text = (GUIDES / f"{guide}.md").read_text(encoding="utf-8")
    return [
        block[2]
        for block in re.finditer(rf"(<!-- not run:[^\n]*\n)?```{language}\n(.*?)```", text, re.DOTALL)
        if not block[1]
    ]


def over_http(guide):
    return blocks(guide, "python")[0]


def on_streams(guide):
    """The program of the guide with the change that the guide tells."""
    program, change = blocks(guide, "python")
    changed = re.sub(r".*/mcp\?.*\n", lambda _: change, program)
    assert changed != program
    return f"from mcp import StdioServerParameters\n{changed}"


@dataclass
class Run:
    """One run of a program: what it printed, what it asked the memory, and what it asked the model."""

    said: list[str]
    memory: Recorder
    model: list[Asked] = field(default_factory=list)

    @property
    def session_id(self):
        (begun,) = self.memory.asked("POST", "/sessions")
        return json.loads(begun.content)["id"]

    @property
    def ending(self):
        (ended,) = self.memory.asked("POST", f"/sessions/{self.session_id}/end")
        return json.loads(ended.content)["messages"]

    def called(self):
        """The tools that the model used, with what they gave."""
        return [
            (call["function"]["name"], result["content"])
            for asked in self.model
            for before, result in zip(asked.body["messages"], asked.body["messages"][1:], strict=False)
            if asked.body["messages"][-1] is result and result["role"] == "tool"
            for call in before["tool_calls"]
        ]


def environment(strata_url, model_url):
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("STRATA_", "MEMORY_", "OPENAI_")) and not name.lower().endswith("_proxy")
    }
    return kept | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "STRATA_URL": strata_url,
        "OPENAI_BASE_URL": f"{model_url}/v1",
        "OPENAI_API_KEY": "key-of-the-model",
        "OPENAI_MODEL": "scripted",
    }


@contextmanager
def surroundings(data):
    """A server over the store in `data`, a recorder in front of it, and the model."""
    with running(data) as server, recorded(server.url) as memory, model_server() as model:
        model.answer = talk
        yield memory, model


def run(program, folder, data, lines):
    """Run a program from its first line to its last, with these lines as its input."""
    (folder / "agent.py").write_text(program, encoding="utf-8")
    with surroundings(data) as (memory, model):
        done = subprocess.run(
            [sys.executable, "-W", "error::DeprecationWarning:__main__", "agent.py"],
            cwd=folder,
            env=environment(memory.url, model.url),
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return Run(done.stdout.splitlines(), memory, list(model.asked))


@pytest.fixture(
    scope="module", params=[*((guide, over_http) for guide in PROGRAMS), ("mcp", on_streams)], ids=str
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


def test_a_tool_runs_once_and_its_failure_is_remembered_by_a_rule(tmp_path):
    done = run(over_http("openai"), tmp_path, tmp_path / "data", TALKS["openai"].first)
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
    (tmp_path / "agent.py").write_text(over_http(guide), encoding="utf-8")
    with surroundings(tmp_path / "data") as (memory, model):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=tmp_path,
            env=environment(memory.url, model.url),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert TALKS[guide].fact in done.stdout.splitlines()[-1]
