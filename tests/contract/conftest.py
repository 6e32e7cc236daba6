"""The adapters of each port. A further adapter joins its port's suite by one line in a table below."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest
from moto import mock_aws

from servers.tables import CREDENTIALS, REGION, dynamodb_client
from strata.adapters.bodies.folder import FolderBodies
from strata.adapters.bodies.s3 import S3Bodies
from strata.adapters.bodies.s3 import make_client as s3_client
from strata.adapters.dynamodb.table import DynamoTable
from strata.adapters.opensearch.connection import Connection
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.search_index import OpenSearchIndex
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.search_index import SqliteSearchIndex
from strata.adapters.sqlite.table import SqliteTable
from strata.domain.scope import Scope
from strata.local.template.dynamodb import create_table
from strata.ports.bodies import Bodies
from strata.ports.clock import Clock
from strata.ports.language import EmbeddingModel
from strata.ports.search import SearchIndex
from strata.ports.table import Table
from support.clocks import RunningClock
from support.index_documents import DIMENSIONS

OpenTable = Callable[[], AbstractContextManager[Table]]
OpenIndex = Callable[..., AbstractContextManager[SearchIndex]]
"""Takes the name of the model whose vectors are written and looked for."""


def _sqlite_table(request: pytest.FixtureRequest, clock: Clock) -> OpenTable:
    folder: Path = request.getfixturevalue("tmp_path")

    @contextmanager
    def opened() -> Iterator[Table]:
        with closing(SqliteDatabase(folder / "strata.db", wait=60)) as database:
            yield SqliteTable(database, clock)

    return opened


def _dynamodb_table(request: pytest.FixtureRequest, clock: Clock) -> OpenTable:
    return _table_of(request.getfixturevalue("dynamodb_local"), clock, request.getfixturevalue("tmp_path"))


def _moto_table(request: pytest.FixtureRequest, clock: Clock) -> OpenTable:
    test = getattr(request.node, "originalname", request.node.name)
    for unfit, why in NOT_ON_MOTO.items():
        if unfit in request.node.nodeid:
            pytest.skip(f"{test}: moto {why}")
    request.getfixturevalue("moto")
    return _table_of(None, clock, request.getfixturevalue("tmp_path"))


def _table_of(endpoint: str | None, clock: Clock, folder: Path) -> OpenTable:
    name = f"contract-{uuid.uuid4().hex}"
    create_table(dynamodb_client(endpoint), name)

    @contextmanager
    def opened() -> Iterator[Table]:
        bodies = FolderBodies(folder / "bodies")
        yield DynamoTable(dynamodb_client(endpoint), name, clock, patience=60, bodies=bodies)

    return opened


@pytest.fixture
def moto() -> Iterator[None]:
    with mock_aws():
        yield


@contextmanager
def _sqlite_search_index(_: pytest.FixtureRequest, folder: Path, model: str) -> Iterator[SearchIndex]:
    with closing(SqliteDatabase(folder / "strata.db", wait=60)) as database:
        yield SqliteSearchIndex(database, lambda: model)


@contextmanager
def _opensearch_index(request: pytest.FixtureRequest, folder: Path, model: str) -> Iterator[SearchIndex]:
    with closing(Connection(request.getfixturevalue("opensearch"), pause=0)) as connection:
        index = OpenSearchIndex(
            connection,
            lambda: EmbeddingModel(model, DIMENSIONS),
            dialect=Dialect(refresh="true", replicas=0),
            alias=f"{folder.parent.name}-{folder.name}".lower(),  # the parent is named after the worker
            search_seconds=30,
            write_seconds=60,
        )
        index.create()
        request.addfinalizer(index.drop)
        yield index


TABLES: dict[str, Callable[[pytest.FixtureRequest, Clock], OpenTable]] = {
    "sqlite": _sqlite_table,
    "dynamodb": _dynamodb_table,
    "moto": _moto_table,
}

_NO_ISOLATION = "copies and restores whole tables, so that writers lose each other's rows"
_OWN_TYPES = "compares values of two types, which DynamoDB never does"

NOT_ON_MOTO = {
    "test_table_concurrency_contract.py": _NO_ISOLATION,
    "test_of_many_at_once_exactly_as_many_pass": _NO_ISOLATION,
    "test_what_processes_tell_at_the_same_time_adds_up": _NO_ISOLATION,
    "[moto-Equals(name='flag', value=1)-": _OWN_TYPES,
    "[moto-AtMost(name='text', value=5)-": _OWN_TYPES,
}

INDEXES: dict[str, Callable[[pytest.FixtureRequest, Path, str], AbstractContextManager[SearchIndex]]] = {
    "sqlite": _sqlite_search_index,
    "opensearch": _opensearch_index,
}


def _folder_of_bodies(request: pytest.FixtureRequest) -> Bodies:
    return FolderBodies(request.getfixturevalue("tmp_path") / "new" / "bodies")


def _moto_bucket(request: pytest.FixtureRequest) -> Bodies:
    request.getfixturevalue("moto")
    environment: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    for name, value in CREDENTIALS.items():
        environment.setenv(name, value)
    client = s3_client(region=REGION)
    client.create_bucket(Bucket="bodies", CreateBucketConfiguration={"LocationConstraint": REGION})
    return S3Bodies("bodies", client=lambda: client)


BODIES: dict[str, Callable[[pytest.FixtureRequest], Bodies]] = {
    "folder": _folder_of_bodies,
    "s3": _moto_bucket,
}


@pytest.fixture(params=sorted(BODIES))
def bodies(request: pytest.FixtureRequest) -> Bodies:
    return BODIES[request.param](request)


@pytest.fixture
def clock() -> RunningClock:
    return RunningClock()


@pytest.fixture(params=sorted(TABLES))
def open_table(request: pytest.FixtureRequest, clock: RunningClock) -> OpenTable:
    """Opens one and the same store again, as another process would."""
    return TABLES[request.param](request, clock)


@pytest.fixture
def table(open_table: OpenTable) -> Iterator[Table]:
    with open_table() as opened:
        yield opened


@pytest.fixture(params=sorted(INDEXES))
def open_index(request: pytest.FixtureRequest, tmp_path: Path) -> OpenIndex:
    """Opens one and the same index again, as another process would."""
    return lambda model="one": INDEXES[request.param](request, tmp_path, model)


@pytest.fixture
def index(open_index: OpenIndex) -> Iterator[SearchIndex]:
    with open_index() as opened:
        yield opened


@pytest.fixture
def scope() -> Scope:
    return Scope("acme")


@pytest.fixture
def other_scope() -> Scope:
    """Another tenant, whose name begins like the first one's."""
    return Scope("acme2")
