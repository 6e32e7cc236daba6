"""The promises of an upgrade of an earlier version's store, whichever stores hold it."""

from typing import Any

import pytest

from compatibility.questions import differences, recorded
from compatibility.store import Store
from compatibility.story import TENANTS
from strata.domain.scope import Scope
from strata.ports.rows import Item, Key

Rows = dict[tuple[str, Key], Item]


class Killed(Exception):
    """Ends a migration as the death of its process would: nothing is tidied up."""


def rows_of(store: Store) -> Rows:
    """Every live row of the tenants."""
    stores = store.app.stores
    found: Rows = {}
    for tenant in TENANTS:
        keys = [key for _, key in stores.inventory.keys(Scope(tenant), [""], None) if key is not None]
        rows = stores.table.get_many(Scope(tenant), keys)
        found |= {(tenant, key): item for key, item in rows.items()}
    return found


def migrate_with_deaths(store: Store) -> None:
    """Migrate by three processes, of which one dies among the rows and one at the index."""
    to_die_in = ["lines of sessions", "indexing"]

    def on_progress(work: str, done: int, total: int) -> None:
        if work in to_die_in:
            to_die_in.remove(work)
            raise Killed

    for _ in range(2):
        with pytest.raises(Killed):
            store.app.repair.migrator.migrate(on_progress)
    store.app.repair.migrator.migrate()


def upgraded(store: Store, told: Any) -> None:
    """Upgrade the first version's store, with deaths on the way: it answers as before, and more."""
    before = rows_of(store)
    narrowed = {"q": "trip", "agent_id": "helper", "min_relevance": "0"}
    asked = store.ask("acme", "GET", "/search", params=narrowed)
    assert asked.headers["strata-degraded"] == "index"  # the documents don't know filters

    migrate_with_deaths(store)

    assert differences(told["answers"], recorded(store, told["erasures"])) == []
    assert "strata-degraded" not in store.ask("acme", "GET", "/search", params=narrowed).headers
    again = store.app.repair.migrator.migrate()
    assert (set(again.rows.values()), again.index) == ({0}, None)
    _can_be_taken_back(before, rows_of(store))


def _can_be_taken_back(before: Rows, after: Rows) -> None:
    """The version before reads every row as it did: the migration has added to rows, and changed nothing."""
    own = {"about", "project"}
    changed = 0
    for place, item in before.items():
        assert {name: after[place].get(name) for name in item} == item, place
        assert after[place].keys() - item.keys() <= own, place
        changed += after[place] != item
    guards = [key for _, key in after.keys() - before.keys()]
    assert changed > len(TENANTS)
    assert guards
    assert {key.sk for key in guards} == {"GUARD"}
