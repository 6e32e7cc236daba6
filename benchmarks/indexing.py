"""Changes of saves that one indexer follows a second: over SQLite, and over DynamoDB Local and OpenSearch.

All memories are of one project, because the changes of a project cannot be spread over several indexers. They
are saved first; then their stream records go through the indexer's handler, in batches of the size that the
template sets. Fetching the stream is left out: on AWS the event source does that.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.measure import Figure
from benchmarks.server import ROOT
from benchmarks.text import Writer

if TYPE_CHECKING:
    from strata.bootstrap import Application

SAVES, SAVES_REMOTE = 4_000, 1_500
WARM_UP = 200
SAVERS = 4
_TRIES = 10

Records = list[dict[str, Any]]


def run(saves: int = SAVES) -> list[Figure]:
    """Measure over SQLite."""
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder, _application(Path(folder)) as app:
        return _followed(app, "SQLite", saves)


def run_engines(saves: int = SAVES_REMOTE) -> list[Figure]:
    """Measure over the engines, which need Java and Maven, that build them once."""
    from benchmarks.engines import missing_tools, stores

    if missing := missing_tools():
        return [Figure(f"not measured, {missing}", 0, "")]
    from functools import partial

    from strata.local.template.dynamodb import create_table

    with (
        stores() as given,
        tempfile.TemporaryDirectory(prefix="strata-bench-") as folder,
        _application(Path(folder), DYNAMODB_READ_TIMEOUT="60", OPENSEARCH_WRITE_TIMEOUT="60", **given) as app,
    ):
        app.stores.make_table(partial(create_table, template=ROOT / "template.yaml"))
        return _followed(app, "DynamoDB and OpenSearch", saves)


def _followed(app: "Application", name: str, saves: int) -> list[Figure]:
    index, size = app.handlers.indexer(), _batch_size(remote=app.settings.remote)
    for batch in _batches(_saved(app, "warm", WARM_UP), size):
        _delivered(index, batch)
    batches = _batches(_saved(app, "bench", saves), size)
    wall, used = time.perf_counter(), time.process_time()
    for batch in batches:
        _delivered(index, batch)
    wall, used = time.perf_counter() - wall, time.process_time() - used
    return [
        Figure(f"saves that one indexer follows, {name}", saves / wall, "/s", higher_is_better=True),
        Figure(f"processor time of the indexer, a save, {name}", used / saves * 1000, "ms"),
    ]


def _delivered(index: Callable[[Mapping[str, Any], Any], Any], batch: Records) -> None:
    """Deliver a batch, again while a store is not ready, as the event source does."""
    for _ in range(_TRIES):
        if not index({"Records": batch}, None)["batchItemFailures"]:
            return
        time.sleep(1)
    raise AssertionError(f"a batch was refused {_TRIES} times")


def _saved(app: "Application", project: str, count: int) -> Records:
    """Save so many memories; the records of their changes that the indexer takes."""
    from strata.domain.scope import Scope
    from strata.domain.wire.observations import NewObservation
    from strata.local.stream.delivery import Consumer, Stream
    from strata.local.template import declarations
    from strata.local.template.filters import compile_filters

    scope = Scope("local")

    def save(body: dict[str, Any]) -> None:
        app.observations.saver.save(scope, NewObservation(**body))

    with ThreadPoolExecutor(SAVERS if app.settings.remote else 1) as pool:
        list(pool.map(save, Writer(3).observations(project, count)))
    records: Records = []

    def take(event: Mapping[str, Any]) -> None:
        records.extend(event["Records"])

    app.stores.change_log.fetch()
    (source,) = declarations.load().functions["Indexer"].streams
    consumer = Consumer("Indexer", source.table, take, compile_filters(source.patterns))
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        Stream([consumer], lambda: app.stores.change_log, Path(folder) / "state").drain()
    notes = [each for each in records if each["dynamodb"]["Keys"]["sk"]["S"].startswith("CHANGE#")]
    assert len(notes) == count, (len(notes), count)
    return records


def _batches(records: Records, size: int) -> list[Records]:
    return [records[start : start + size] for start in range(0, len(records), size)]


def _batch_size(*, remote: bool) -> int:
    from strata.local.stream.follower import MOST
    from strata.local.template import declarations

    (source,) = declarations.load().functions["Indexer"].streams
    return source.batch_size if remote else min(source.batch_size, MOST)


@contextmanager
def _application(folder: Path, **given: str) -> "Iterator[Application]":
    from strata import settings
    from strata.bootstrap import Application

    named = {"DATA": str(folder), "LOG_LEVEL": "ERROR"} | given
    app = Application(settings.load({f"STRATA_{name}": value for name, value in named.items()}))
    try:
        yield app
    finally:
        app.close()
