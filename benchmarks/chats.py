"""Imports of other tools' chats: made-up homes of Claude Code and Codex in the forms on disk.

`CHATS_MB` is the size of the transcripts that are read (1000 for the figures of the docs, by default 200).
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.measure import Figure
from benchmarks.server import Server, running
from benchmarks.text import Writer

_STRATA = (sys.executable, "-c", "from strata.cli import main; main()")
_BEGAN = datetime(2026, 1, 5, 9, tzinfo=UTC)
_TURNS = 40
"""Messages of a person in a transcript."""
_KILLS = 5
_BATCH = 100
_YARDSTICK = 2_000
"""Events that are appended, as many with a request as said, and compared with imported messages."""
_CHATS = 60
"""Conversations of 80 messages that are imported: so many that the start of the command counts little."""


class Home:
    """A home with transcripts; `messages` counts what people and agents said in them."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.folder = folder
        self.messages = 0
        self._random = Random(seed)
        writer = Writer(seed)
        self._said = [writer.memory() for _ in range(2_000)]
        self._files = 0

    def fill(self, size: int) -> None:
        """Write transcripts of so many bytes, by turns of Claude Code and of Codex."""
        while size > 0:
            size -= self.claude_code(_TURNS) if self._files % 2 else self.codex(_TURNS)

    def claude_code(self, turns: int) -> int:
        """Write a transcript of Claude Code: prompts, thoughts, calls of tools, results and answers."""
        name = f"{self._files:08x}-0000-4000-8000-000000000000"
        path = self.folder / f".claude/projects/-home-ann-shop{self._files % 20}" / f"{name}.jsonl"
        return self._write(path, self._of_claude_code(name, turns))

    def codex(self, turns: int) -> int:
        """Write a transcript of Codex; its size."""
        path = self.folder / f".codex/sessions/2026/01/05/rollout-2026-01-05T09-00-00-{self._files:08x}.jsonl"
        return self._write(path, self._of_codex(turns))

    def _of_claude_code(self, session: str, turns: int) -> Iterator[dict[str, Any]]:
        folder, number = f"/home/ann/shop{self._files % 20}", 0
        for turn in range(turns):
            at = _BEGAN + timedelta(minutes=turn)
            contents: list[tuple[str, Any]] = [
                ("user", self._words()),
                ("assistant", [{"type": "thinking", "thinking": self._words(8), "signature": "c2ln" * 90}]),
                ("assistant", [{"type": "text", "text": self._words(2)}]),
                ("assistant", [{"type": "tool_use", "id": f"t{turn}", "name": "Read", "input": {"p": "a"}}]),
                ("user", [{"type": "tool_result", "tool_use_id": f"t{turn}", "content": self._words(30)}]),
            ]
            for role, content in contents:
                number += 1
                yield {
                    "parentUuid": f"{session}-{number - 1}",
                    "isSidechain": False,
                    "userType": "external",
                    "cwd": folder,
                    "sessionId": session,
                    "version": "2.1.5",
                    "gitBranch": "main",
                    "type": role,
                    "message": {"role": role, "content": content},
                    "uuid": f"{session}-{number}",
                    "timestamp": at.isoformat().replace("+00:00", "Z"),
                }
            self.messages += 2

    def _of_codex(self, turns: int) -> Iterator[dict[str, Any]]:
        meta = {"id": f"codex-{self._files}", "cwd": f"/home/ann/barn{self._files % 20}", "source": "cli"}
        yield {"timestamp": _BEGAN.isoformat(), "type": "session_meta", "payload": meta}
        for turn in range(turns):
            at = (_BEGAN + timedelta(minutes=turn)).isoformat()
            for payload in (
                {"type": "message", "role": "user", "content": self._part("input_text")},
                {"type": "reasoning", "summary": [], "encrypted_content": "Z0FB" * 400},
                {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c"},
                {"type": "function_call_output", "call_id": "c", "output": self._words(30)},
                {"type": "message", "role": "assistant", "content": self._part("output_text")},
            ):
                yield {"timestamp": at, "type": "response_item", "payload": payload}
            self.messages += 2

    def _part(self, kind: str) -> list[dict[str, str]]:
        return [{"type": kind, "text": self._words()}]

    def _words(self, times: int = 1) -> str:
        return " ".join(self._random.choices(self._said, k=times)) + f" {self._random.randrange(10**9)}"

    def _write(self, path: Path, records: Iterator[dict[str, Any]]) -> int:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as out:
            for record in records:
                out.write(json.dumps(record, separators=(",", ":")) + "\n")
        self._files += 1
        return path.stat().st_size


def run() -> list[Figure]:
    """Measure reading, importing, importing again, and imports that are killed."""
    megabytes = int(os.environ.get("CHATS_MB", "200"))
    with TemporaryDirectory() as folder:
        return [*_reading(Path(folder) / "large", megabytes), *_importing(Path(folder))]


def _reading(folder: Path, megabytes: int) -> Iterator[Figure]:
    home = Home(folder)
    home.fill(megabytes * 1_000_000)
    for name, command in (("scanned", ("scan",)), ("read whole", ("import", "--dry-run"))):
        done = _strata(folder, *command)
        yield Figure(
            f"{megabytes} MB of JSONL {name}",
            megabytes / done.seconds,
            "MB/s",
            20,
            higher_is_better=True,
            note=f"{megabytes / done.processor:.0f} of processor time",
        )
        yield Figure("its memory, at most", done.megabytes, "MB", 300)
    yield Figure("messages that were not read", home.messages - done.told["messages"], "", 0)


def _importing(folder: Path) -> Iterator[Figure]:
    home = Home(folder / "home", 2)
    for _ in range(_CHATS):
        home.claude_code(_TURNS)
    with running(folder / "store") as server:
        yardsticks = {"a hundred": _events_a_second(server, _BATCH), "one": _events_a_second(server, 1)}
        done = _strata(home.folder, "import", "--url", server.url)
        rate = done.told["messages"] / done.seconds
        for size, yardstick in yardsticks.items():
            name = f"messages imported, of the rate of events, {size} with a request"
            yield Figure(name, rate / yardstick, "x", 0.5, higher_is_better=True)
        appended = len(yardsticks) * _YARDSTICK
        yield Figure("messages that are missing", home.messages + appended - _kept(server), "", 0)
        again = _strata(home.folder, "import", "--url", server.url)
        added = again.told["messages"] + again.told["conversations"] + again.told["notes"]
        yield Figure("added by a second import", added, "", 0)
    with running(folder / "killed") as server:
        for _ in range(_KILLS):
            _strata(home.folder, "import", "--url", server.url, killed_after=done.seconds / (_KILLS + 1))
        _whole(home, server)
        missing = home.messages - _kept(server)
        yield Figure(f"missing or twice after {_KILLS} kills and a last import", abs(missing), "", 0)
    many = Home(folder / "many", 3)
    many.codex(10_000)
    for _ in range(3_000):
        many.codex(1)
    with running(folder / "many-store") as server:
        _whole(many, server)
        missing = abs(many.messages - _kept(server))
        yield Figure("missing of one chat of 20 000 messages and 3 000 chats", missing, "", 0)


class _Done:
    def __init__(self, seconds: float, processor: float, megabytes: float, told: Any) -> None:
        self.seconds, self.processor, self.megabytes, self.told = seconds, processor, megabytes, told


def _strata(home: Path, *command: str, killed_after: float | None = None) -> _Done:
    """Run `strata chats …`: its time, the most memory that it had, and what it told."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STRATA_")}
    started = time.perf_counter()
    process = subprocess.Popen(
        [*_STRATA, "chats", *command, "--json"],
        env=kept | {"HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if killed_after is not None:
        time.sleep(killed_after)
        os.kill(process.pid, signal.SIGKILL)  # no poll, which would take the status that wait4 reads
    assert process.stdout is not None
    assert process.stderr is not None
    told, errors = process.stdout.read(), process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if killed_after is None and process.returncode:
        raise RuntimeError(f"strata chats {' '.join(command)}: {errors.decode(errors='replace')}")
    processor, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6
    return _Done(seconds, processor, memory, json.loads(told) if told.strip() else None)


def _whole(home: Home, server: Server) -> None:
    """Import; where a loaded machine does not answer in time, go on by the same command."""
    for left in reversed(range(_KILLS)):
        try:
            _strata(home.folder, "import", "--url", server.url)
        except RuntimeError:
            if not left:
                raise
        else:
            return


def _events_a_second(server: Server, size: int) -> float:
    """The rate at which one client appends events, so many with a request."""
    client, writer, session = server.client(), Writer(5), f"yardstick-{size}"
    client.post("/memory/sessions", {"session_id": session, "app_name": "chats/yardstick"})
    events = [
        {"event_type": "user_message", "content": writer.memory(), "event_id": f"e{size}-{number}"}
        for number in range(_YARDSTICK)
    ]
    started = time.perf_counter()
    for first in range(0, len(events), size):
        client.post(f"/memory/sessions/{session}/events", events[first : first + size])
    return len(events) / (time.perf_counter() - started)


def _kept(server: Server) -> int:
    """All events; an answer with those of one long conversation would leave some out."""
    return int(server.client().get("/memory/stats")["total_events"])
