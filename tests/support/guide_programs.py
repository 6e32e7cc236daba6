"""Running the programs of docs/guides between a real server and a scripted model."""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.server import running

from support.chat_model import talk
from support.http_recorder import Recorder, recorded
from support.model_server import Asked, model_server

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
PROGRAMS = sorted(
    path.stem for path in GUIDES.glob("*.md") if "sys.stdin" in path.read_text(encoding="utf-8")
)
"""The guides with a program that answers what it reads; the code of others is run with the documents."""


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
    with running(data, WORKERS="1") as server, recorded(server.url) as memory, model_server() as model:
        model.answer = talk
        yield memory, model


def run(program, folder, data, lines):
    """Run a program from its first line to its last, with these lines as its input."""
    typed = "".join(f"{line}\n" for line in lines)
    return run_command([sys.executable, "agent.py"], program, folder, data, typed)


def run_command(command, program, folder, data, typed=""):
    """Run a command that runs the program, which is in `agent.py`."""
    (folder / "agent.py").write_text(program, encoding="utf-8")
    with surroundings(data) as (memory, model):
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment(memory.url, model.url),
            input=typed,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert not done.stderr
        return Run(done.stdout.splitlines(), memory, list(model.asked))
