"""Redrive, verify and reindex over the stores they are made for: SQS, DynamoDB, OpenSearch."""

import random
from collections.abc import Iterator
from typing import cast
from uuid import uuid4

import pytest
from botocore.session import get_session
from moto import mock_aws

from servers.tables import table_settings
from strata.adapters.opensearch.search_index import OpenSearchIndex
from strata.ports.rows import Delete, Update
from strata.ports.search import Document
from strata.services.records.observations import OBSERVATION_PREFIX
from strata.services.records.totals import stats_key
from support.memory import LOCAL, Memory, application, record
from support.random_writes import many_writes
from support.run_size import size


class Moody:
    """An embedder that can't bear some texts."""

    model, dimensions, at_once = "moody", 256, 1_000

    def __init__(self, embedder):
        self._embedder = embedder
        self.bad = "poison"

    def embed_query(self, query):
        return self.embed([query])[0]

    def embed(self, texts, *, soon=False):
        if any(self.bad in text for text in texts):
            raise ValueError("no")
        return self._embedder.embed(texts)


def deliver(memory: Memory) -> dict:
    """Every row and note of the table as one batch of the stream."""
    keys = [*memory.app.stores.census.keys(OBSERVATION_PREFIX), *memory.app.stores.census.keys("CHANGE#")]
    return memory.app.handlers.indexer()(
        {"Records": [record(scope.tenant, key) for scope, key in keys]}, None
    )


def catalog(memory: Memory) -> dict[str, int]:
    return dict(memory.app.stores.index.catalog(LOCAL, "observation"))


@pytest.fixture
def queue_url() -> Iterator[str]:
    with mock_aws():
        client = get_session().create_client("sqs", region_name="eu-central-1")
        yield client.create_queue(QueueName=f"redrive-{uuid4().hex[:8]}")["QueueUrl"]


def test_bad_rows_wait_on_sqs_until_they_can_be_processed(tmp_path, queue_url):
    memory = Memory(application(tmp_path, REDRIVE_QUEUE_URL=queue_url))
    embedder = Moody(memory.app.models.embedder)
    memory.use(embedder=embedder)
    for n in range(30):
        memory.save(f"poison {n}" if n in {3, 17} else f"fact {n}")
    assert deliver(memory) == {"batchItemFailures": []}
    assert memory.app.queues.redrive.depth() == 4  # two rows and their notes
    stays = memory.app.repair.redriver.redrive()
    assert (stays.messages, stays.stayed) == (0, 4)
    embedder.bad = "nothing"
    done = memory.app.repair.redriver.redrive()
    assert (done.messages, done.is_whole) == (4, True)
    assert memory.app.queues.redrive.depth() == 0
    assert memory.app.repair.verifier.verify().differences == 0
    memory.app.close()


def test_on_dynamodb_every_kind_of_damage_is_found_and_mended(tmp_path, dynamodb_local, dynamodb_table):
    where = table_settings(dynamodb_local, dynamodb_table)
    app = application(tmp_path, **where)
    memory = Memory(app)
    saved = [memory.save(f"fact {n}", project=f"p{n % 2}").id for n in range(25)]
    assert app.repair.verifier.verify().pending == 25
    assert deliver(memory) == {"batchItemFailures": []}
    whole = app.repair.verifier.verify()
    assert (whole.differences, whole.rows, whole.documents, whole.pending) == (0, 25, 25, 0)
    app.stores.index.write(LOCAL, [Document("7", "observation", "", "of nobody")], [str(saved[0])])
    app.stores.index.write(LOCAL, [Document(str(saved[1]), "observation", "", "old words", version=1)])
    app.stores.table.update(LOCAL, Update(stats_key("p0"), add={"observations": 5}))
    app.stores.table.transact(LOCAL, [Delete(stats_key("p1"))])
    found = app.repair.verifier.verify()
    assert (found.missing, found.stale, found.orphans, found.wrong_totals) == (1, 1, 1, 2)
    assert app.repair.verifier.verify(repair=True).left == 0
    assert app.repair.verifier.verify().differences == 0
    assert app.stream.totals.stats(LOCAL, None).total_observations == 25
    app.close()


@pytest.fixture
def searched(tmp_path, opensearch) -> Iterator[Memory]:
    """Thirty observations in a real OpenSearch."""
    app = application(
        tmp_path,
        INDEX="opensearch",
        OPENSEARCH_URL=opensearch,
        OPENSEARCH_ALIAS=f"repair-{uuid4().hex[:8]}",
        OPENSEARCH_REFRESH="true",
        OPENSEARCH_REPLICAS="0",
        OPENSEARCH_TIMEOUT="30",
    )
    memory = Memory(app)
    for n in range(30):
        memory.save(f"fact number {n}", project=f"p{n % 2}")
    memory.follow()
    yield memory
    cast(OpenSearchIndex, app.stores.engine).drop()
    app.close()


def test_on_opensearch_damage_is_found_and_mended(searched):
    app = searched.app
    missing, stale = list(catalog(searched))[:2]
    documents = [Document(key, "observation", "", "old words", version=1) for key in (stale, "7")]
    app.stores.index.write(LOCAL, documents, [missing])
    found = app.repair.verifier.verify()
    assert (found.missing, found.stale, found.orphans, found.differences) == (1, 1, 1, 3)
    assert app.repair.verifier.verify(repair=True).left == 0
    whole = app.repair.verifier.verify()
    assert (whole.differences, whole.rows, whole.documents) == (0, 30, 30)


def test_on_opensearch_a_rebuild_is_switched_to_when_it_is_whole(searched):
    app, before = searched.app, catalog(searched)
    interrupted = app.stores.index.begin_rebuild()
    app.stream.indexer.over(interrupted.index).follow(
        LOCAL, [key for _, key in app.stores.census.keys("OBS#")][:10]
    )
    done = app.repair.reindexer.reindex(resume=True)
    assert (done.indexed, done.kept, done.failed) == (30, 10, 0)
    assert catalog(searched) == before
    again = app.repair.reindexer.reindex()
    assert (again.indexed, again.kept) == (30, 0)
    assert catalog(searched) == before
    assert app.repair.verifier.verify().differences == 0


class Recording:
    """A table that keeps the key of every write, as its stream would."""

    def __init__(self, table):
        self._table = table
        self.written = []

    def __getattr__(self, name):
        return getattr(self._table, name)

    def transact(self, scope, actions):
        self._table.transact(scope, actions)
        self.written += [(scope.tenant, action.key) for action in actions]

    def update(self, scope, update):
        row = self._table.update(scope, update)
        self.written.append((scope.tenant, update.key))
        return row


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_thousands_of_writes_while_the_indexer_stood_still_leave_no_difference(
    searched, dynamodb_local, dynamodb_table, tmp_path
):
    where = table_settings(dynamodb_local, dynamodb_table)
    app = application(tmp_path / "dynamodb", **where)
    searched.app.stores.index.begin_rebuild().finish()
    table = Recording(app.stores.table)
    app = app.with_overrides(index=searched.app.stores.index, table=table)
    chance = random.Random(11)
    live = many_writes(Memory(app), chance, size(2000))
    assert app.repair.verifier.verify().differences == 0
    followed = [each for each in table.written if each[1].sk.startswith(("OBS#", "CHANGE#", "SESSION"))]
    followed += chance.choices(followed, k=300)  # some come twice, and in any order
    chance.shuffle(followed)
    indexer = app.handlers.indexer()
    for start in range(0, len(followed), 100):
        batch = [record(*change) for change in followed[start : start + 100]]
        assert indexer({"Records": batch}, None) == {"batchItemFailures": []}
    after = app.repair.verifier.verify()
    assert (after.differences, after.pending, after.examples) == (0, 0, [])
    assert after.rows == after.documents == len(live)
    assert app.stream.totals.stats(LOCAL, None).total_observations == len(live)
    app.close()
