"""The cost of a million calls on AWS: counted units times list prices. `python -m benchmarks.cost`

The request units are counted on DynamoDB Local, which reports what each call consumes, with memories of some
200 characters; where it reports less than DynamoDB's rules say, the rules count. Durations, bytes and list
prices of the rest are constants here, each with what it stands for. It needs Java and Maven, which build
DynamoDB Local once.
"""

import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.server import ROOT
from benchmarks.text import Writer

PRICES_OF = "us-east-1, November 2026"
WRITE_UNIT, READ_UNIT = 0.625e-6, 0.125e-6  # DynamoDB on demand
STORED_GB = 0.25  # DynamoDB, a month
API_CALL = 1.00e-6  # HTTP API
INVOCATION, GB_SECOND = 0.20e-6, 0.0000166667  # Lambda, x86
LOGGED_GB = 0.50  # CloudWatch Logs
HOUR = {"t3.small.search": 0.036, "r7g.large.search": 0.167, "serverless OCU": 0.24}
HOSTED_EVENT, HOSTED_RETRIEVAL = 0.25e-3, 0.50e-3

HOURS = 730
"""Of a month."""

MEMORY_GB = 1.0
"""Of every function."""

SECONDS = {"save": 0.020, "index": 0.025, "search": 0.045, "context": 0.050, "conclusions": 0.050}
"""Of billed time: the warm handler on this machine, with some 5 ms for each round trip to DynamoDB. For the
indexer the share of one save in a batch of ten."""

BATCH = 10
"""Saves that one invocation of the indexer takes, where saves come steadily."""

LOGGED_BYTES = 900
"""Of a call: the access log and one line of metrics."""

STORED_BYTES = 3_000
"""Of a memory: its row, pointer, guards, and the copies in the secondary indexes."""

INDEX_WRITES = 2.5
"""Write units of what follows a save, by DynamoDB's rules: the note's deletion and that of its copy in an
index, 1 each; a batch's totals, written twice, and the row that names its notes, 2 each, and 1 for that row's
copy. DynamoDB Local reports fewer."""

NAMES = "Rosa", "Tom", "Ines", "Paul"

SAMPLE = 40
"""Calls that are counted."""

BEFORE, AFTER = 100, 100_000
"""Indexed saves before and after which searches are counted."""

BACKLOG = 1_100
"""Saves that are not indexed: more than a search reads from the table."""


@dataclass(frozen=True, slots=True)
class Units:
    """The capacity that one call consumes of DynamoDB."""

    reads: float
    writes: float


@dataclass(frozen=True, slots=True)
class Example:
    """A month of one deployment, and the engine that it needs."""

    name: str
    saves: int
    searches: int
    engine: str
    nodes: int


EXAMPLES = (
    Example("small", 10_000, 50_000, "t3.small.search", 1),
    Example("large", 10_000_000, 50_000_000, "r7g.large.search", 2),
)


def main() -> None:
    """Print units, the price of a million calls, and both examples."""
    units, reads = counted()
    print(f"List prices: {PRICES_OF}\n")
    for name, each in units.items():
        print(f"{name:8} {each.writes:5.1f} write units {each.reads:5.1f} read units")
    for when, count in reads.items():
        print(f"search   {count:23.1f} read units {when}")
    print()
    for name in units:
        parts = per_million(name, units[name])
        print(f"a million of {name:8}" + "".join(f"  {part} ${price:.2f}" for part, price in parts.items()))
        print(f"{'':21}  together ${sum(parts.values()):.2f}")
    print()
    for example in EXAMPLES:
        bill = monthly(example, units)
        hosted = example.saves * HOSTED_EVENT + example.searches * HOSTED_RETRIEVAL
        print(f"{example.name}: {example.saves} saves, {example.searches} searches a month")
        print("".join(f"  {part} ${price:,.2f}\n" for part, price in bill.items()), end="")
        print(f"  together ${sum(bill.values()):,.2f}; a hosted service ${hosted:,.2f}\n")


def per_million(name: str, units: Units) -> dict[str, float]:
    """Dollars for a million calls of one kind; indexing a save is a kind of its own, without a request."""
    asked = name not in {"index", "conclusions"}
    invocations = 1 / BATCH if name == "index" else 1
    return {
        "DynamoDB": 1e6 * (units.writes * WRITE_UNIT + units.reads * READ_UNIT),
        "API": 1e6 * API_CALL * asked,
        "Lambda": 1e6 * (invocations * INVOCATION + SECONDS[name] * MEMORY_GB * GB_SECOND),
        "logs": 1e6 * LOGGED_BYTES * invocations / 1e9 * LOGGED_GB,
    }


def monthly(example: Example, units: Mapping[str, Units]) -> dict[str, float]:
    """Dollars for the first month of an example, by what they are paid for."""
    saves = Counter(per_million("save", units["save"]))
    saves.update(per_million("index", units["index"]))
    searches = per_million("search", units["search"])
    bill = {
        part: (example.saves * saves[part] + example.searches * searches[part]) / 1e6 for part in searches
    }
    bill["storage"] = example.saves * STORED_BYTES / 1e9 * STORED_GB
    bill[f"OpenSearch, {example.nodes} x {example.engine}"] = example.nodes * HOUR[example.engine] * HOURS
    return bill


def counted() -> tuple[dict[str, Units], dict[str, float]]:
    """Units of each kind of call, and read units of searches of stores that grow; means of `SAMPLE` calls."""
    sys.path.insert(0, str(ROOT / "tests"))
    from servers.dynamodb import dynamodb
    from servers.tables import CREDENTIALS
    from strata.domain.scope import Scope
    from strata.domain.wire.observations import NewObservation
    from strata.ports.rows import Key
    from strata.services.search.filters import ObservationFilter

    os.environ.update(CREDENTIALS)
    scope = Scope("local")
    writer = Writer(11)
    bodies = writer.observations("cost", SAMPLE)
    questions = writer.questions(2 * SAMPLE)
    with dynamodb() as url, _application(url) as (app, meter):

        def index() -> None:
            log, position = app.stores.change_log, 0
            changed: dict[tuple[str, Key], None] = {}
            while len(changed) < 2 * SAMPLE:  # each save's row and note; the stream comes by and by
                log.fetch()
                for change in log.read(position, 1000):
                    position = change.sequence
                    if change.key.sk.startswith(("OBS#", "CHANGE#")):
                        changed[change.tenant, change.key] = None
            records = [_record(tenant, key) for tenant, key in changed]
            meter.start()  # reading the stream is not charged to a function
            handler = app.handlers.indexer()
            for start in range(0, len(records), 2 * BATCH):
                answer = handler({"Records": records[start : start + 2 * BATCH]}, None)
                assert not answer["batchItemFailures"]

        def each(calls: Sequence[Callable[[], object]]) -> Callable[[], None]:
            def run() -> None:
                for call in calls:
                    call()

            return run

        saves = [lambda b=body: app.observations.saver.save(scope, NewObservation(**b)) for body in bodies]
        wanted = ObservationFilter(project="cost")
        searches = [
            lambda q=q: app.search.observations.search(scope, q, wanted, limit=10) for q in questions[:SAMPLE]
        ]
        contexts = [
            lambda q=q: app.context.plain.assemble(scope, project="cost", scope_name=None, query=q, limit=5)
            for q in questions[SAMPLE:]
        ]
        work = {"save": each(saves), "index": index, "search": each(searches), "context": each(contexts)}
        units = {}
        for name, calls in work.items():
            units[name] = meter.of(calls)
            if name == "index":
                units[name] = Units(units[name].reads, max(units[name].writes, INDEX_WRITES))
                time.sleep(4)  # until no note is left that a search would follow
        units["conclusions"] = meter.of(each(ended(app, scope)))
        return units, {when: meter.of(each(searches)).reads for when in grown(app, scope)}


def ended(app: Any, scope: Any) -> list[Callable[[], None]]:
    """End sessions of one person, a day each; the consolidation of each, by rules."""
    from strata.domain.wire.sessions import NewSession, SessionEnd

    runs: list[Callable[[], None]] = []
    for number in range(SAMPLE):
        name = f"day-{number}"
        said = [
            f"I use Python for report {number}.",
            "I live in Lisbon.",
            f"Today I met {NAMES[number % 4]}.",
        ]
        app.sessions.catalog.start(scope, NewSession(id=name, project="cost", user_id="ann"))
        messages = [{"role": "user", "content": text} for text in said]
        app.sessions.ender.end(scope, name, SessionEnd.model_validate({"messages": messages}))
        runs.append(partial(app.knowledge.dreamer.run, scope, name))
    return runs


def grown(app: Any, scope: Any) -> Iterator[str]:
    """Let the project grow, and name each state that it is in."""
    from strata.domain.ids import IdSource
    from strata.ports.rows import Action, Put
    from strata.ports.table import Query
    from strata.services.observations.rows import insertion, observation_row
    from strata.services.records.change_notes import change_notes
    from strata.services.records.kinds import OBSERVATIONS
    from strata.services.search.change_notes import ChangeNotes
    from strata.services.table.pages import every_row
    from support.clocks import HandClock

    past = HandClock(app.clock.now_us() - 3_600_000_000)
    table, project, ids = app.stores.table, "cost", IdSource()

    def leave_applied(saves: int) -> None:
        """Write the rows that indexing so many saves leaves until DynamoDB expires them."""
        notes = ChangeNotes(table, past, app.stores.parallel, refresh_seconds=2)
        rows = []
        for start in range(0, saves, BATCH):
            numbers = [ids.next(past.now_us()) for _ in range(start, start + BATCH)]
            keys = [OBSERVATIONS.change_note_key(project, number, number) for number in numbers]
            rows += [action for action in notes.removals(keys) if isinstance(action, Put)]
        for start in range(0, len(rows), 100):
            table.transact(scope, rows[start : start + 100])
        left = Query(OBSERVATIONS.partition(project), prefix="APPLIED#", limit=1000, expired=True)
        assert sum(1 for _ in every_row(table, scope, left)) >= len(rows), "they expired too soon"

    def save_unindexed(saves: int) -> None:
        """Write observations as saves do, 20 a transaction."""
        texts = Writer(13).observations(project, saves)
        for start in range(0, saves, 20):
            actions: list[Action] = []
            for body in texts[start : start + 20]:
                now = ids.next(app.clock.now_us())
                times = dict.fromkeys(("id", "created_at", "updated_at", "last_seen_at"), now)
                given = {"topic_key": None, "user_id": None, "scope": "project", "normalized_hash": str(now)}
                row = observation_row(given | body | times)
                actions += insertion(row, window_us=0, content_free=None, noted_at=now).values()
                actions += change_notes(OBSERVATIONS, row, now)
            table.transact(scope, actions)

    leave_applied(BEFORE)
    yield f"after {BEFORE} indexed saves"
    leave_applied(AFTER - BEFORE)
    yield f"after {AFTER} indexed saves"
    save_unindexed(BACKLOG)
    yield f"with {BACKLOG} saves that are not indexed"


class Meter:
    """Adds up what DynamoDB says that calls have consumed."""

    def __init__(self, client: Any) -> None:
        self._lock = threading.Lock()
        self.start()
        events = client.meta.events
        events.register("provide-client-params.dynamodb.*", self._ask)
        events.register("after-call.dynamodb.*", self._add)

    def start(self) -> None:
        """Count from nothing."""
        self._reads = self._writes = 0.0

    def of(self, work: Callable[[], None]) -> Units:
        """The consumption of one of `SAMPLE` calls."""
        self.start()
        work()
        return Units(self._reads / SAMPLE, self._writes / SAMPLE)

    def _ask(self, params: dict[str, Any], model: Any, **_: Any) -> dict[str, Any]:
        if "ReturnConsumedCapacity" in model.input_shape.members:
            return {**params, "ReturnConsumedCapacity": "TOTAL"}
        return params

    def _add(self, parsed: dict[str, Any], model: Any, **_: Any) -> None:
        consumed = parsed.get("ConsumedCapacity") or []
        for each in consumed if isinstance(consumed, list) else [consumed]:
            with self._lock:
                if model.name in {"GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"}:
                    self._reads += each["CapacityUnits"]
                else:
                    self._writes += each["CapacityUnits"]


@contextmanager
def _application(url: str) -> Iterator[tuple[Any, Meter]]:
    from strata import settings as settings_module
    from strata.bootstrap import Application
    from strata.local.template.dynamodb import create_table

    with tempfile.TemporaryDirectory(prefix="strata-cost-") as folder:
        given = {"STORE": "dynamodb", "TABLE": "strata-cost", "DYNAMODB_ENDPOINT": url}
        given |= {"DYNAMODB_REGION": "eu-west-1", "DATA": str(Path(folder)), "INDEX_REFRESH": "2"}
        given |= {"DYNAMODB_READ_TIMEOUT": "60"}  # of a busy machine
        app = Application(settings_module.load({f"STRATA_{name}": value for name, value in given.items()}))
        app.stores.make_table(create_table)
        yield app, Meter(app.stores.dynamodb)
        app.close()


def _record(tenant: str, key: Any) -> dict[str, Any]:
    keys = {"pk": {"S": f"{tenant}#{key.pk}"}, "sk": {"S": key.sk}}
    return {"dynamodb": {"Keys": keys, "SequenceNumber": "1"}}


if __name__ == "__main__":
    main()
