"""Search over DynamoDB Local and OpenSearch at two sizes, through the real handler, warm.

The rows and the documents are written straight into both stores: what is measured is searching. Every hit is
confirmed in the table, as always. Needs Java and Maven, which build the servers once.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.measure import Figure, latencies, median
from benchmarks.server import ROOT, Server, running
from benchmarks.text import Writer

if TYPE_CHECKING:
    from strata.bootstrap import Application
    from strata.domain.scope import Scope

Page = Sequence[tuple[int, Mapping[str, Any]]]

SMALL, LARGE = 10_000, 100_000
QUESTIONS, WARM_UP = 200, 40
ROUNDS = 3

_PAGE = 500
_TRIES = 10
_START = 1_767_225_600_000_000


def run(small: int = SMALL, large: int = LARGE) -> list[Figure]:
    """Measure both sizes over the same engines, each in a table and an index of its own, in turns."""
    if missing := missing_tools():
        return [Figure(f"not measured, {missing}", 0, "")]
    searches: dict[int, list[list[float]]] = {small: [], large: []}
    contexts: dict[int, list[list[float]]] = {small: [], large: []}
    with stores() as given, tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        settings = {size: _filled(given, Path(folder, str(size)), size) for size in (small, large)}
        for _ in range(ROUNDS):
            for size, chosen in settings.items():
                with running(
                    Path(folder, str(size)), WORKERS="1", OPENSEARCH_TIMEOUT="30", **chosen
                ) as server:
                    for kept, times in zip((searches, contexts), _ask(server), strict=True):
                        kept[size].append(times)
    figures = []
    for size, goal in ((small, None), (large, 80)):
        figures += latencies(f"search, {size} memories in OpenSearch", _middle(searches[size]), goal)
        figures += latencies(f"context, {size} memories in OpenSearch", _middle(contexts[size]))
    ratio = median(_middle(searches[large])) / median(_middle(searches[small]))
    return [*figures, Figure(f"search, {large} memories against {small}", ratio, "x", 2.5)]


def missing_tools() -> str:
    """The tools that the engines need and this machine lacks, in words; empty if there are all."""
    sys.path.insert(0, str(ROOT / "tests"))
    from servers import java

    return java.missing_tools() or ""


def _middle(rounds: Sequence[list[float]]) -> list[float]:
    """The round with the middle median: what else the machine does comes and goes."""
    return sorted(rounds, key=median)[len(rounds) // 2]


@contextmanager
def stores(heap: str = "1g", data: Path | None = None) -> Iterator[Mapping[str, str]]:
    """Both engines, as settings without `STRATA_`: new and empty, or with what is in a folder."""
    sys.path.insert(0, str(ROOT / "tests"))
    from servers.dynamodb import dynamodb
    from servers.opensearch import opensearch
    from servers.tables import CREDENTIALS

    os.environ.update(CREDENTIALS)
    with ExitStack() as stack:
        yield {
            "STORE": "dynamodb",
            "DYNAMODB_ENDPOINT": stack.enter_context(dynamodb(data=data and data / "dynamodb")),
            "DYNAMODB_REGION": "eu-west-1",
            "TABLE": "strata-bench",
            "INDEX": "opensearch",
            "OPENSEARCH_URL": stack.enter_context(opensearch(heap=heap, data=data and data / "opensearch")),
        }


def _filled(given: Mapping[str, str], folder: Path, size: int) -> dict[str, str]:
    """Settings of a table and an index with so many memories."""
    folder.mkdir()
    settings = {**given, "TABLE": f"strata-bench-{size}", "OPENSEARCH_ALIAS": f"bench-{size}"}
    with running(folder, WORKERS="1", **settings):
        pass  # makes the table
    _load(folder, settings, size)
    return settings


def _ask(server: Server) -> tuple[list[float], list[float]]:
    questions = Writer(7).questions(WARM_UP + 2 * QUESTIONS)
    client = server.client()

    def timed(path: str, name: str, asked: Sequence[str]) -> list[float]:
        times = []
        for question in asked:
            started = time.perf_counter()
            found = client.get(path, **{name: question, "project": "bench"})
            times.append(time.perf_counter() - started)
            assert found, question
        return times

    timed("/search", "q", questions[:WARM_UP])
    searches = timed("/search", "q", questions[WARM_UP : WARM_UP + QUESTIONS])
    contexts = timed("/context", "query", questions[WARM_UP + QUESTIONS :])
    client.close()
    return searches, contexts


def _load(folder: Path, settings: Mapping[str, str], size: int) -> None:
    """Write rows and documents, two pages at a time."""
    from strata import settings as settings_module
    from strata.bootstrap import Application
    from strata.domain.scope import Scope

    given = {"DATA": str(folder), "OPENSEARCH_WRITE_TIMEOUT": "300", "DYNAMODB_READ_TIMEOUT": "60"}
    given |= settings
    app = Application(settings_module.load({f"STRATA_{name}": value for name, value in given.items()}))
    app.models.embedder.embed(["warm"])
    bodies = list(enumerate(Writer(3).observations("bench", size)))
    pages = [bodies[start : start + _PAGE] for start in range(0, size, _PAGE)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(writer(app, Scope("local")), pages))
    pass_by(app.stores.change_log)
    time.sleep(2)  # the engine's refresh
    app.close()


def writer(app: "Application", scope: "Scope", *, rows: bool = True) -> Callable[[Page], None]:
    """Writes a page of a tenant's memories, each with its number, straight into both stores.

    Without `rows`, into the index alone.
    """
    from strata.adapters.dynamodb.rows import item_of
    from strata.domain.errors import Unavailable
    from strata.services.records.kinds import OBSERVATIONS, embedded_text
    from strata.services.records.observations import observation_key

    table = app.settings.dynamodb.table

    def write(page: Page) -> None:
        written = [_row(body, number) for number, body in page]
        documents = [OBSERVATIONS.document(row) for row in written]
        vectors = app.models.embedder.embed([embedded_text(document) for document in documents])
        whole = [
            replace(document, vector=vector, previous=_previous(row))
            for document, row, vector in zip(documents, written, vectors, strict=True)
        ]
        for left in reversed(range(_TRIES)):
            try:
                app.stores.index.write(scope, whole)
                break
            except Unavailable:  # a busy machine's engine, at its first document above all
                if not left:
                    raise
                time.sleep(3)
        for start in range(0, len(written) if rows else 0, 25):
            puts = [
                {"PutRequest": {"Item": item_of(scope, observation_key("bench", row["id"]), row)}}
                for row in written[start : start + 25]
            ]
            unwritten = {table: puts}
            while unwritten:
                unwritten = app.stores.dynamodb.batch_write_item(RequestItems=unwritten)["UnprocessedItems"]

    return write


def pass_by(log: Any) -> None:
    """Have the server take what the stream says of all this for delivered."""
    from strata.local.template import declarations

    seen = -1
    while log.head() != seen:
        seen = log.head()
        log.fetch()
    for function in declarations.load().functions.values():
        if function.streams:
            log.advance(function.name, seen)


def _row(body: Mapping[str, Any], number: int) -> dict[str, Any]:
    from strata.services.observations.rows import observation_row

    now = _START + number
    return observation_row(
        {
            **body,
            "id": now,
            "tags": None,
            "scope": "project",
            "topic_key": None,
            "user_id": None,
            "normalized_hash": "",
            "revision_count": 1,
            "duplicate_count": 1,
            "last_seen_at": now,
            "created_at": now,
            "updated_at": now,
            "write": number,
        }
    )


def _previous(row: Mapping[str, Any]) -> str | None:
    number = row["id"] - _START
    return str(row["id"] - 1) if number % 20 else None
