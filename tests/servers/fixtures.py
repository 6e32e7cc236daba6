"""Fixtures: one OpenSearch for a whole run of pytest, one DynamoDB Local for each of its workers.

Each is started when the first test asks for it.

Where Java or Maven is missing their tests are skipped with a sentence that says so; with `CI=true` in the
environment they fail.
"""

import os
import uuid
from pathlib import Path

import pytest

from servers.java import missing_tools
from servers.shared import Run, url_of
from servers.tables import dynamodb_client
from strata.local.template.dynamodb import create_table

RUN = pytest.StashKey[Run]()


@pytest.fixture(scope="session")
def run_folder(request: pytest.FixtureRequest) -> Path:
    """The folder that the workers of this run share."""
    given = getattr(request.config, "workerinput", None)
    return Path(given["run"]) if given else request.config.stash[RUN].folder


@pytest.fixture(scope="session")
def dynamodb_local(run_folder: Path) -> str:
    """The URL of a DynamoDB Local of this worker's own.

    It does all work in one thread, and the more changes it has seen, the longer each write takes.
    """
    _require_tools("DynamoDB Local")
    return url_of("dynamodb", run_folder, os.environ.get("PYTEST_XDIST_WORKER", ""))


@pytest.fixture(scope="session")
def opensearch(run_folder: Path) -> str:
    """The URL of an OpenSearch with k-NN (engine `lucene` only)."""
    _require_tools("OpenSearch")
    return url_of("opensearch", run_folder)


@pytest.fixture
def dynamodb_table(dynamodb_local: str) -> str:
    """The name of an empty table on DynamoDB Local, as the template declares it."""
    name = f"rows-{uuid.uuid4().hex}"
    create_table(dynamodb_client(dynamodb_local), name)
    return name


def _require_tools(server: str) -> None:
    missing = missing_tools()
    if missing is None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{server} can't be tested: {missing}")
    pytest.skip(f"NOT TESTED against a real {server}: {missing}")
