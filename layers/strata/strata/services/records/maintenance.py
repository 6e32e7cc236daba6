"""Rows of maintenance: what changed on a day, the reports of runs, how far runs have come.

A day is `2026-01-31`, of UTC.
"""

from strata.domain.wire.maintenance import Report
from strata.ports.rows import Item, Key
from strata.services.records.parts import digest, numbered

MAINTENANCE_PK = "MAINTENANCE"
RUN_PREFIX = "RUN#"
PARTITION_PREFIX = "PLACE#"
TENANT_PREFIX = "TENANT#"


def changes_pk(day: str) -> str:
    """The partition with the marks of a day."""
    return f"CHANGED#{day}"


def partition_mark_key(day: str, kind: str, partition: str) -> Key:
    """The mark of a partition whose memories of a kind changed: `{kind, number}`, the id of one that did.

    It does not name the partition, which may be called after a person.
    """
    return Key(changes_pk(day), f"{PARTITION_PREFIX}{kind}#{digest(partition)}")


def tenant_mark_key(day: str, tenant: str) -> Key:
    """The mark of a tenant that changed: `{tenant}`. Not a tenant's row, see `Scope.maintenance`."""
    return Key(changes_pk(day), TENANT_PREFIX + tenant)


def run_key(timestamp: int) -> Key:
    """A run with its report; `timestamp` is its start in milliseconds, and its id over the wire."""
    return Key(MAINTENANCE_PK, RUN_PREFIX + numbered(timestamp))


def maintenance_key() -> Key:
    """The progress of the runs: `{until, last, runs}` of a tenant; with `since` for the service itself."""
    return Key(MAINTENANCE_PK, "STATE")


def to_report(run: Item) -> Report:
    """A run's row as its report."""
    return Report.model_validate({name: run[name] for name in Report.model_fields if name in run})
