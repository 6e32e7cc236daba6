"""A nightly sweep over 10 000 people with 200 conclusions each, 100 of whom changed, against the 100."""

import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.measure import CountingTable, Figure, median
from benchmarks.text import Writer
from strata import settings
from strata.bootstrap import Application
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.maintenance import Report
from strata.ports.rows import Action, Item, Put
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.records.knowledge import conclusion_key

PEOPLE, CONCLUSIONS, CHANGED, NIGHT = 10_000, 200, 100, 10
TIMES = 3
"""Nights of each store; on each the same people have changed. In the first all that they have is compared."""

_SCOPE = Scope("local")
_AT_ONCE = 50
_DUE = 30 * DAY * 1_000_000


def run() -> list[Figure]:
    """Fill both stores, change the same people in both, and sweep them by turns."""
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as name:
        many, few = (_filled(Path(name) / str(people), people) for people in (PEOPLE, CHANGED))
        return measured(many, few)


def measured(many: Application, few: Application) -> list[Figure]:
    """The figures of two filled stores."""
    seconds: dict[Application, list[float]] = {many: [], few: []}
    counts: dict[Application, tuple[int, int]] = {}
    for _ in range(TIMES):
        for app in (many, few):
            _change(app)
            began = time.process_time()
            counts[app] = _swept(app)
            seconds[app].append(time.process_time() - began)
    _change(many)
    same = _night(many, 1) == _night(many, NIGHT - 1)
    rows, writes = counts[many]
    told = f"{PEOPLE} people, {CONCLUSIONS} conclusions each, {CHANGED} changed"
    return [
        Figure(f"the first sweep of {told}", seconds[many][0], "s of processor"),
        Figure("the first sweep of those 100 alone", seconds[few][0], "s of processor"),
        Figure("a later sweep", median(seconds[many][1:]), "s of processor"),
        Figure("a later sweep of those 100 alone", median(seconds[few][1:]), "s of processor"),
        Figure("seconds of all sweeps, of those alone", sum(seconds[many]) / sum(seconds[few]), "x", 1.2),
        Figure("rows read, of those alone", rows / counts[few][0], "x", 1.01, note=f"{rows} rows"),
        Figure("writes, of those alone", writes / counts[few][1], "x", 1.01, note=f"{writes} writes"),
        Figure(f"{NIGHT} sweeps in a night change what one does", float(same), "", 1, higher_is_better=True),
    ]


def _filled(folder: Path, people: int) -> Application:
    """A store in which everybody was swept yesterday and has nothing to do for a month."""
    app = Application(settings.load({"STRATA_DATA": str(folder)}))
    writer = Writer(29)
    now = app.clock.now_us() - DAY * 1_000_000
    texts = [writer.memory()[:90] for _ in range(CONCLUSIONS * 7)]
    for number in range(people):
        known = Knowledge(_named(number), None, due=now + _DUE)
        rows = _rows(known, texts[number % 7 * CONCLUSIONS :], now)
        app.stores.table.transact(_SCOPE, [known.head])
        while part := list(islice(rows, _AT_ONCE)):
            app.stores.table.transact(_SCOPE, part)
    return app


def _named(number: int) -> str:
    return f"person-{number}"


def _rows(known: Knowledge, texts: list[str], at: int) -> Iterator[Action]:
    for number, text in enumerate(texts[:CONCLUSIONS]):
        row = _conclusion(f"c{number}", text, at)
        yield Put(conclusion_key(known.owner, row["id"]), row | known.listed)


def _conclusion(name: str, text: str, at: int) -> Item:
    session = f"s-{name}"
    return {
        "id": name,
        "scope": "all",
        "subject": f"model:{text}",
        "value": "",
        "value_key": "",
        "single": False,
        "by": "model",
        "corrected": False,
        "type": "inductive",
        "text": text,
        "confidence": 0.8,
        "sources": [session],
        "sessions": [session],
        "quotes": [{"text": text, "source": session, "at": at}],
        "against": 0,
        "last": at,
        "agents": [],
        "projects": [],
        "confined": False,
        "run": 1,
        "created_at": at,
        "updated_at": at,
    }


def _change(app: Application) -> None:
    """One more conclusion for each of the first hundred."""
    now = app.clock.now_us()
    for number in range(CHANGED):
        known = KnowledgeRows(app.stores.table).read(_SCOPE, _named(number))
        row = _conclusion(f"new-{now}", f"Plays in the band number {now % 9973}", now)
        app.stores.table.transact(_SCOPE, [known.head, known.conclusion(row["id"], row)])


def _sweep(app: Application) -> Report:
    report = app.maintenance.sweeper.run_now(_SCOPE, lambda: True)
    if report.errors:
        raise RuntimeError(f"a step failed: {report.errors}")
    return report


def _swept(app: Application) -> tuple[int, int]:
    """A sweep; the rows that it read and its writes."""
    counting = CountingTable(app.stores.table)
    _sweep(app.with_overrides(table=counting))
    return counting.rows, counting.writes


def _night(app: Application, sweeps: int) -> list[dict[str, Item]]:
    """The conclusions about the people who changed, after these sweeps."""
    for _ in range(sweeps):
        _sweep(app)
    rows = KnowledgeRows(app.stores.table)
    return [rows.read(_SCOPE, _named(number)).conclusions for number in range(CHANGED)]
