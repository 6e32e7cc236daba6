"""The servers that other tests lean on are the real ones, and bind the loopback only."""

import json
import socket
import urllib.request
from urllib.parse import urlsplit

import pytest


@pytest.fixture(params=["dynamodb_local", "opensearch"])
def url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


def test_a_server_is_reached_through_the_loopback_only(url: str) -> None:
    port = urlsplit(url).port
    assert port is not None
    socket.create_connection(("127.0.0.1", port), timeout=5).close()
    for outside in {str(address[4][0]) for address in socket.getaddrinfo(socket.gethostname(), port)}:
        if not outside.startswith("127."):
            with pytest.raises(OSError, match="refused"):
                socket.create_connection((outside, port), timeout=5)


def test_opensearch_is_the_version_that_is_promised_with_its_plugin(opensearch: str) -> None:
    with urllib.request.urlopen(opensearch, timeout=5) as answer:
        assert json.load(answer)["version"]["number"].startswith("2.19.")
    with urllib.request.urlopen(f"{opensearch}/_cat/plugins?h=component", timeout=5) as answer:
        assert b"opensearch-knn" in answer.read()
