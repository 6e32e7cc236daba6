"""An HTTP server that answers as a test tells it to, for what a real engine does only on its bad days."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from support.http_server import Answering, listening

HANG, HANG_UP, DRIP = object(), object(), object()
"""Take the request and never answer; close the connection instead; answer byte by byte, without end."""


@dataclass
class Asked:
    """One request: its method, its path with the query, its body's JSON values, one a line, and its headers
    by their names in lower case."""

    method: str
    path: str
    lines: list[Any]
    headers: dict[str, str]


@dataclass
class ScriptedEngine:
    """`answer` gets each request and returns HANG, HANG_UP, DRIP, or (status, body); a body may be bytes."""

    url: str = ""
    answer: Callable[[Asked], Any] = lambda asked: (404, {})
    asked: list[Asked] = field(default_factory=list)

    def paths(self) -> list[str]:
        return [f"{each.method} {each.path}" for each in self.asked]


@contextmanager
def scripted_engine() -> Iterator[ScriptedEngine]:
    """The server, from its start to the end of the block."""
    engine, over = ScriptedEngine(), threading.Event()

    class Handler(Answering):
        def _do(self) -> None:
            lines = [json.loads(line) for line in self.body().splitlines()]
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, lines, headers)
            engine.asked.append(asked)
            told = engine.answer(asked)
            if told is HANG:
                over.wait()
            if told is DRIP:
                self.tell(200, {"content-type": "application/json"}, b"{", length=10_000)
                while not over.wait(0.05):
                    self.wfile.write(b" ")
            if told in (HANG, HANG_UP, DRIP):
                self.close_connection = True
                return
            status, answer = told
            sent = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.tell(status, {"content-type": "application/json"}, sent)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _do  # noqa: N815

    with listening(Handler, over=over) as engine.url:
        yield engine
