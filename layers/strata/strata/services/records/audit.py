"""Rows of the audit log, and of the tenant's acceptance of the data processing agreement."""

from strata.domain.times import rfc3339
from strata.domain.wire.audit import AuditEntry
from strata.ports.rows import Item, Key
from strata.services.records.owners import owned
from strata.services.records.parts import numbered, part

AUDIT_PK = "AUDIT"
AUDIT_ENTRY = "ENTRY#"
_KIND = "audit"


def audit_key(at: int, nonce: str) -> Key:
    """An entry of the audit log: `{event, external_ref, actor, metadata, at}`; `nonce` makes it unique."""
    return Key(AUDIT_PK, f"{AUDIT_ENTRY}{numbered(at)}#{nonce}")


def audit_of(external_ref: str) -> str:
    """gsi1: the entries about a person, by time."""
    return f"{AUDIT_PK}#{part(external_ref)}"


def about(external_ref: str | None, at: int) -> Item:
    """The attributes of an entry that name its person, and by which an erasure finds it."""
    if external_ref is None:
        return {}
    place = {"gsi1pk": audit_of(external_ref), "gsi1sk": numbered(at)}
    return {"external_ref": external_ref} | place | owned(external_ref, _KIND)


def agreement_key() -> Key:
    """The tenant's acceptance of the data processing agreement: `{at, by}`."""
    return Key("TENANT", "AGREEMENT")


def to_entry(key: Key, item: Item) -> AuditEntry:
    """An entry from its row."""
    return AuditEntry(
        id=key.sk.removeprefix(AUDIT_ENTRY),
        event=item["event"],
        externalRef=item.get("external_ref"),
        actorId=item["actor"],
        metadata=item["metadata"],
        createdAt=rfc3339(item["at"]),
    )
