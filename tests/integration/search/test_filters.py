"""Filtered searches and lists of random rows hold exactly what the rule admits, on both sets of stores."""

import random
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from servers.tables import dynamodb_client
from strata.adapters.bodies.folder import FolderBodies
from strata.adapters.dynamodb.table import DynamoTable
from strata.adapters.opensearch.connection import Connection
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.search_index import OpenSearchIndex
from strata.bootstrap import Application, Overrides
from strata.domain.filters import Filters, MetadataIs
from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.ports.rows import Item, Update
from strata.services.records.observations import observation_key
from strata.services.search.filters import ObservationFilter
from support.clocks import HandClock
from support.memory import Memory, application, record

TENANTS = (Scope("acme"), Scope("acme2"))
PROJECTS, PEOPLE, AGENTS = ("p1", "p2"), (None, "ann", "bob"), (None, "coder", "clerk")
TAGS = ("a", "b", "a,b", "B")
VALUES = ("src", "src/api", "SRC", True, 1, 1.5, "1")
ROWS, EXAMPLES = 24, 40


@pytest.fixture(params=["sqlite", "dynamodb and opensearch"])
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Application]:
    """The services over either set of stores."""
    clock = HandClock()
    if request.param == "sqlite":
        app = application(tmp_path, clock)
        yield app
        app.close()
        return
    address, name = (request.getfixturevalue(each) for each in ("dynamodb_local", "dynamodb_table"))
    table = DynamoTable(
        dynamodb_client(address), name, clock, patience=60, bodies=FolderBodies(tmp_path / "bodies")
    )
    plain = application(tmp_path / "models", clock)
    with closing(Connection(request.getfixturevalue("opensearch"), pause=0)) as connection:
        index = OpenSearchIndex(
            connection,
            lambda: plain.models.embedding_model,
            dialect=Dialect(refresh="true", replicas=0),
            alias=f"filters-{uuid.uuid4().hex[:12]}",
            search_seconds=30,
            write_seconds=60,
        )
        index.create()
        app = application(tmp_path, clock, Overrides(table=table, index=index), INDEX_REFRESH="0")
        yield app
        app.close()
        index.drop()
    plain.close()


def fill(app: Application, clock: HandClock, chance: random.Random) -> dict[Scope, list[Item]]:
    """Rows of two tenants: most are indexed, some only stored, some superseded; as they are stored."""
    saved: dict[Scope, list[tuple[str, int]]] = {scope: [] for scope in TENANTS}
    memories = {scope: Memory(app, scope) for scope in TENANTS}

    def save(number: int) -> None:
        for scope, memory in memories.items():
            project, user = chance.choice(PROJECTS), chance.choice(PEOPLE)
            answer = memory.save(
                f"heron {number} of {scope.tenant}",
                title=f"{scope.tenant} {number}",
                project=project,
                session_id=f"{user}-{number % 3}",
                user_id=user,
                agent_id=chance.choice(AGENTS),
                tags=chance.sample(TAGS, chance.randrange(4)),
                metadata={key: chance.choice(VALUES) for key in ("k", "m") if chance.random() < 0.7},
                scope="global" if chance.random() < 0.1 else None,
            )
            saved[scope].append((project, answer.id))
            clock.forward(60)
            if chance.random() < 0.3:
                memory.change(answer.id, title=f"{scope.tenant} {number} again")

    for number in range(ROWS * 2 // 3):
        save(number)
    index = app.handlers.indexer()
    for scope, rows in saved.items():
        changes = [record(scope.tenant, observation_key(*each), "INSERT") for each in rows]
        assert index({"Records": changes}, None) == {"batchItemFailures": []}
    for scope, rows in saved.items():
        for project, number in chance.sample(rows, 2):
            mark = Update(observation_key(project, number), set={"superseded_by": 1})
            app.stores.table.update(scope, mark)
    for number in range(ROWS * 2 // 3, ROWS):
        save(number)
    return {
        scope: [app.stores.table.get(scope, observation_key(*each)) or {} for each in rows]
        for scope, rows in saved.items()
    }


def a_filter(chance: random.Random, rows: list[Item]) -> Filters:
    """One to three filters, of values that rows have and that none has."""
    some, other = chance.choice(rows), chance.choice(rows)
    value = chance.choice(VALUES)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    choices: dict[str, Any] = {
        "user_id": chance.choice(("ann", "bob", "eve")),
        "agent_id": chance.choice(("coder", "clerk", "none")),
        "session_id": some["session_id"],
        "tags_any": tuple(chance.sample(TAGS, chance.randrange(1, 3))),
        "tags_all": tuple(chance.sample(TAGS, chance.randrange(1, 3))),
        "created_after": some["created_at"] + chance.randrange(2),
        "created_before": other["created_at"] + chance.randrange(2),
        "updated_after": some["updated_at"] + chance.randrange(2),
        "updated_before": other["updated_at"] + chance.randrange(2),
        "metadata": (MetadataIs(chance.choice("km"), text, prefix=chance.random() < 0.5),),
    }
    return Filters(**{name: choices[name] for name in chance.sample(sorted(choices), chance.randrange(1, 4))})


def test_a_filtered_search_finds_exactly_the_rows_that_the_rule_admits(app: Application) -> None:
    chance = random.Random(12)
    assert isinstance(app.clock, HandClock)
    stored = fill(app, app.clock, chance)
    found_some = 0
    for _ in range(EXAMPLES):
        scope, project = chance.choice(TENANTS), chance.choice((None, *PROJECTS))
        wanted = ObservationFilter(
            project=project, superseded=chance.random() < 0.5, only=a_filter(chance, stored[scope])
        )
        expected = sorted(row["id"] for row in stored[scope] if wanted.admits(row))
        found_some += bool(expected)
        mode = chance.choice((Mode.BM25, Mode.HYBRID))
        answer = app.search.observations.search(scope, "heron", wanted, limit=100, mode=mode)
        assert (answer.degraded, sorted(hit.id for hit in answer.hits)) == (False, expected), wanted
        recent = app.observations.reader.recent(
            scope, project=project, kind=None, scope_name=None, limit=100, only=wanted.only
        )
        listed = sorted(row["id"] for row in stored[scope] if _of(project, row) and wanted.only.admits(row))
        assert sorted(each.id for each in recent) == listed, wanted
    assert EXAMPLES // 4 < found_some < EXAMPLES


def _of(project: str | None, row: Item) -> bool:
    return project in (None, row["project"])
