"""One deployment for the whole run: real Lambda processes in containers, over the real stores.

Where Docker can't run these tests are skipped with a sentence that says so; with `CI=true` they fail.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from servers import docker
from servers.forward import forwarded
from servers.lambda_image import image
from servers.tables import dynamodb_client, table_settings
from strata import settings
from strata.bootstrap import Application
from strata.local.template.dynamodb import create_table
from support import lambda_deployment as deployment
from support.lambda_deployment import TABLE, Deployment


@pytest.fixture(scope="session")
def sam() -> None:
    """The SAM CLI, which is installed for deploying alone."""
    _require(deployment.missing())


@pytest.fixture(scope="session")
def built(sam: None) -> Path:
    """The folder into which `sam build` put the layer and the functions."""
    return deployment.build()


@pytest.fixture(scope="session")
def deployed(built: Path, dynamodb_local: str, opensearch: str) -> Iterator[Deployment]:
    """The built template, over an empty table and an empty engine."""
    _require(docker.missing())
    create_table(dynamodb_client(dynamodb_local), TABLE)
    with ExitStack() as stack:
        stack.enter_context(docker.engine())
        stack.enter_context(deployment.images_removed())
        host = docker.bridge()
        reached = [
            f"http://{host}:{stack.enter_context(forwarded(host, urlsplit(url).port or 80))}"
            for url in (dynamodb_local, opensearch)
        ]
        yield Deployment(image(), *reached)


@pytest.fixture(scope="session")
def operator(deployed: Deployment, dynamodb_local: str) -> Application:
    """The same stores, as an operator's command reaches them."""
    chosen = table_settings(dynamodb_local, TABLE)
    return Application(settings.load({f"STRATA_{name}": value for name, value in chosen.items()}))


def _require(missing: str | None) -> None:
    if missing is None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"the functions can't be tried as Lambda runs them: {missing}")
    pytest.skip(f"NOT TESTED as Lambda runs it: {missing}")
