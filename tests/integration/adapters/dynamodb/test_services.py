"""The services over DynamoDB, and how the settings choose it."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from servers.tables import dynamodb_client, table_settings
from strata.adapters.clock import SystemClock
from strata.adapters.dynamodb.table import DynamoTable
from strata.bootstrap import Application, Overrides
from strata.domain.wire.observations import NewObservation
from support.memory import LOCAL, application


@pytest.fixture
def table(dynamodb_local: str, dynamodb_table: str) -> DynamoTable:
    return DynamoTable(dynamodb_client(dynamodb_local), dynamodb_table, SystemClock(), patience=60)


@pytest.fixture
def app(table: DynamoTable, tmp_path: Path) -> Iterator[Application]:
    app = application(tmp_path, overrides=Overrides(table=table))
    yield app
    app.close()


def save(app: Application, **fields: Any) -> Any:
    body = {"session_id": "s1", "type": "fact", "title": "t", "content": "c", "project": "p"} | fields
    return app.observations.saver.save(LOCAL, NewObservation.model_validate(body))


def test_of_a_hundred_identical_saves_one_is_created_and_the_others_counted(app: Application) -> None:
    with ThreadPoolExecutor(100) as threads:
        saved = list(threads.map(lambda _: save(app), range(100)))
    assert Counter(each.action for each in saved) == {"created": 1, "deduplicated": 99}
    assert len({each.id for each in saved}) == 1
    assert sorted(each.duplicate_count for each in saved) == list(range(1, 101))
    observation = app.observations.reader.get(LOCAL, saved[0].id)
    assert (observation.duplicate_count, observation.revision_count) == (100, 1)


def test_a_hundred_saves_of_one_topic_revise_one_observation(app: Application) -> None:
    with ThreadPoolExecutor(100) as threads:
        saved = list(threads.map(lambda n: save(app, topic_key="one", content=f"c{n}"), range(100)))
    assert Counter(each.action for each in saved) == {"created": 1, "updated": 99}
    assert len({each.id for each in saved}) == 1
    assert sorted(each.revision_count for each in saved) == list(range(1, 101))
    assert app.observations.reader.get(LOCAL, saved[0].id).revision_count == 100
    recent = app.observations.reader.recent(LOCAL, project="p", kind=None, scope_name=None, limit=10)
    assert [each.id for each in recent] == [saved[0].id]


def test_the_settings_choose_it(
    dynamodb_local: str, dynamodb_table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "anything")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
    app = application(
        tmp_path,
        **table_settings(dynamodb_local, dynamodb_table),
    )
    created = save(app)
    assert app.observations.reader.get(LOCAL, created.id).content == "c"
    assert app.stores.census.tenants() == ["local"]
    assert not (tmp_path / "strata.db").exists()
    app.close()
