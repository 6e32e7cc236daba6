"""Real servers over the stores that one can choose, each store new and the test's own."""

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.server import Server, running

from servers.tables import CREDENTIALS, table_settings

PAIRS = [("dynamodb", "opensearch"), ("sqlite", "opensearch"), ("dynamodb", "sqlite")]


def settings_of(request: pytest.FixtureRequest, store: str, index: str) -> dict[str, Any]:
    """The settings, without `STRATA_`, of a new table and a new index; the engines are started for it."""
    settings = {"STORE": store, "INDEX": index}
    if store == "dynamodb":
        settings |= table_settings(request.getfixturevalue("dynamodb_local"), f"served-{uuid.uuid4().hex}")
    if index == "opensearch":
        settings |= {
            "OPENSEARCH_URL": request.getfixturevalue("opensearch"),
            "OPENSEARCH_ALIAS": f"served-{uuid.uuid4().hex}",
        }
    return settings


@contextmanager
def served(folder: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Iterator[Server]:
    """A server of two processes over these settings."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with running(folder, WORKERS="2", **settings) as server:
        yield server


def client_of(server: Server, timeout: float = 30) -> httpx.Client:
    return httpx.Client(base_url=server.url, trust_env=False, timeout=timeout)


def eventually(holds: Callable[[], object], seconds: float = 20) -> None:
    """Wait until it holds."""
    end_at = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end_at
        time.sleep(0.1)
