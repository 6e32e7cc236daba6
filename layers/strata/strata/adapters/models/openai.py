"""Servers of OpenAI's protocol: OpenAI itself, OpenRouter, vLLM and many more.

Source: OpenAI's API reference, "Create chat completion" and "Create embeddings".
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from strata.adapters.models.errors import Rejected, Unanswered, Unusable
from strata.adapters.models.exchange import FORMAT, Exchange, Key
from strata.adapters.models.structured import Completion, Said, count

_log = logging.getLogger("strata.models")

_LARGEST_ANSWER = 4_000_000
_LARGEST_VECTORS = 64_000_000
_TEXTS = 128


_FORMATS: tuple[tuple[str, Callable[[Mapping[str, Any]], dict[str, Any] | None]], ...] = (
    (
        "a JSON schema",
        lambda schema: {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}},
    ),
    ("a JSON object with a schema", lambda schema: {"type": "json_object", "schema": schema}),
    ("a JSON object", lambda schema: {"type": "json_object"}),
    ("no format, so the instructions alone ask for JSON", lambda schema: None),
)
"""Forms of `response_format`, from the most exact one to none. llama.cpp's Python server knows the second."""


class OpenAiChat:
    """Chat completions with `response_format` as a JSON schema, or in the best form that the server takes.

    A parameter that the server rejects (a temperature) is left out from then on; of formats the next less
    exact one is sent. Both are remembered for this model of this server, and logged once.
    """

    def __init__(self, url: str, model: str, *, key: Key | None = None) -> None:
        self.name = model
        self._exchange = Exchange(url, key=key, largest=_LARGEST_ANSWER)
        self._refused: set[str] = set()
        self._format = 0

    def complete(
        self,
        instructions: str,
        said: Sequence[Said],
        schema: Mapping[str, Any],
        most_tokens: int,
        seconds: float,
    ) -> Completion:
        messages = [{"role": each.role, "content": each.text} for each in said]
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [{"role": "system", "content": instructions}, *messages],
            "max_tokens": most_tokens,
            "temperature": 0,
        }
        tried = self._format
        form = _FORMATS[tried][1](schema)
        if form is not None:
            body[FORMAT] = form
        if "max_tokens" in self._refused:  # models that reason take the other name alone
            body["max_completion_tokens"] = body["max_tokens"]
        sent = {name: value for name, value in body.items() if name not in self._refused}
        try:
            answer = self._exchange.post("/chat/completions", sent, seconds)
        except Rejected as error:
            if error.part == FORMAT and form is not None:
                self._step_down(tried)
            elif error.part in ("max_tokens", "temperature") and error.part not in self._refused:
                self._refused.add(error.part)
            else:
                raise
            raise Unanswered("the model does not take all that was asked of it", wait=0) from error
        try:
            (choice,) = answer["choices"][:1]
            message, why = choice["message"], choice.get("finish_reason")
            usage = answer.get("usage") or {}
            return Completion(
                text=_text(message.get("content")),
                input_tokens=count(usage.get("prompt_tokens")),
                output_tokens=count(usage.get("completion_tokens")),
                was_cut=why == "length",
                was_refused=bool(message.get("refusal")) or why == "content_filter",
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise Unusable("the model's server does not speak OpenAI's protocol") from error

    def _step_down(self, tried: int) -> None:
        """Send the format after this one from now on; another thread may have done so already."""
        if self._format == tried:
            self._format = tried + 1
            _log.warning(
                "the server of the model %s does not take %s; from now on it is sent %s",
                self.name,
                _FORMATS[tried][0],
                _FORMATS[tried + 1][0],
            )


class OpenAiVectors:
    """Embeddings; `dimensions` is sent to models that can shorten their vectors, else None."""

    most_texts = _TEXTS
    width = 4

    def __init__(
        self, url: str, model: str, *, dimensions: int | None = None, key: Key | None = None
    ) -> None:
        self._model = model
        self._dimensions = dimensions
        self._exchange = Exchange(url, key=key, largest=_LARGEST_VECTORS)

    def vectors(self, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
        body: dict[str, Any] = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        if self._dimensions is not None:
            body["dimensions"] = self._dimensions
        answer = self._exchange.post("/embeddings", body, seconds)
        try:
            by_place = {each["index"]: each["embedding"] for each in answer["data"]}
            return [by_place[place] for place in range(len(texts))]
        except (KeyError, TypeError) as error:
            raise Unusable("the model's server does not speak OpenAI's protocol") from error


def _text(content: Any) -> str:
    """The text of a message, whose content is a string or a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else json.dumps(content)
