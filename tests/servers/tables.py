"""Clients of the DynamoDB that tests run against."""

import os
from functools import cache
from typing import Any

from strata.adapters.dynamodb.client import make_client

CREDENTIALS = {"AWS_ACCESS_KEY_ID": "anything", "AWS_SECRET_ACCESS_KEY": "anything"}
REGION = "eu-west-1"

# from the start of a process on: set within a test that sets them too, they would end with it
for _name, _value in CREDENTIALS.items():
    os.environ.setdefault(_name, _value)


def dynamodb_client(endpoint: str | None) -> Any:
    """This process's client of DynamoDB Local or (without an endpoint) of moto, of more patience than usual.

    A hundred callers at once on a busy machine are no outage.
    """
    return _client(endpoint, os.getpid())


def table_settings(endpoint: str, name: str) -> dict[str, Any]:
    """The settings, without `STRATA_`, of a table of DynamoDB Local.

    They are patient: on a busy machine a slow answer is no outage.
    """
    return {
        "STORE": "dynamodb",
        "TABLE": name,
        "DYNAMODB_ENDPOINT": endpoint,
        "DYNAMODB_REGION": REGION,
        "DYNAMODB_CONNECT_TIMEOUT": "20",
        "DYNAMODB_READ_TIMEOUT": "60",
        "DYNAMODB_PATIENCE": "60",
    }


@cache
def _client(endpoint: str | None, _process: int) -> Any:
    client = make_client(
        endpoint=endpoint, region=REGION, connections=100, connect_timeout=10, read_timeout=60
    )
    client.meta.events.register("needs-retry.dynamodb", _locked)
    return client


def _locked(response: Any, attempts: int, **_: Any) -> float | None:
    """Send again what DynamoDB Local gave up for a lock of its own, after so many seconds."""
    if response is None or attempts > 20:
        return None
    return 0.1 if "waiting for a lock" in response[1].get("Error", {}).get("Message", "") else None
