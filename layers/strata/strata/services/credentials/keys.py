"""Creates, lists, rotates, revokes and verifies API keys.

The directory holds two rows for each key, written in one transaction: the key's own, found by its id before a
tenant is known, and its line in the list, by tenant. Revoked and expired keys are kept for 90 days.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass, fields

from strata.domain.api_keys import (
    ID_ALPHABET,
    ID_LENGTH,
    SECRET_ALPHABET,
    SECRET_LENGTH,
    ApiKey,
    compose,
    digest,
    id_of,
    is_of,
)
from strata.domain.errors import Conflict, InvalidRequest, NotFound, Unauthenticated, Unavailable
from strata.domain.scope import PERMISSIONS, Scope
from strata.domain.times import DAY
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AllOf, AnyOf, AtMost, Equals, Item, Present, Put, Update
from strata.ports.table import ConditionFailed, Query, Table
from strata.services.records.directory import KEY_LIST_PK, api_key_line, api_key_row
from strata.services.table.pages import every_page

REMEMBERED_SECONDS = 90 * DAY
"""A revoked or expired key stays in the list so long."""

USE_NOTED_EVERY = 3600
"""Seconds: `last_used_at` is exact to the hour, so that a call does not cost a write."""

LONGEST = 200

_DIRECTORY = Scope.directory()
_SECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just created; `key` is shown only now and stored nowhere."""

    key: str
    info: ApiKey


class ApiKeys:
    """The directory of API keys."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def create(
        self,
        tenant: str,
        *,
        scopes: Collection[str],
        name: str = "",
        identity: str | None = None,
        lifetime: int | None = None,
    ) -> NewKey:
        """Create a key of a tenant.

        Args:
            tenant: the tenant whose memories it opens.
            scopes: any of read, write, admin; at least one.
            name: its purpose, at most 200 characters.
            identity: the end user it speaks for where a call names none, at most 200 characters.
            lifetime: seconds until it expires; None for never.

        Raises:
            InvalidRequest: a value is not of this form.
        """
        Scope(tenant)
        if not scopes or not PERMISSIONS.issuperset(scopes):
            raise InvalidRequest.of("scopes", f"must be some of {', '.join(sorted(PERMISSIONS))}")
        for field, value in (("name", name), ("identity", identity or "")):
            if len(value) > LONGEST:
                raise InvalidRequest.of(field, f"must have at most {LONGEST} characters")
        if lifetime is not None and lifetime < 1:
            raise InvalidRequest.of("expires", "must be at least a second from now")
        made = self._new_key(tenant, tuple(sorted(scopes)), name, identity, lifetime)
        self._table.transact(_DIRECTORY, _rows(made))
        return made

    def list(self, tenant: str | None = None) -> list[ApiKey]:
        """The keys of one tenant or of all, by tenant, then oldest first."""
        prefix = None if tenant is None else f"{Scope(tenant).tenant}#"
        found: list[ApiKey] = []
        for lines in every_page(self._table, _DIRECTORY, Query(KEY_LIST_PK, prefix=prefix)):
            rows = self._table.get_many(_DIRECTORY, [api_key_row(line.item["id"]) for line in lines])
            found += [_key(item) for item in rows.values()]
        return sorted(found, key=lambda key: (key.tenant, key.created_at))

    def any(self) -> bool:
        """Whether any key exists."""
        return bool(self._table.query(_DIRECTORY, Query(KEY_LIST_PK, limit=1, resumable=False)).rows)

    def revoke(self, key_id: str) -> ApiKey:
        """Revoke a key for good; idempotent.

        An authorizer's answer is cached for up to 60 s, so the key may work until then.

        Raises:
            NotFound: there is no such key.
        """
        key = self._get(key_id)
        if key.revoked_at is not None:
            return key
        now = self._clock.now_us()
        forgotten = {"expires_at": now // _SECOND + REMEMBERED_SECONDS}
        row, line = api_key_row(key.id), api_key_line(key.tenant, key.id)
        try:
            self._table.transact(
                _DIRECTORY,
                [
                    Update(row, default={"revoked_at": now}, set=forgotten, condition=Present()),
                    Update(line, set=forgotten, condition=Present()),
                ],
            )
        except ConditionFailed:
            raise NotFound("no such key") from None
        return self._get(key_id)

    def rotate(self, key_id: str, *, grace: int, lifetime: int | None = None) -> NewKey:
        """Create a key with the scopes of this one, which goes on working for at most `grace` seconds.

        Args:
            key_id: the key to replace.
            grace: seconds in which both work.
            lifetime: seconds until the new one expires; None for the lifetime of the old one.

        Raises:
            NotFound: there is no such key.
            Conflict: it is revoked or expired, or was changed at the same time.
        """
        old = self._get(key_id)
        now = self._clock.now_us()
        if old.state(now) != "active":
            raise Conflict(f"this key is {old.state(now)}; make a new one instead")
        new = self._new_key(old.tenant, old.scopes, old.name, old.identity, lifetime or old.lifetime)
        ends = min(now + max(grace, 0) * _SECOND, old.ends_at or now + max(grace, 0) * _SECOND)
        ending = {"expires_at": ends // _SECOND + REMEMBERED_SECONDS}
        unchanged = AllOf((Present(), Equals("revoked_at", None), Equals("ends_at", old.ends_at)))
        actions = [
            *_rows(new),
            Update(api_key_row(old.id), set=ending | {"ends_at": ends}, condition=unchanged),
            Update(api_key_line(old.tenant, old.id), set=ending, condition=Present()),
        ]
        try:
            self._table.transact(_DIRECTORY, actions)
        except ConditionFailed:
            raise Conflict("the key was changed at the same time; try again") from None
        return new

    def verify(self, key: str) -> ApiKey:
        """Find the key and check that it is active; once an hour, note that it was used.

        Raises:
            Unauthenticated: malformed, unknown, expired or revoked. The message names the key's id at most.
            Unavailable: the store does not answer.
        """
        key_id = id_of(key)
        if key_id is None:
            raise Unauthenticated("this is not an API key")
        item = self._table.get(_DIRECTORY, api_key_row(key_id))
        if item is None or not is_of(key, item["digest"]):
            raise Unauthenticated("unknown API key")
        known, now = _key(item), self._clock.now_us()
        if known.state(now) != "active":
            raise Unauthenticated(f"API key {key_id} is {known.state(now)}")
        self._note_use(known, now)
        return known

    def _note_use(self, key: ApiKey, now: int) -> None:
        before = now - USE_NOTED_EVERY * _SECOND
        if key.last_used_at is not None and key.last_used_at > before:
            return
        stale = AnyOf((Equals("last_used_at", None), AtMost("last_used_at", before)))
        used = Update(api_key_row(key.id), set={"last_used_at": now}, condition=AllOf((Present(), stale)))
        try:
            self._table.update(_DIRECTORY, used)
        except (ConditionFailed, Unavailable):
            return  # noted by another call, or the next one will

    def _get(self, key_id: str) -> ApiKey:
        item = self._table.get(_DIRECTORY, api_key_row(key_id))
        if item is None:
            raise NotFound("no such key")
        return _key(item)

    def _new_key(
        self, tenant: str, scopes: tuple[str, ...], name: str, identity: str | None, lifetime: int | None
    ) -> NewKey:
        now = self._clock.now_us()
        key_id = "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))
        key = compose(key_id, "".join(secrets.choice(SECRET_ALPHABET) for _ in range(SECRET_LENGTH)))
        ends = None if lifetime is None else now + lifetime * _SECOND
        return NewKey(key, ApiKey(key_id, tenant, scopes, name, now, identity, lifetime, ends))


def _rows(new: NewKey) -> list[Action]:
    info = new.info
    item: Item = {name: value for name in _NAMES if (value := getattr(info, name)) is not None}
    item |= {"scopes": list(info.scopes), "digest": digest(new.key)}
    line: Item = {"id": info.id}
    if info.ends_at is not None:
        item["expires_at"] = line["expires_at"] = info.ends_at // _SECOND + REMEMBERED_SECONDS
    return [
        Put(api_key_row(info.id), item, Absent()),
        Put(api_key_line(info.tenant, info.id), line, Absent()),
    ]


def _key(item: Item) -> ApiKey:
    return ApiKey(**{name: item.get(name) for name in _NAMES} | {"scopes": tuple(item["scopes"])})


_NAMES = tuple(field.name for field in fields(ApiKey))
