"""A server that the tests of a module share."""

import pytest

from support.served_api import served


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a server over a store of its own."""
    with served(tmp_path_factory.mktemp("store")) as api:
        yield str(api.base_url).rstrip("/")
