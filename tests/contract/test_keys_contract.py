"""The directory of API keys keeps its word over every table."""

import pytest

from strata.domain.errors import NotFound, Unauthenticated
from strata.domain.scope import Scope
from strata.ports.table import Query, Table
from strata.services.credentials.keys import REMEMBERED_SECONDS, USE_NOTED_EVERY, ApiKeys
from support.clocks import RunningClock

HOUR = 3600


@pytest.fixture
def keys(table: Table, clock: RunningClock) -> ApiKeys:
    return ApiKeys(table, clock)


def works(keys: ApiKeys, key: str) -> bool:
    try:
        keys.verify(key)
    except Unauthenticated:
        return False
    return True


def test_a_key_is_found_by_itself_and_nothing_of_it_by_a_tenant(table: Table, keys: ApiKeys) -> None:
    assert not keys.any()
    new = keys.create("acme", scopes=["read", "write"], name="ci", identity="maría")
    found = keys.verify(new.key)
    assert (found.id, found.tenant, found.scopes, found.identity) == (
        new.info.id,
        "acme",
        ("read", "write"),
        "maría",
    )
    assert keys.any()
    for pk in ("KEYS", f"KEY#{new.info.id}"):
        assert table.query(Scope("acme"), Query(pk)).rows == []


def test_keys_are_listed_by_tenant(keys: ApiKeys, clock: RunningClock) -> None:
    for tenant in ("b", "a", "a.b", "a"):
        keys.create(tenant, scopes=["read"])
        clock.forward(1)
    assert [key.tenant for key in keys.list()] == ["a", "a", "a.b", "b"]
    assert [key.tenant for key in keys.list("a")] == ["a", "a"]


def test_the_last_use_is_noted_and_noted_again(keys: ApiKeys, clock: RunningClock) -> None:
    new = keys.create("acme", scopes=["read"])
    keys.verify(new.key)
    first = keys.list()[0].last_used_at
    assert first is not None
    keys.verify(new.key)
    assert keys.list()[0].last_used_at == first
    clock.forward(USE_NOTED_EVERY + 1)
    keys.verify(new.key)
    assert (keys.list()[0].last_used_at or 0) > first


def test_rotation_and_revocation_end_a_key_in_their_time(keys: ApiKeys, clock: RunningClock) -> None:
    old = keys.create("acme", scopes=["read"])
    new = keys.rotate(old.info.id, grace=HOUR)
    assert works(keys, old.key)
    assert works(keys, new.key)
    clock.forward(HOUR + 1)
    assert not works(keys, old.key)
    keys.revoke(new.info.id)
    assert not works(keys, new.key)
    assert {key.state(clock.now_us()) for key in keys.list()} == {"expired", "revoked"}
    clock.forward(REMEMBERED_SECONDS + HOUR)
    assert keys.list() == []
    with pytest.raises(NotFound):
        keys.revoke(new.info.id)


def test_a_key_that_is_revoked_twice_is_not_remembered_for_longer(keys: ApiKeys, clock: RunningClock) -> None:
    made = keys.create("acme", scopes=["read"]).info
    first = keys.revoke(made.id)
    clock.forward(REMEMBERED_SECONDS - HOUR)
    assert keys.revoke(made.id) == first
    clock.forward(2 * HOUR)
    assert keys.list() == []
