"""Ollama. Source: its API reference, "Generate a chat completion" and "Generate embeddings"."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import httpx

from strata.adapters.models.errors import Unusable
from strata.adapters.models.exchange import Exchange, Key
from strata.adapters.models.structured import Completion, Said, count

_LARGEST_ANSWER = 4_000_000
_LARGEST_VECTORS = 64_000_000
_LEAST_WINDOW, _WIDEST_WINDOW = 4_096, 131_072


class OllamaChat:
    """Chat with `format` as a JSON schema.

    The context window is set as large as the prompt needs, by powers of two: Ollama silently truncates longer
    prompts, and reloads the model for another window.
    """

    def __init__(self, url: str, model: str, *, key: Key | None = None) -> None:
        self.name = model
        self._exchange = Exchange(url, key=key, largest=_LARGEST_ANSWER)

    def complete(
        self,
        instructions: str,
        said: Sequence[Said],
        schema: Mapping[str, Any],
        most_tokens: int,
        seconds: float,
    ) -> Completion:
        messages = [{"role": each.role, "content": each.text} for each in said]
        size = sum(len(text.encode()) for text in (instructions, *(each.text for each in said)))
        window = _LEAST_WINDOW
        while window < size // 2 + most_tokens and window < _WIDEST_WINDOW:
            window *= 2
        body = {
            "model": self.name,
            "messages": [{"role": "system", "content": instructions}, *messages],
            "stream": False,
            "format": schema,
            "options": {"temperature": 0, "num_predict": most_tokens, "num_ctx": window},
        }
        answer = self._exchange.post("/api/chat", body, seconds)
        try:
            return Completion(
                text=str(answer["message"]["content"]),
                input_tokens=count(answer.get("prompt_eval_count")),
                output_tokens=count(answer.get("eval_count")),
                was_cut=answer.get("done_reason") == "length",
            )
        except (KeyError, TypeError) as error:
            raise Unusable("the model's server does not speak Ollama's protocol") from error


def pinned_models(url: str, now: float, seconds: float = 1.0) -> int:
    """The number of models that a server keeps loaded for good; 0 where it does not tell.

    A model without an expiry is one that expires in years, or never (`0001-01-01`).
    """
    try:
        models = httpx.get(f"{url.rstrip('/')}/api/ps", timeout=seconds).json()["models"]
        years = [int(str(model["expires_at"])[:4]) for model in models]
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return 0
    this_year = datetime.fromtimestamp(now, UTC).year
    return sum(1 for year in years if year < 2 or year > this_year + 1)


class OllamaVectors:
    """Embeddings."""

    most_texts = 64
    width = 1

    def __init__(self, url: str, model: str, *, key: Key | None = None) -> None:
        self._model = model
        self._exchange = Exchange(url, key=key, largest=_LARGEST_VECTORS)

    def vectors(self, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
        body = {"model": self._model, "input": list(texts), "truncate": True}
        answer = self._exchange.post("/api/embed", body, seconds)
        vectors = answer.get("embeddings")
        if not isinstance(vectors, list):
            raise Unusable("the model's server does not speak Ollama's protocol")
        return vectors
