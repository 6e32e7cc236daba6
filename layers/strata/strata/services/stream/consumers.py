"""Fan-out of changed rows to their consumers. A row that fails alone is separated from the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from strata.domain.errors import NewerRow, Unavailable
from strata.domain.faults import reason
from strata.domain.scope import Scope
from strata.ports.rows import Key

Consumer = Callable[[Scope, Sequence[Key]], None]


def row_kind(key: Key) -> str:
    """The kind of a row for logs, such as `EPISODES/CHANGE`: its key without the names that callers gave."""
    return f"{key.pk.partition('#')[0]}/{key.sk.partition('#')[0]}"


@dataclass(slots=True)
class FanOut:
    """The result of a fan-out: the rows that did not go through.

    Attributes:
        poisoned: rows that fail alone, each with its reason.
        pending: rows that were not processed, because a store was unavailable.
        outage: names that store, if any row is pending.
    """

    poisoned: dict[Key, str] = field(default_factory=dict)
    pending: list[Key] = field(default_factory=list)
    outage: str = ""


def fan_out(consumers: Sequence[Consumer], tenant: str, keys: Sequence[Key]) -> FanOut:
    """Give the changed rows of a tenant to every consumer, in one call each.

    A batch that fails is split in halves and retried: one bad row among n costs about 2 log n tries. An
    `Unavailable` ends the fan-out, because no row caused it; the rest is pending.
    A row of a newer version is put aside like a bad one, so that the others don't wait for the upgrade.
    """
    result = FanOut()
    parts = [list(keys)] if keys else []
    while parts:
        part = parts.pop()
        try:
            scope = Scope(tenant)
            for consumer in consumers:
                consumer(scope, part)
        except Exception as error:
            if isinstance(error, Unavailable) and not isinstance(error, NewerRow):
                result.outage = error.message
                result.pending = part + [key for each in reversed(parts) for key in each]
                break
            if len(part) == 1:
                result.poisoned[part[0]] = reason(error)
            else:
                middle = len(part) // 2
                parts += [part[middle:], part[:middle]]
    return result
