"""Fixtures: one server of each kind for a whole run of pytest, started when the first test asks for it.

Where Java or Maven is missing their tests are skipped with a sentence that says so; with `CI=true` in the
environment they fail.
"""

import os
import uuid
from collections.abc import Iterator

import pytest

from servers.dynamodb import dynamodb
from servers.java import missing_tools
from servers.opensearch import opensearch as opensearch_server
from servers.tables import dynamodb_client
from strata.local.template.dynamodb import create_table


@pytest.fixture(scope="session")
def dynamodb_local() -> Iterator[str]:
    """The URL of a DynamoDB Local."""
    _require_tools("DynamoDB Local")
    with dynamodb() as url:
        yield url


@pytest.fixture(scope="session")
def opensearch() -> Iterator[str]:
    """The URL of an OpenSearch with k-NN (engine `lucene` only)."""
    _require_tools("OpenSearch")
    with opensearch_server() as url:
        yield url


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
