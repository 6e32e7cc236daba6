"""Rows of erasures: jobs with their receipts, the list of unfinished ones, tombstones."""

import hashlib

from strata.ports.rows import Item, Key
from strata.services.records.parts import digest, part

ERASURES_PK = "ERASURES"
ERASURE_SK = "JOB"
_ERASURE = "ERASURE#"


def erasure_key(erasure_id: str) -> Key:
    """The job of an erasure with its progress, see `services/privacy/erasure`."""
    return Key(_ERASURE + part(erasure_id), ERASURE_SK)


def erasure_of(key: Key) -> str | None:
    """The id of the erasure whose row has this key; None for other rows."""
    return key.pk.removeprefix(_ERASURE) if key.sk == ERASURE_SK and key.pk.startswith(_ERASURE) else None


def listed_erasure_key(erasure_id: str) -> Key:
    """An erasure's line in the list: `{erasure_id}`, and once it is done `subject` and `requested_at`."""
    return Key(ERASURES_PK, part(erasure_id))


def erased_device_key(erasure_id: str, subject: str) -> Key:
    """Says in the list that a device was the erased person's: `{erasure_id, subject, requested_at, device}`.

    `subject` is the digest of the owner of what the device wrote before it had a user.
    """
    return Key(ERASURES_PK, f"{part(erasure_id)}#{subject}")


def tombstone_key(owner: str, external_type: str | None = None) -> Key:
    """The mark of a person who is being erased, or just was: `{erasure_id}`. It does not name them.

    The mark of one channel of theirs keeps nothing from being stored: the emptied sessions do.
    That of the devices of a person who was erased has no `erasure_id`: it ends late writes, and no more.
    """
    named = (owner,) if external_type is None else (owner, external_type)
    return Key(f"ERASED#{digest(*named)}", "TOMBSTONE")


def erased_pk(erasure_id: str) -> str:
    """gsi3: the remnants of sessions and memories that an erasure keeps for a while, by kind; keys only."""
    return _ERASURE + part(erasure_id)


def receipt_subject(erasure_id: str, owner: str) -> str:
    """The digest that stands for an erased person, in the receipt and in the audit log."""
    return hashlib.sha256(f"{erasure_id}:{owner}".encode()).hexdigest()


def erased(erasure_id: str, kind: str) -> Item:
    """The attributes that list the remnant of a row under its erasure."""
    return {"gsi3pk": erased_pk(erasure_id), "gsi3sk": kind}
