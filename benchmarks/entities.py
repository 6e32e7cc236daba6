"""Entities of one person who has 10 000 of them and 50 000 relationships: listed, searched, and shown."""

import http.client
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from urllib.parse import urlencode, urlsplit

from benchmarks import baseline
from benchmarks.measure import Figure, median
from benchmarks.saves import seconds_behind
from benchmarks.server import Refused, running
from benchmarks.text import Writer
from strata.bootstrap import Application
from strata.domain.scope import Scope
from strata.ports.rows import Action, Item, Put
from strata.services.entities.book import Book
from strata.services.entities.rows import class_of, names_of, slot_of
from strata.services.records.entities import (
    ENTITY_KIND,
    edge_key,
    edges_to,
    entity_id,
    entity_key,
    entity_places,
    mention_key,
    mentions_of,
    name_rows,
)
from strata.services.records.owners import owned
from strata.settings import Settings

ENTITIES, RELATIONSHIPS = 10_000, 50_000
_FIRST_NAMES = ("Ana", "Bea", "Carla", "Dora", "Eva", "Fay", "Gil", "Hugo", "Ivo", "Jon")
_KINDS = ("person", "place", "organization", "thing")
_ROUNDS = 40
_AT_ONCE = 90
_OWNER, _SCOPE = "ann", Scope("local")
_BORDER = {"agent_id": None, "project": None, "confined": False}


def run() -> list[Figure]:
    """Measure requests over HTTP, and in the same run the least that a request could take."""
    rng = Random(7)
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        data = Path(folder) / "store"
        names = _fill(data, rng)
        ids = list(names)
        yardstick = _yardstick(Path(folder) / "bare.db")
        with running(data) as server:
            seconds_behind(data)
            ask = _asker(server.url)
            asked: dict[str, Callable[[], tuple[str, dict[str, object]]]] = {
                "list": lambda: ("", {"limit": 20}),
                "search, a full name": lambda: ("", {"q": names[rng.choice(ids)]}),
                "search, a first name of 1 000 entities": lambda: ("", {"q": rng.choice(_FIRST_NAMES)}),
                "stats": lambda: ("/stats", {}),
                "page": lambda: (f"/{rng.choice(ids)}/page", {}),
                "graph, depth 2, 200 nodes": lambda: (
                    f"/{rng.choice(ids)}/graph",
                    {"depth": 2, "limit": 200},
                ),
            }
            figures = []
            for name, wanted in asked.items():
                ask(*wanted())
                took = median([ask(*wanted()) for _ in range(_ROUNDS)])
                figures.append(Figure(f"{name}, median", took * 1000, "ms", 50))
                figures.append(Figure(f"{name}, of the yardstick", took / yardstick, "x"))
        figures.append(Figure("maintenance of all of them, processor time", _tended(data), "s"))
    return [*figures, Figure("yardstick: one request of the bare server", yardstick * 1000, "ms")]


def _tended(data: Path) -> float:
    """The seconds of processor time in which maintenance looks at all of them."""
    app = Application(Settings(data=data))
    try:
        started = time.process_time()
        assert app.entities.upkeep.tend(_SCOPE, _OWNER, dry=False)["looked_at"] == ENTITIES
        return time.process_time() - started
    finally:
        app.close()


def _asker(url: str) -> Callable[[str, dict[str, object]], float]:
    """Asks a route of entities on one connection; the seconds that the answer took."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=60)

    def ask(path: str, parameters: dict[str, object]) -> float:
        started = time.perf_counter()
        connection.request("GET", f"/api/entities{path}?{urlencode(parameters | {'userId': _OWNER})}")
        response = connection.getresponse()
        body = response.read()
        took = time.perf_counter() - started
        if response.status != 200:
            raise Refused(f"{path}: {response.status} {body[:200]!r}")
        return took

    return ask


def _yardstick(path: Path) -> float:
    """The median seconds of a request of the bare server."""
    times = []
    with baseline.running(path) as server:
        client = server.client()
        for body in Writer(4).observations("bench", 600):
            started = time.perf_counter()
            client.post("/observations", body)
            times.append(time.perf_counter() - started)
        client.close()
    return median(times[100:])


def _fill(data: Path, rng: Random) -> dict[str, str]:
    """Write the rows that as many mentions and relationships would leave; the names by id."""
    names = {}
    for number in range(ENTITIES):
        name = f"{_FIRST_NAMES[number % len(_FIRST_NAMES)]} Surname{number}"
        names[entity_id(_OWNER, _KINDS[number % 4], name.lower())] = name
    app = Application(Settings(data=data))
    try:
        waiting: list[Action] = []
        for action in (*_entities(names), *_relationships(list(names), rng)):
            waiting.append(action)
            if len(waiting) == _AT_ONCE:
                app.stores.table.transact(_SCOPE, waiting)
                waiting = []
        counts = Counter(class_of([_row(*each)]) for each in enumerate(names.items()))
        book = Book(app.stores.table, _SCOPE, _OWNER)
        waiting += book.headed({"version": 0, "counts": dict(counts), "proposals": []}, 1, due=True)
        app.stores.table.transact(_SCOPE, waiting)
    finally:
        app.close()
    return names


def _row(number: int, named: tuple[str, str]) -> Item:
    """An entity that one source names."""
    (identity, name), kind = named, _KINDS[number % 4]
    said = {"forms": {name: 1}, "roles": {}, "works": {}, "first": number, "last": number}
    slot = {"life": 1, "count": 1, "sure": 0.8} | _BORDER | said
    row = {"id": identity, "type": kind, "types": [kind], "version": 1, "stated": {}, "hidden": []}
    row |= {"seen": {slot_of(slot): slot}, "created_at": number}
    return row | {"life": 1, "buried": 0, "members": [], "merged_into": None, "apart": []}


def _entities(names: dict[str, str]) -> Iterator[Action]:
    for number, (identity, name) in enumerate(names.items()):
        row = _row(number, (identity, name))
        kind = row["type"]
        row |= {"counted": class_of([row])} | entity_places(_OWNER, kind, number, identity)
        yield Put(entity_key(_OWNER, identity), row)
        for key, item in name_rows(_OWNER, row, names_of(row)).items():
            yield Put(key, item)
        source = f"ep-{number + 1}"
        mention = {"source": source, "entity": identity, "life": 1, "at": number} | _BORDER
        mention |= {"owner": _OWNER, "text": name, "also": [], "roles": [], "works": [], "confidence": 0.8}
        mention |= {"gsi1pk": mentions_of(_OWNER, identity), "gsi1sk": f"{number:016}#{source}"}
        key = mention_key(_OWNER, source, kind, name.lower())
        yield Put(key, mention | owned(_OWNER, ENTITY_KIND))


def _relationships(ids: list[str], rng: Random) -> Iterator[Action]:
    support = {"ep-1": {"at": 1, "confidence": 0.8, "lives": [1, 1]} | _BORDER}
    pairs: set[tuple[str, str]] = set()
    while len(pairs) < RELATIONSHIPS:
        one, other = rng.sample(ids, 2)
        if (one, other) in pairs:
            continue
        pairs.add((one, other))
        row = {"subject": one, "kind": "knows", "object": other, "version": 1, "support": support}
        row |= {"gsi1pk": edges_to(_OWNER, other), "gsi1sk": f"knows#{one}"}
        yield Put(edge_key(_OWNER, one, "knows", other), row | owned(_OWNER, ENTITY_KIND))
