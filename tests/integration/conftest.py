"""The API, in this process and as a real server: every test that asks for `api` runs over both."""

from collections.abc import Iterator

import httpx
import pytest
from ways import WAYS

from support import unique


@pytest.fixture(scope="session", params=sorted(WAYS))
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a store that the whole run shares: tests keep apart by their project."""
    with WAYS[request.param](tmp_path_factory.mktemp("store")) as opened:
        yield opened


@pytest.fixture
def project() -> str:
    """A project of the test's own."""
    return unique("project-")
