"""Stands between a program and a server, and writes down what the program asks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from support.http_server import Answering, listening

_OF_A_CONNECTION = frozenset(
    {"connection", "content-length", "host", "transfer-encoding", "content-encoding"}
)


@dataclass
class Recorder:
    """The address to ask, and all that was asked."""

    url: str = ""
    requests: list[httpx.Request] = field(default_factory=list)

    def asked(self, method: str, path: str) -> list[httpx.Request]:
        """The requests of one route, in order; `path` is the whole of it."""
        return [each for each in self.requests if (each.method, each.url.path) == (method, path)]


@contextmanager
def recorded(url: str) -> Iterator[Recorder]:
    """A recorder in front of the server at `url`."""
    recorder = Recorder()

    class Handler(Answering):
        def do_GET(self) -> None:
            request = httpx.Request(
                self.command, url + self.path, headers=_passed(self.headers), content=self.body()
            )
            recorder.requests.append(request)
            answer = server.send(request)
            self.tell(answer.status_code, _passed(answer.headers), answer.content)

        do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815

    with httpx.Client(trust_env=False, timeout=30) as server, listening(Handler) as recorder.url:
        yield recorder


def _passed(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items() if name.lower() not in _OF_A_CONNECTION}
