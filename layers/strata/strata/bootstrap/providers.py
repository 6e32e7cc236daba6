"""The models that the settings choose."""

from typing import TYPE_CHECKING, Any

from strata.settings.models import EmbeddingSettings, LanguageSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.adapters.models.embedding import RemoteEmbedder, VectorSource
    from strata.adapters.models.exchange import Key
    from strata.adapters.models.structured import Chat, StructuredModel


def embedder(chosen: EmbeddingSettings) -> "RemoteEmbedder":
    """An embedder behind a network. Nothing is asked of it yet."""
    from strata.adapters.models.embedding import RemoteEmbedder
    from strata.ports import EmbeddingModel

    name = f"{chosen.provider}/{chosen.name}/{chosen.length}"
    return RemoteEmbedder(
        _vectors(chosen),
        EmbeddingModel(name, chosen.length),
        seconds=chosen.timeout,
        batch_seconds=chosen.batch_timeout,
    )


def _vectors(chosen: EmbeddingSettings) -> "VectorSource":
    if chosen.provider == "bedrock":
        from strata.adapters.models.bedrock import TitanVectors

        client = _bedrock(chosen, chosen.timeout, TitanVectors.width)
        return TitanVectors(chosen.name, chosen.length, client)
    if chosen.provider == "ollama":
        from strata.adapters.models.ollama import OllamaVectors

        return OllamaVectors(chosen.place, chosen.name, key=_key(chosen))
    from strata.adapters.models.openai import OpenAiVectors

    return OpenAiVectors(chosen.place, chosen.name, dimensions=chosen.shortened, key=_key(chosen))


def language_model(chosen: LanguageSettings) -> "StructuredModel":
    """A language model. Nothing is asked of it yet."""
    from strata.adapters.models.structured import StructuredModel

    return StructuredModel(_chat(chosen), seconds=chosen.timeout, deadline=chosen.deadline)


def _chat(chosen: LanguageSettings) -> "Chat":
    if chosen.provider == "bedrock":
        from strata.adapters.models.bedrock import BedrockChat

        return BedrockChat(chosen.name, _bedrock(chosen, chosen.timeout, 10))
    if chosen.provider == "ollama":
        from strata.adapters.models.ollama import OllamaChat

        return OllamaChat(chosen.place, chosen.name, key=_key(chosen))
    from strata.adapters.models.openai import OpenAiChat

    return OpenAiChat(chosen.place, chosen.name, key=_key(chosen))


def _key(chosen: EmbeddingSettings | LanguageSettings) -> "Key | None":
    if chosen.key is not None:
        return chosen.key.get_secret_value
    if chosen.key_secret:
        from strata.adapters.models.aws import secret

        return secret(chosen.key_secret, region=chosen.region)
    return None


def _bedrock(
    chosen: EmbeddingSettings | LanguageSettings, seconds: float, connections: int
) -> "Callable[[], Any]":
    from functools import partial

    from strata.adapters.models.aws import make_client

    return partial(
        make_client,
        "bedrock-runtime",
        region=chosen.region,
        endpoint=chosen.url or None,
        seconds=seconds,
        connections=connections,
    )
