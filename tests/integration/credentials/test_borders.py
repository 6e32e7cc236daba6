"""10 000 attempts to cross a border of tenants, people, projects and agents, by every route, layer and tool.

By default a twentieth of them: `STRATA_TEST_SIZE=full` makes all. An attempt has crossed a border when its
answer, or a row that it changed, holds the mark of a cell beyond a border that the request names.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from random import Random

import httpx
import pytest

from strata.bootstrap import Application, Overrides
from strata.domain.scope import Scope
from support.api import ClaimsFromHeader, client
from support.border_attempts import (
    CELLS,
    TENANTS,
    Attempt,
    Cell,
    Marks,
    Operation,
    attempt,
    cells_in,
    keep_clean,
    operations,
    plant,
    propose,
)
from support.memory import Memory, application
from support.run_size import FULL

pytestmark = pytest.mark.xdist_group("borders")

ATTEMPTS = 10_000 if FULL else 500
STRANGERS = [cell for cell in CELLS if cell.tenant == "alpha"]
VICTIMS = [cell for cell in CELLS if cell.tenant == "bravo"]

TOLD = {
    *("GET /search", "GET /context", "GET /export", "GET /observations/recent", "GET /sessions/recent"),
    *("POST /episodic/search", "GET /api/memory/episodes", "GET /api/memory/search"),
    *("GET /api/agents/{agentId}/users/{externalRef}/facts", "GET /api/rgpd/users/{externalRef}/ai-data"),
    *(
        "POST /api/memory/ask",
        "POST /api/memory/forget",
        "GET /api/memory/conclusions",
        "GET /api/memory/profile",
        "GET /api/users/{userId}/preferences",
    ),
    "GET /api/entities/merge-proposals",
    *("GET /api/entities", "GET /api/entities/{entityId}", "GET /api/entities/{entityId}/page"),
    *("GET /api/entities/{entityId}/episodes", "GET /api/entities/{entityId}/conclusions"),
    *("GET /api/entities/{entityId}/relationships", "GET /api/entities/{entityId}/graph"),
    *("mem_search", "mem_context", "mem_entity"),
}
"""They name a border within a tenant, and give what lies on the asker's side of it."""
TOLD_BY_ID = {
    *("GET /observations/{id}", "GET /timeline", "GET /episodic/{conversation_id}", "GET /memory/events"),
    *("GET /memory/sessions/{id}", "GET /memory/sessions/{id}/events", "GET /memory/sessions/{id}/context"),
    *("GET /working-memory/{conversation_id}", "GET /ledger/{conversation_id}", "mem_get", "mem_timeline"),
}
CHANGED = {
    *("POST /sessions/{id}/end", "PATCH /observations/{id}", "DELETE /observations/{id}"),
    *("PUT /working-memory/{conversation_id}", "DELETE /working-memory/{conversation_id}"),
    *("POST /ledger/{conversation_id}/mark", "POST /ledger/{conversation_id}/evict"),
    *("DELETE /api/memory/episodes/{id}", "DELETE /memory/sessions/{id}"),
    "DELETE /api/agents/{agentId}/users/{externalRef}/facts/{id}",
    *("PUT /api/entities/{entityId}", "DELETE /api/entities/{entityId}"),
    *("POST /api/entities/{entityId}/merge", "POST /api/entities/{entityId}/restore"),
}
ERASES = {"DELETE /api/rgpd/users/{externalRef}/ai-data", "DELETE /api/memory/conclusions"}
"""Takes away what others of the asker's tenant are to be kept from."""


class House:
    """One store with the rows of every cell, and what they were."""

    def __init__(self, app: Application, api: httpx.Client) -> None:
        self.api, self.memory = api, Memory(app)
        self.ids = {cell: plant(api, app, cell, number) for number, cell in enumerate(CELLS)}
        self.memory.follow()
        for cell, ids in self.ids.items():
            keep_clean(api, cell, ids)
        for cell, ids in self.ids.items():
            propose(app, cell, ids)
        self._log, self._table = app.stores.change_log, app.stores.table
        self._read = self._log.head()
        planted = {(each.tenant, each.key) for each in self._log.read(0, 1_000_000) if each.tenant in TENANTS}
        self._rows = {
            (tenant, key): json.dumps(self._table.get(Scope(tenant), key)) for tenant, key in planted
        }

    def crossed(self, made: Attempt, answer: httpx.Response) -> list[str]:
        """The marks beyond the attempt's borders in its answer, and those of the rows that it changed."""
        changes = self._log.read(self._read, 1_000_000)
        self._read = self._log.head()
        tenants = {each.tenant for each in changes} & set(TENANTS) - {made.asker.tenant}
        rows = [self._rows.get((each.tenant, each.key), "") for each in changes]
        return [*made.seen(answer.text), *tenants, *(mark for row in rows for mark in made.touched(row))]

    def follow(self) -> None:
        """Let index and totals catch up."""
        self.memory.follow()
        self._read = self._log.head()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    app = application(
        tmp_path_factory.mktemp("house"), None, Overrides(entity_recognizer=Marks()), AUTH="required"
    )
    with client(app, ClaimsFromHeader()) as api:
        yield House(app, api)
    app.close()


def pair(rng: Random, operation: Operation) -> tuple[Cell, Cell]:
    """The one who asks and the one whose rows are named; where rows may go, they share the tenant alone."""
    victim = rng.choice(VICTIMS)
    others = [cell for cell in VICTIMS if cell != victim]
    if operation.method == "DELETE":
        others = [
            cell for cell in others if not {*asdict(cell).values()} & {*asdict(victim).values()} - {"bravo"}
        ]
    return rng.choice(others), victim


def planned(asked: list[Operation], told: set[str]) -> Iterator[tuple[int, Operation]]:
    """All operations in turn; then further attempts of those that are to tell something and have not yet."""
    for number in range(ATTEMPTS):
        yield number, asked[number % len(asked)]
    for operation in asked:
        for number in range(ATTEMPTS, ATTEMPTS + 100):
            if operation.name not in TOLD - told:
                break
            yield number, operation


def test_no_attempt_crosses_a_border(house: House) -> None:
    """Two thirds are within a tenant, where the request names a person, a project or an agent."""
    asked = operations()
    crossed: list[object] = []
    told: set[str] = set()
    statuses: dict[str, set[int]] = {each.name: set() for each in asked}
    for number, operation in planned(asked, told):
        rng = Random(f"{operation.name} {number}")
        asker, victim = pair(rng, operation)
        made = attempt(rng, operation, asker, house.ids[victim])
        if set(made.claims) == {"tenant"} or operation.name in ERASES or rng.random() < 1 / 3:
            made = attempt(rng, operation, rng.choice(STRANGERS), house.ids[victim])
        answer = made.made(house.api)
        statuses[operation.name].add(answer.status_code)
        if beyond := house.crossed(made, answer):
            crossed.append((number, operation.name, made, beyond))
        if made.asker.tenant == victim.tenant and cells_in(answer.text):
            told.add(operation.name)
        if number % 100 == 99:
            house.follow()
    assert crossed == []
    assert told >= TOLD
    assert {name: each for name, each in statuses.items() if max(each) >= 500} == {}


@pytest.mark.parametrize(
    "operation",
    [each for each in operations() if each.name in TOLD | TOLD_BY_ID | CHANGED],
    ids=lambda each: each.name,
)
def test_an_attempt_that_crossed_a_border_would_be_seen(house: House, operation: Operation) -> None:
    """The same requests in the victim's own name show, or change, what lies beyond the asker's borders."""
    for number in range(40):
        rng = Random(f"{operation.name} {number}")
        asker, victim = pair(rng, operation)
        asker = asker if operation.name in TOLD else STRANGERS[0]
        claims = attempt(rng, operation, asker, house.ids[victim]).claims
        own = attempt(Random(number), operation, victim, house.ids[victim])
        if house.crossed(replace(own, claims=claims), own.made(house.api)):
            return
    pytest.fail("no request showed or changed what an attempt must not")
