"""The API, in this process and as a real server: every test that asks for `api` runs over both."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from servers.tables import dynamodb_client
from strata.adapters.bodies.folder import FolderBodies
from strata.adapters.dynamodb.table import DynamoTable
from strata.bootstrap import Application, Overrides
from support.clocks import HandClock
from support.memory import application, unique
from support.served_api import WAYS


@pytest.fixture(scope="session", params=sorted(WAYS))
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a store that the whole run shares: tests keep apart by their project."""
    with WAYS[request.param](tmp_path_factory.mktemp("store")) as opened:
        yield opened


@pytest.fixture
def project() -> str:
    """A project of the test's own."""
    return unique("project-")


@pytest.fixture(params=["sqlite", "dynamodb"])
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Application]:
    """The services over either store, on a clock that is moved by hand."""
    clock = HandClock()
    overrides = Overrides()
    if request.param == "dynamodb":
        address, name = (request.getfixturevalue(each) for each in ("dynamodb_local", "dynamodb_table"))
        bodies = FolderBodies(tmp_path / "bodies")
        table = DynamoTable(dynamodb_client(address), name, clock, patience=60, bodies=bodies)
        overrides = Overrides(table=table)
    app = application(tmp_path, clock, overrides)
    yield app
    app.close()
