"""Many tenants of very different size over DynamoDB Local and OpenSearch.

`run`: does a loud tenant slow a quiet one? `run_large`: does a search take longer among many memories? With a
folder in `STRATA_BENCH_FOLDER` both stores are kept there and each page is noted, so a run that was
interrupted goes on. Needs Java and Maven, which build the servers once.
"""

import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from multiprocessing import Queue, get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from threading import Event as Stop
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

from benchmarks import engines
from benchmarks.measure import Figure, median, p99
from benchmarks.server import Client, Refused, running
from benchmarks.text import Writer

if TYPE_CHECKING:
    from strata.bootstrap import Application

TENANTS, LARGEST = 50, 1_000
RATE, LOUD_CONNECTIONS = 5, 4
"""Requests a second that a tenant may make; the loud one asks for ten times as many."""
ROUNDS, SEARCHES = 2, 100

LARGE, SMALL = 500_000, 100_000
MANY = 1_000
QUESTIONS, WARM_UP = 200, 20

_PAGE = 500


def run() -> list[Figure]:
    """Measure a quiet tenant's searches: as usual, beside a loud tenant that is throttled, and not."""
    if missing := engines.missing_tools():
        return [Figure(f"not measured, {missing}", 0, "")]
    sizes = {f"t{number}": max(LARGEST // (number + 1), 20) for number in range(TENANTS)}
    ways = {"usual": (RATE, False), "throttled": (RATE, True), "unlimited": (None, True)}
    times: dict[str, list[float]] = {way: [] for way in ways}
    refused: dict[str, float] = {}
    with _stores("load") as (folder, given):
        keys = _filled(folder, given, sizes)
        for _ in range(ROUNDS):
            for way, (rate, loud) in ways.items():
                limit = {} if rate is None else {"TENANT_REQUESTS": str(rate)}
                with running(folder, WORKERS="2", **given, **limit) as server:
                    found, refused[way] = _quiet(server.url, keys, loud=loud)
                    times[way] += found
    figures = [
        Figure(f"quiet tenant's search, {way}, {name}", of(found) * 1000, "ms")
        for way, found in times.items()
        for name, of in (("median", median), ("p99", p99))
    ]
    usual = p99(times["usual"])
    note = f"{refused['throttled']:.0%} of the loud tenant's requests were refused"
    return [
        *figures,
        Figure("quiet p99, loud one throttled, of usual", p99(times["throttled"]) / usual, "x", 2, note=note),
        Figure("quiet p99, loud one without a limit, of usual", p99(times["unlimited"]) / usual, "x"),
    ]


def run_large() -> list[Figure]:
    """Measure searches of one tenant of half of all memories, among a thousand tenants.

    At `STRATA_BENCH_MEMORIES` and at a fifth of that, over the same two engines and in turns.
    """
    if missing := engines.missing_tools():
        return [Figure(f"not measured, {missing}", 0, "")]
    large = int(os.environ.get("STRATA_BENCH_MEMORIES", LARGE))
    small = min(SMALL, large // 5)
    asking: dict[int, tuple[str, str]] = {}
    times: dict[int, list[float]] = {small: [], large: []}
    with _stores("large", heap="2g") as (folder, given), ExitStack() as servers:
        stores = {
            size: given | {"TABLE": f"strata-bench-{name}", "OPENSEARCH_ALIAS": f"bench-{name}"}
            for name, size in (("small", small), ("large", large))
        }
        keys: dict[int, str] = {}
        for size, chosen in stores.items():
            sizes = {"t0": size // 2} | {f"t{number}": size // 2 // (MANY - 1) for number in range(1, MANY)}
            keys[size] = _filled(folder / chosen["TABLE"], chosen, sizes, only=["t0"])["t0"]
        for size, chosen in stores.items():
            server = servers.enter_context(running(folder / chosen["TABLE"], WORKERS="1", **chosen))
            asking[size] = (server.url, keys[size])
            _from_the_index(*asking[size])
        questions = Writer(7).questions(WARM_UP + QUESTIONS)
        for start in range(0, len(questions), WARM_UP):
            for size, (url, key) in asking.items():
                client = Client(url, key=key)  # anew: the server hangs up on an idle one
                found = [_search(client, each) for each in questions[start : start + WARM_UP]]
                client.close()
                times[size] += found if start else []
    figures = [
        Figure(f"search, {size // 2} of {size} memories, {name}", of(found) * 1000, "ms")
        for size, found in times.items()
        for name, of in (("median", median), ("p99", p99))
    ]
    ratio = median(times[large]) / median(times[small])
    return [*figures, Figure(f"search, {large} memories against {small}", ratio, "x", 2)]


@contextmanager
def _stores(name: str, heap: str = "1g") -> Iterator[tuple[Path, dict[str, str]]]:
    """Both stores, in a folder that is kept where one is named; the folder and the settings."""
    kept = os.environ.get("STRATA_BENCH_FOLDER")
    with ExitStack() as stack:
        place = kept or stack.enter_context(tempfile.TemporaryDirectory(prefix="strata-bench-"))
        folder = Path(place, name)
        folder.mkdir(parents=True, exist_ok=True)
        given = dict(stack.enter_context(engines.stores(heap, data=folder if kept else None)))
        patient = {"DYNAMODB_READ": "60", "OPENSEARCH": "30", "OPENSEARCH_WRITE": "300"}
        given |= {f"{name}_TIMEOUT": seconds for name, seconds in patient.items()}
        yield folder, given | {"AUTH": "required"}


def _filled(
    folder: Path, given: dict[str, str], sizes: Mapping[str, int], only: list[str] | None = None
) -> dict[str, str]:
    """Write what is not written yet; a key of each tenant.

    With `only`, keys of these alone, rows in the table of these alone, and as fast as both stores can.
    """
    from strata import settings
    from strata.bootstrap import Application
    from strata.domain.scope import Scope

    folder.mkdir(exist_ok=True)
    noted = folder / "written.json"
    done: dict[str, int] = json.loads(noted.read_text()) if noted.exists() else {}
    if not done:
        with running(folder, WORKERS="1", **given):
            pass  # makes the table
    named = {"DATA": str(folder)} | given
    app = Application(settings.load({f"STRATA_{name}": value for name, value in named.items()}))
    app.models.embedder.embed(["warm"])
    left = {tenant: size for tenant, size in sizes.items() if done.get(tenant, 0) < size}
    if left and only:
        first = list(enumerate(Writer(3).observations("bench", 1)))
        engines.writer(app, Scope(only[0]), rows=False)(first)  # makes the index
        _follow(app, now=False)
    for pair in _in_pairs(left, done):
        with ThreadPoolExecutor(2) as pool:
            writing = [
                pool.submit(engines.writer(app, Scope(tenant), rows=not only or tenant in only), page)
                for tenant, page in pair
            ]
        for each in writing:
            each.result()
        for tenant, page in pair:
            done[tenant] = done.get(tenant, 0) + len(page)
        noted.write_text(json.dumps(done))
    if left and only:
        _follow(app, now=True)
    engines.pass_by(app.stores.change_log)
    time.sleep(2)  # the engine's refresh
    keys = app.credentials.keys
    made = {tenant: keys.create(tenant, scopes=["read", "write"]).key for tenant in only or sizes}
    app.close()
    return made


def _in_pairs(left: Mapping[str, int], done: Mapping[str, int]) -> Iterator[list[tuple[str, engines.Page]]]:
    """Two pages at a time of what tenants lack, each with its tenant."""
    pair: list[tuple[str, engines.Page]] = []
    for tenant, size in left.items():
        bodies = list(enumerate(Writer(int(tenant[1:]) + 3).observations("bench", size)))
        for start in range(done.get(tenant, 0), size, _PAGE):
            pair.append((tenant, bodies[start : start + _PAGE]))
            if len(pair) == 2:
                yield pair
                pair = []
    yield pair


def _follow(app: "Application", *, now: bool) -> None:
    """Have the table write its stream and the engine refresh, or neither while much is written."""
    client, table = app.stores.dynamodb, app.settings.dynamodb.table
    stream: dict[str, object] = {"StreamEnabled": now} | ({"StreamViewType": "KEYS_ONLY"} if now else {})
    if now != client.describe_table(TableName=table)["Table"].get("StreamSpecification", {}).get(
        "StreamEnabled", False
    ):
        client.update_table(TableName=table, StreamSpecification=stream)
    # what is not flushed is read again by an engine that was interrupted, for minutes
    kept = {"refresh_interval": "1s" if now else "-1", "translog.flush_threshold_size": "64mb"}
    _engine(app, "PUT", "_settings", {"index": kept})
    if now:
        _engine(app, "POST", "_refresh")
        while _engine(app, "GET", "_stats/merge")["_all"]["total"]["merges"]["current"]:
            time.sleep(2)


def _engine(app: "Application", method: str, path: str, body: object = None) -> Any:
    place = app.settings.opensearch
    request = Request(
        f"{place.url}/{place.alias}/{path}",
        None if body is None else json.dumps(body).encode(),
        {"Content-Type": "application/json"},
        method=method,
    )
    with urlopen(request, timeout=600) as answer:
        return json.load(answer)


def _quiet(url: str, keys: Mapping[str, str], *, loud: bool) -> tuple[list[float], float]:
    """Seconds of the quiet tenant's searches, and which share of the loud one's requests was refused."""
    tenants = list(keys)
    quiet, questions = Client(url, key=keys[tenants[-1]]), Writer(11).questions(SEARCHES + WARM_UP)
    stop = Stop()

    def ask_for_others() -> None:
        for number, question in enumerate(Writer(12).questions(10_000)):
            if stop.wait(0.2):
                return
            # a connection of each: the server hangs up on an idle one
            client = Client(url, key=keys[tenants[1 + number % (len(tenants) - 2)]])
            _search(client, question)
            client.close()

    busy = Thread(target=ask_for_others)
    busy.start()
    with _loud(url, keys[tenants[0]]) if loud else nullcontext([0, 1]) as counts:
        for question in questions[:WARM_UP]:
            time.sleep(1.2 / RATE)
            _search(quiet, question)
        times = []
        for question in questions[WARM_UP:]:
            time.sleep(1.5 / RATE)  # well below the quiet tenant's own rate
            times.append(_search(quiet, question))
    stop.set()
    busy.join()
    return times, counts[0] / max(counts[1], 1)


@contextmanager
def _loud(url: str, key: str) -> Iterator[list[int]]:
    """Processes that ask for ten times the rate; at the end, how many requests were refused and made."""
    context = get_context("spawn")
    stop, results, counts = context.Event(), context.Queue(), [0, 0]
    asking = [
        context.Process(target=_ask_loudly, args=(url, key, number, stop, results))
        for number in range(LOUD_CONNECTIONS)
    ]
    for each in asking:
        each.start()
    time.sleep(2)
    yield counts
    stop.set()
    for each in asking:
        for place, count in enumerate(results.get(timeout=60)):
            counts[place] += count
        each.join()


def _ask_loudly(url: str, key: str, number: int, stop: Event, results: "Queue[tuple[int, int]]") -> None:
    client, pause = Client(url, key=key), LOUD_CONNECTIONS / (10 * RATE)
    refused = asked = 0
    for question in Writer(20 + number).questions(20_000):
        due = time.perf_counter() + pause
        asked += 1
        try:
            client.get("/search", q=question, project="bench")
        except Refused as error:
            refused += " 429 " in f" {error} "
        if stop.wait(max(0.0, due - time.perf_counter())):
            break
    results.put((refused, asked))


def _from_the_index(url: str, key: str) -> None:
    request = Request(f"{url}/search?q=morning&project=bench", headers={"Authorization": f"Bearer {key}"})
    with urlopen(request, timeout=60) as answer:
        assert "Strata-Degraded" not in answer.headers, answer.headers["Strata-Degraded"]


def _search(client: Client, question: str) -> float:
    started = time.perf_counter()
    client.get("/search", q=question, project="bench")
    return time.perf_counter() - started
