"""Reindex and verify, shared by processes over DynamoDB and OpenSearch, come to what one process comes to."""

from collections.abc import Iterator
from typing import cast
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from servers.tables import dynamodb_client, table_settings
from strata.adapters.dynamodb.census import DynamoCensus
from strata.adapters.opensearch.search_index import OpenSearchIndex
from strata.bootstrap import Application
from strata.bootstrap import application as application_of_commands
from strata.bootstrap.workers import worker_processes
from strata.cli.app import app as commands
from strata.domain.scope import Scope
from strata.ports.rows import Update
from strata.ports.search import Document
from strata.services.records.totals import stats_key
from support.memory import LOCAL, Memory, application

OTHER = Scope("other")
SAVED = 12
"""By each of two tenants, half in each of two projects."""


@pytest.fixture
def given(tmp_path, dynamodb_local, dynamodb_table, opensearch) -> dict[str, str]:
    """The settings, without `STRATA_`, of an empty table and an engine."""
    return table_settings(dynamodb_local, dynamodb_table) | {
        "INDEX": "opensearch",
        "OPENSEARCH_URL": opensearch,
        "OPENSEARCH_ALIAS": f"workers-{uuid4().hex[:8]}",
        "OPENSEARCH_REFRESH": "true",
        "OPENSEARCH_REPLICAS": "0",
        "OPENSEARCH_TIMEOUT": "30",
        "OPENSEARCH_WRITE_TIMEOUT": "300",
        "OPENSEARCH_PAUSE": "0",
    }


@pytest.fixture
def app(tmp_path, given) -> Iterator[Application]:
    """Two tenants' memories in both stores."""
    app = application(tmp_path, **given)
    for memory in (Memory(app), Memory(app, OTHER)):
        for n in range(SAVED):
            memory.save(f"fact number {n} of {memory.scope.tenant}", project=f"p{n % 2}")
    app.stores.change_log.fetch()
    Memory(app).follow()
    yield app
    cast(OpenSearchIndex, app.stores.engine).drop()
    app.close()


def catalogs(app: Application) -> dict[str, dict[str, int]]:
    return {scope.tenant: dict(app.stores.index.catalog(scope, "observation")) for scope in (LOCAL, OTHER)}


@pytest.mark.timeout(600)
def test_processes_find_and_mend_what_one_process_would(app):
    before = catalogs(app)
    missing, stale = list(before["local"])[:2]
    app.stores.index.write(LOCAL, [Document("7", "observation", "", "of nobody")], [missing])
    app.stores.index.write(LOCAL, [Document(stale, "observation", "", "old words", version=1)])
    gone = next(iter(before["other"]))
    app.stores.index.write(OTHER, [], [gone])
    app.stores.table.update(OTHER, Update(stats_key("p0"), add={"observations": 5}))
    alone = app.repair.verifier.verify()
    told: list[tuple[str, int, int]] = []
    with worker_processes(app.settings, 2, lambda *each: told.append(each)) as workers:
        found = app.repair.verifier.verify(workers=workers)
        mended = app.repair.verifier.verify(repair=True, workers=workers)
        after = catalogs(app)
        done = app.repair.reindexer.reindex(workers=workers)

    assert (found.missing, found.stale, found.orphans, found.wrong_totals) == (2, 1, 1, 1)
    assert (found.rows, found.documents) == (alone.rows, alone.documents)
    assert found.differences == alone.differences == mended.repaired
    assert after == before
    assert (done.indexed, done.kept, done.failed) == (2 * SAVED, 0, 0)
    assert {what for what, _, _ in told} == {
        "rows",
        "documents",
        "totals",
        "indexing",
        "comparing",
        "orphans",
    }
    assert catalogs(app) == before
    assert app.repair.verifier.verify().differences == 0


def test_every_row_is_in_one_segment(app, given):
    client, name = dynamodb_client(given["DYNAMODB_ENDPOINT"]), given["TABLE"]
    everything = list(DynamoCensus(client, name).keys("OBS#"))
    segments = [list(DynamoCensus(client, name, segment=(number, 3)).keys("OBS#")) for number in range(3)]
    assert len(everything) == sum(map(len, segments)) == 2 * SAVED
    assert {key for segment in segments for key in segment} == set(everything)


def test_on_one_machine_one_process_does_the_work(tmp_path, monkeypatch):
    monkeypatch.setenv("STRATA_DATA", str(tmp_path))
    application_of_commands.cache_clear()
    for command in ("reindex", "verify"):
        done = CliRunner().invoke(commands, [command, "--workers", "2"])
        assert done.exit_code == 1
        assert "--workers needs STRATA_STORE=dynamodb and STRATA_INDEX=opensearch" in done.output
    application_of_commands.cache_clear()
