"""The adapters of `LanguageModel` and `Embedder`, each over a scripted server; a further one is one line."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from strata.adapters.models.aws import make_client
from strata.adapters.models.bedrock import BedrockChat, TitanVectors
from strata.adapters.models.embedding import RemoteEmbedder, VectorSource
from strata.adapters.models.ollama import OllamaChat, OllamaVectors
from strata.adapters.models.openai import OpenAiChat, OpenAiVectors
from strata.adapters.models.structured import Chat, StructuredModel
from strata.ports.language import EmbeddingModel
from support.model_server import Bedrock, ModelServer, Ollama, OpenAi, vector_of

REGION = "eu-central-1"
DIMENSIONS = 256
KEY = "sk-the-key"


def _runtime(url: str) -> Callable[[], Any]:
    return partial(_client, url)


@cache
def _client(url: str) -> Any:
    """Making one takes half a second."""
    return make_client("bedrock-runtime", region=REGION, endpoint=url, seconds=20)


@dataclass(frozen=True)
class Way:
    """A protocol, and the adapters that speak it."""

    speaks: Any
    chat: Callable[[str], Chat]
    source: Callable[[str], VectorSource]

    def model(self, server: ModelServer, *, seconds: float = 10.0, deadline: float = 20.0) -> StructuredModel:
        return StructuredModel(self.chat(server.url), seconds=seconds, deadline=deadline)

    def embedder(self, server: ModelServer, **options: Any) -> RemoteEmbedder:
        made = EmbeddingModel("tests", DIMENSIONS)
        return RemoteEmbedder(self.source(server.url), made, **{"seconds": 10.0, **options})

    def embeds(self, server: ModelServer) -> None:
        """Let the server give every text its own vector."""
        server.answer = lambda asked: self.speaks.vectors(
            [vector_of(text, DIMENSIONS) for text in self.speaks.texts(asked)]
        )


WAYS = {
    "openai": Way(
        OpenAi(),
        lambda url: OpenAiChat(f"{url}/v1", "small", key=lambda: KEY),
        lambda url: OpenAiVectors(f"{url}/v1", "small", key=lambda: KEY),
    ),
    "ollama": Way(Ollama(), lambda url: OllamaChat(url, "small"), lambda url: OllamaVectors(url, "small")),
    "bedrock": Way(
        Bedrock(),
        lambda url: BedrockChat("small", _runtime(url)),
        lambda url: TitanVectors("small", DIMENSIONS, _runtime(url)),
    ),
}
