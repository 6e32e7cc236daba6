"""Amazon Bedrock.

Source: its API reference, "Converse" and "InvokeModel"; its user guide, "Amazon Titan Text Embeddings".
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from strata.adapters.models.aws import called
from strata.adapters.models.errors import Unusable
from strata.adapters.models.structured import Completion, Said, count

_REFUSED = {"guardrail_intervened", "content_filtered"}
_TOOL = "answer"

Client = Callable[[], Any]
"""Creates the client of `bedrock-runtime` at its first use."""


class BedrockChat:
    """Converse with one tool, which the model must call: its input is the answer."""

    def __init__(self, model: str, client: Client) -> None:
        self.name = model
        self._make_client = client

    @cached_property
    def _client(self) -> Any:
        return self._make_client()

    def complete(
        self,
        instructions: str,
        said: Sequence[Said],
        schema: Mapping[str, Any],
        most_tokens: int,
        seconds: float,
    ) -> Completion:
        tool = {"name": _TOOL, "description": "Gives the answer.", "inputSchema": {"json": schema}}
        client = self._client
        answer = called(
            lambda: client.converse(
                modelId=self.name,
                system=[{"text": instructions}],
                messages=[{"role": each.role, "content": [{"text": each.text}]} for each in said],
                inferenceConfig={"maxTokens": most_tokens, "temperature": 0.0},
                toolConfig={"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": _TOOL}}},
            ),
            seconds,
        )
        try:
            parts = answer["output"]["message"]["content"]
            calls = [part["toolUse"]["input"] for part in parts if "toolUse" in part]
            told = "".join(str(part.get("text", "")) for part in parts)
            usage = answer.get("usage") or {}
            why = answer.get("stopReason")
            return Completion(
                text=json.dumps(calls[0], ensure_ascii=False) if calls else told,
                input_tokens=count(usage.get("inputTokens")),
                output_tokens=count(usage.get("outputTokens")),
                was_cut=why == "max_tokens",
                was_refused=why in _REFUSED,
            )
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise Unusable("Bedrock's answer is none of Converse") from error


class TitanVectors:
    """Titan Text Embeddings V2, which takes one text a request: several requests are sent in parallel."""

    most_texts = 1
    width = 8

    def __init__(self, model: str, dimensions: int, client: Client) -> None:
        self._model = model
        self._dimensions = dimensions
        self._make_client = client

    @cached_property
    def _client(self) -> Any:
        return self._make_client()

    def vectors(self, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
        return [self._vector(text, seconds) for text in texts]

    def _vector(self, text: str, seconds: float) -> Sequence[float]:
        body = json.dumps({"inputText": text, "dimensions": self._dimensions, "normalize": True})
        client = self._client

        def read() -> bytes:
            answer = client.invoke_model(
                modelId=self._model, body=body, contentType="application/json", accept="application/json"
            )
            document: bytes = answer["body"].read()
            return document

        try:
            vector = json.loads(called(read, seconds))["embedding"]
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise Unusable("Bedrock's answer holds no embedding") from error
        return vector if isinstance(vector, list) else []
