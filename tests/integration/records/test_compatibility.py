"""Stores of earlier versions on DynamoDB and OpenSearch are read, and operators can work on them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compatibility import kept
from compatibility.continuation import (
    erasures_end,
    extractions_end,
    known_contents_and_items_are_told,
    maintenance_runs,
)
from compatibility.questions import differences, recorded
from compatibility.store import Store, opened
from compatibility.upgrade import upgraded
from servers.tables import CREDENTIALS

COMMAND = [sys.executable, "-c", "from strata.cli import main; main()"]


@pytest.fixture(params=kept.VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def told(version: str) -> Any:
    return kept.told(version, "deployed")


@pytest.fixture
def deployed(
    version: str, tmp_path: Path, dynamodb_local: str, opensearch: str, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """The settings of stores of the test's own that hold what the version left."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    return kept.deploy(version, tmp_path, dynamodb_local, opensearch)


@pytest.fixture
def store(deployed: dict[str, str], told: Any, tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path, told["now"], **deployed) as store:
        yield store


def test_every_answer_is_the_one_that_its_own_version_gave(store: Store, told: Any) -> None:
    # the stream is not followed before, so searches are answered from the documents as they were left
    assert differences(told["answers"], recorded(store, told["erasures"])) == []


def test_the_first_version_is_upgraded_by_processes_that_die(
    tmp_path: Path, dynamodb_local: str, opensearch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    settings, told = kept.deploy("v1", tmp_path, dynamodb_local, opensearch), kept.told("v1", "deployed")
    with opened(tmp_path, told["now"], **settings) as store:
        upgraded(store, told)


def test_the_work_goes_on(store: Store, told: Any) -> None:
    known_contents_and_items_are_told(store)
    maintenance_runs(store)
    erasures_end(store, told["erasures"])
    extractions_end(store)


@pytest.fixture
def strata(tmp_path: Path) -> Any:
    def run(*arguments: str, **settings: str) -> Any:
        named = {f"STRATA_{name}": value for name, value in settings.items()}
        environment = os.environ | {"STRATA_DATA": str(tmp_path)} | named
        result = subprocess.run(
            [*COMMAND, *arguments, "--json"], check=False, capture_output=True, text=True, env=environment
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return json.loads(result.stdout)

    return run


def test_verify_finds_no_difference_in_the_file(version: str, strata: Any, tmp_path: Path) -> None:
    kept.unpack(version, tmp_path)
    with opened(tmp_path, kept.told(version, "sqlite")["now"]) as store:
        store.follow()
    verdict = strata("verify")
    assert (verdict["differences"], verdict["pending"]) == (0, 0)
    assert min(verdict["rows"], verdict["documents"]) > 50
    assert {each["queue"]: each["dead"] for each in strata("queues")}["extraction"] == 2
    assert strata("queues", "redrive", "extraction")["revived"] == 2
    assert [each["state"] for each in strata("keys", "list", "--tenant", "acme")] == [
        "active",
        "active",
        "revoked",
    ]
    assert strata("reindex")["failed"] == 0
    assert strata("verify")["differences"] == 0


def test_verify_finds_no_difference_in_the_deployment(
    deployed: dict[str, str], store: Store, strata: Any
) -> None:
    store.follow()
    verdict = strata("verify", **deployed)
    assert (verdict["differences"], verdict["pending"]) == (0, 0)
    assert min(verdict["rows"], verdict["documents"]) > 50
