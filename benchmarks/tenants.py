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

from benchmarks import engines
from benchmarks.measure import Figure, median, p99
from benchmarks.server import Client, Refused, running
from benchmarks.text import Writer

TENANTS, LARGEST = 50, 1_000
RATE, LOUD_CONNECTIONS = 5, 4
"""Requests a second that a tenant may make; the loud one asks for ten times as many."""
ROUNDS, SEARCHES = 2, 100

LARGE, SMALL = 500_000, 100_000
MANY = 1_000
QUESTIONS, WARM_UP = 200, 20

_PAGE = 250


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

    At `STRATA_BENCH_MEMORIES`, and at a fifth of that.
    """
    if missing := engines.missing_tools():
        return [Figure(f"not measured, {missing}", 0, "")]
    large = int(os.environ.get("STRATA_BENCH_MEMORIES", LARGE))
    medians, figures = {}, []
    for size in (min(SMALL, large // 5), large):
        sizes = {"t0": size // 2} | {f"t{number}": size // 2 // (MANY - 1) for number in range(1, MANY)}
        with _stores(f"large-{size}") as (folder, given):
            keys = _filled(folder, given, sizes, only=["t0"])
            with running(folder, WORKERS="1", **given) as server:
                client = Client(server.url, key=keys["t0"])
                times = [_search(client, each) for each in Writer(7).questions(WARM_UP + QUESTIONS)]
        times = times[WARM_UP:]
        medians[size] = median(times)
        figures += [
            Figure(f"search, {size // 2} of {size} memories, {name}", of(times) * 1000, "ms")
            for name, of in (("median", median), ("p99", p99))
        ]
    small, most = sorted(medians)
    ratio = medians[most] / medians[small]
    return [*figures, Figure(f"search, {most} memories against {small}", ratio, "x", 2)]


@contextmanager
def _stores(name: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Both stores, in a folder that is kept where one is named; the folder and the settings."""
    kept = os.environ.get("STRATA_BENCH_FOLDER")
    with ExitStack() as stack:
        place = kept or stack.enter_context(tempfile.TemporaryDirectory(prefix="strata-bench-"))
        folder = Path(place, name)
        folder.mkdir(parents=True, exist_ok=True)
        given = dict(stack.enter_context(engines.stores(data=folder if kept else None)))
        patient = {"DYNAMODB_READ": "60", "OPENSEARCH": "30", "OPENSEARCH_WRITE": "300"}
        given |= {f"{name}_TIMEOUT": seconds for name, seconds in patient.items()}
        yield folder, given | {"AUTH": "required"}


def _filled(
    folder: Path, given: dict[str, str], sizes: Mapping[str, int], only: list[str] | None = None
) -> dict[str, str]:
    """Write what is not written yet; a key of each tenant, or of these."""
    from strata import settings
    from strata.bootstrap import Application
    from strata.domain.scope import Scope

    with running(folder, WORKERS="1", **given):
        pass  # makes the table
    noted = folder / "written.json"
    done: dict[str, int] = json.loads(noted.read_text()) if noted.exists() else {}
    named = {"DATA": str(folder)} | given
    app = Application(settings.load({f"STRATA_{name}": value for name, value in named.items()}))
    app.models.embedder.embed(["warm"])
    for tenant, size in sizes.items():
        write = engines.writer(app, Scope(tenant))
        if done.get(tenant, 0) >= size:
            continue
        bodies = list(enumerate(Writer(int(tenant[1:]) + 3).observations("bench", size)))
        pages = [bodies[start : start + _PAGE] for start in range(done.get(tenant, 0), size, _PAGE)]
        for pair in zip(pages[::2], [*pages[1::2], []], strict=False):
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(write, filter(None, pair)))
            done[tenant] = done.get(tenant, 0) + _PAGE * sum(map(bool, pair))
            noted.write_text(json.dumps(done))
    engines.pass_by(app.stores.change_log)
    time.sleep(2)  # the engine's refresh
    keys = app.credentials.keys
    made = {tenant: keys.create(tenant, scopes=["read", "write"]).key for tenant in only or sizes}
    app.close()
    return made


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


def _search(client: Client, question: str) -> float:
    started = time.perf_counter()
    client.get("/search", q=question, project="bench")
    return time.perf_counter() - started
