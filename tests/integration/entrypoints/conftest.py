"""A server that the tests of a module share."""

import pytest

from support.served_api import served


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where a server over a store of its own listens."""
    with served(tmp_path_factory.mktemp("store")) as api:
        yield str(api.base_url).rstrip("/")
