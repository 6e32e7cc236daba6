"""A fresh store that imports an export of every kind answers every read as the store that it came from.

Content at random of two tenants, two projects, two people and two who refuse. On SQLite, and once over
DynamoDB.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from compatibility.store import Store, opened
from servers.tables import CREDENTIALS, REGION, dynamodb_client
from strata.local.template.dynamodb import create_table
from support.random_store import TENANTS, WRITES, imported, lines, live, reads
from support.run_size import size

LIVES = st.tuples(*[st.lists(WRITES, min_size=15, max_size=30)] * 2)
ROUND_TRIPS = settings(
    max_examples=size(40),
    database=None,
    derandomize=True,
    phases=[Phase.generate],  # an example takes a second or two: shrinking one would take minutes
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)


@contextmanager
def two_stores(*chosen: dict[str, Any]) -> Iterator[list[Store]]:
    with TemporaryDirectory() as folder, ExitStack() as stack:
        yield [
            stack.enter_context(opened(Path(folder) / str(number), **each))
            for number, each in enumerate(chosen)
        ]


def in_order(exported: list[str]) -> list[str]:
    """The rows of an export, in an order that all stores share.

    Whether a mention is confined is left out, with the number of its changes: a copy knows from the beginning
    that an agent is configured, while the source looks it up when somebody reads. `reads` tells that both
    show the same.
    """
    rows = [json.loads(line) for line in exported[1:]]
    for row in rows:
        if row["kind"] == "mention":
            row.pop("confined"), row.pop("related", None)
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def answers_alike(source: Store, copy: Store, lives: Any) -> None:
    for tenant, writes in zip(TENANTS, lives, strict=True):
        live(source, tenant, writes)
    copy.clock.forward((source.clock.now_us() - copy.clock.now_us()) / 1e6)
    source.follow()
    exported = {tenant: lines(source, tenant) for tenant in TENANTS}
    for tenant, (_, *rows) in exported.items():
        imported(copy, tenant, "\n".join(rows))
        again = imported(copy, tenant, "\n".join(reversed(rows)))
        assert again["imported"] == {}, again
    copy.follow()
    for tenant in TENANTS:
        assert in_order(lines(copy, tenant)) == in_order(exported[tenant])
        expected, actual = dict(reads(source, tenant)), dict(reads(copy, tenant))
        different = {
            name: (told, actual.get(name)) for name, told in expected.items() if actual.get(name) != told
        }
        assert different == {}
        assert actual.keys() == expected.keys()


@pytest.mark.slow
@pytest.mark.timeout(1800)
@ROUND_TRIPS
@given(LIVES)
def test_every_read_of_a_copy_is_that_of_its_source(lives: Any) -> None:
    with two_stores({}, {}) as (source, copy):
        answers_alike(source, copy, lives)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@settings(ROUND_TRIPS, max_examples=1)
@given(LIVES)
def test_and_so_it_is_over_dynamodb(dynamodb_local: str, lives: Any) -> None:
    with pytest.MonkeyPatch.context() as environment:
        for name, value in CREDENTIALS.items():
            environment.setenv(name, value)
        chosen = []
        for _ in range(2):
            table = f"copied-{uuid4().hex}"
            create_table(dynamodb_client(dynamodb_local), table)
            where = {
                "DYNAMODB_ENDPOINT": dynamodb_local,
                "DYNAMODB_REGION": REGION,
                "DYNAMODB_READ_TIMEOUT": "60",
            }
            chosen.append({"STORE": "dynamodb", "INDEX": "sqlite", "TABLE": table} | where)
        with two_stores(*chosen) as (source, copy):
            answers_alike(source, copy, lives)
