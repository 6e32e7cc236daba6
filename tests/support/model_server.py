"""An HTTP server that speaks as the servers of models do, and misbehaves as a test tells it to."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from support.http_server import Answering, listening

HANG = object()
"""Take the request and never answer."""


@dataclass
class Told:
    """An answer on the wire. After `body` follows what never ends, if anything."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    forever: bytes = b""
    pause: float = 0.0


@dataclass
class Asked:
    """One request; `body` is its JSON, `headers` by their names in lower case."""

    path: str
    body: Any
    headers: dict[str, str]


@dataclass
class ModelServer:
    """`answer` gets each request and returns a `Told` or HANG."""

    url: str = ""
    answer: Callable[[Asked], Any] = lambda asked: Told(404)
    asked: list[Asked] = field(default_factory=list)

    def script(self, *answers: Any) -> None:
        """Answer the requests in turn, and all further ones as the last."""
        left = list(answers)
        self.answer = lambda asked: left.pop(0) if len(left) > 1 else left[0]


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """The server, from its start to the end of the block."""
    server, over = ModelServer(), threading.Event()

    class Handler(Answering):
        def do_POST(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.path, json.loads(self.body()), headers)
            server.asked.append(asked)
            told = server.answer(asked)
            if told is HANG:
                over.wait()
                self.close_connection = True
                return
            named = {"content-type": "application/json"} | dict(told.headers)
            self.tell(told.status, named, told.body, told.length)
            try:
                while told.forever and not over.is_set():
                    self.wfile.write(told.forever)
                    self.wfile.flush()
                    time.sleep(told.pause)
                if told.length is not None:
                    over.wait()
            except OSError:
                self.close_connection = True

        do_GET = do_POST  # noqa: N815

    with listening(Handler, over=over) as server.url:
        yield server


def as_json(document: Any, status: int = 200, **headers: str) -> Told:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Told(status, json.dumps(document).encode(), named)


def vector_of(text: str, dimensions: int) -> list[float]:
    """A direction that is a text's own."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).normal(size=dimensions).round(4).tolist()


class OpenAi:
    """OpenAI's protocol."""

    def says(self, text: str, *, given: Any = 7, made: Any = 3) -> Told:
        return as_json(
            {
                "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": given, "completion_tokens": made},
            }
        )

    def refuses(self) -> Told:
        message = {"role": "assistant", "content": None, "refusal": "I'd rather not."}
        return as_json({"choices": [{"message": message, "finish_reason": "stop"}]})

    def fails(self, status: int, **headers: str) -> Told:
        return as_json({"error": {"message": "what you said was: SECRET"}}, status, **headers)

    def prompt(self, asked: Asked) -> list[str]:
        return [each["content"] for each in asked.body["messages"]]

    def texts(self, asked: Asked) -> list[str]:
        return asked.body["input"]

    def vectors(self, vectors: list[Any]) -> Told:
        rows = [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]
        return as_json({"object": "list", "data": rows[::-1]})


class Ollama(OpenAi):
    """Ollama's protocol."""

    def says(self, text: str, *, given: Any = 7, made: Any = 3) -> Told:
        counts = {"prompt_eval_count": given, "eval_count": made}
        return as_json({"message": {"role": "assistant", "content": text}, "done_reason": "stop"} | counts)

    def refuses(self) -> None:
        return None

    def vectors(self, vectors: list[Any]) -> Told:
        return as_json({"embeddings": vectors})


class Bedrock:
    """Bedrock's protocol."""

    _CODES = {  # noqa: RUF012
        400: "ValidationException",
        401: "UnrecognizedClientException",
        404: "ResourceNotFoundException",
        429: "ThrottlingException",
    }

    def says(self, text: str, *, given: Any = 7, made: Any = 3) -> Told:
        try:
            called = json.loads(text)
        except ValueError:
            called = None
        part = (
            {"toolUse": {"toolUseId": "1", "name": "answer", "input": called}} if called else {"text": text}
        )
        return self._answers([part], "tool_use" if called else "end_turn", given, made)

    def refuses(self) -> Told:
        return self._answers([{"text": "I'd rather not."}], "guardrail_intervened", 7, 3)

    def _answers(self, parts: list[Any], why: str, given: Any, made: Any) -> Told:
        return as_json(
            {
                "output": {"message": {"role": "assistant", "content": parts}},
                "stopReason": why,
                "usage": {"inputTokens": given, "outputTokens": made, "totalTokens": 0},
                "metrics": {"latencyMs": 1},
            }
        )

    def fails(self, status: int, **headers: str) -> Told:
        code = self._CODES.get(status, "InternalServerException")
        return as_json({"message": "what you said was: SECRET"}, status, x_amzn_ErrorType=code, **headers)

    def prompt(self, asked: Asked) -> list[str]:
        said = [each["content"][0]["text"] for each in asked.body["messages"]]
        return [asked.body["system"][0]["text"], *said]

    def texts(self, asked: Asked) -> list[str]:
        return [asked.body["inputText"]]

    def vectors(self, vectors: list[Any]) -> Told:
        return as_json({"embedding": vectors[0], "inputTextTokenCount": 3})
