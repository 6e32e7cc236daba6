"""A server over an embedder and a language model that are scripted: what is saved, found, and said."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.server import running

from support.memory import observation
from support.model_server import HANG, ModelServer, Ollama, model_server, vector_of

OLLAMA = Ollama()
WORDS = '{"words": ["dinghy"]}'


@pytest.fixture
def models() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


def answering(models: ModelServer) -> None:
    def answer(asked):
        if asked.path == "/api/chat":
            return OLLAMA.says(WORDS)
        return OLLAMA.vectors([vector_of(text, 768) for text in OLLAMA.texts(asked)])

    models.answer = answer


@pytest.fixture
def chosen(models: ModelServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Settings, without `STRATA_`."""
    monkeypatch.setenv("OLLAMA_HOST", models.url.removeprefix("http://"))
    return {
        "EMBEDDER": "ollama",
        "EMBEDDING_TIMEOUT": "1",
        "MODEL": "ollama",
        "MODEL_NAME": "small",
        "QUERY_EXPANSION": "true",
        "WORKERS": "3",
    }


def titles(api: httpx.Client, query: str, **options: str) -> tuple[list[str], bool]:
    response = api.get("/search", params={"q": query, "project": "demo"} | options)
    assert response.status_code == 200, response.text
    return [hit["title"] for hit in response.json()], "strata-degraded" in response.headers


def save(api: httpx.Client, title: str, content: str) -> None:
    response = api.post("/observations", json=observation(title=title, content=content))
    assert response.status_code == 201, response.text


def test_a_server_over_models_goes_on_when_they_are_away_and_when_they_change(
    models: ModelServer, chosen: dict[str, Any], tmp_path: Path
) -> None:
    answering(models)
    with running(tmp_path, **chosen) as server, httpx.Client(base_url=server.url, timeout=30) as api:
        save(api, "Dinghy", "a dinghy leaks")
        save(api, "Parser", "the parser drops a token")
        assert titles(api, "Storage the parser drops a token", mode="vector")[1] is False
        assert titles(api, "which vessel", mode="bm25") == (["Dinghy"], False)
        with ThreadPoolExecutor(8) as threads:
            found = set(threads.map(lambda n: titles(api, f"parser {n}")[1], range(24)))
        assert found == {False}

        models.answer = lambda asked: HANG
        save(api, "Ferry", "a ferry crosses the lake")
        assert titles(api, "ferry") == (["Ferry"], True)
        assert titles(api, "parser token", mode="vector") == (["Parser"], True)
        assert titles(api, "parser token", mode="bm25") == (["Parser"], False)

        answering(models)
    other = chosen | {"EMBEDDER": "static", "QUERY_EXPANSION": "false"}
    with running(tmp_path, **other) as server, httpx.Client(base_url=server.url, timeout=30) as api:
        assert api.get("/health").json()["services"]["vectors"]["status"] == "down"
        assert titles(api, "ferry") == (["Ferry"], True)
        done = subprocess.run(
            [sys.executable, "-c", "from strata.cli import main; main()", "reindex", "--json"],
            env={**os.environ, "STRATA_EMBEDDER": "static", "STRATA_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["indexed"] == 3
        assert titles(api, "boats and ships", mode="vector")[1] is False
        assert titles(api, "ferry")[1] is False
        assert api.get("/health").json()["status"] == "ok"
