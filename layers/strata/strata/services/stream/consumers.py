"""Changed rows go to those who follow them; one that can't be digested is told apart from its neighbours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from strata.domain.errors import NewerRow, Unavailable
from strata.domain.scope import Scope
from strata.ports import Key
from strata.services.faults import reason

Consumer = Callable[[Scope, Sequence[Key]], None]


@dataclass(slots=True)
class Digest:
    """What became of changed rows. All others than these went through.

    Attributes:
        poisoned: what fails alone, each with its reason.
        pending: what was not tried to its end, because a store was away.
        outage: says which, when `pending` holds any.
    """

    poisoned: dict[Key, str] = field(default_factory=dict)
    pending: list[Key] = field(default_factory=list)
    outage: str = ""


def digest(consumers: Sequence[Consumer], tenant: str, keys: Sequence[Key]) -> Digest:
    """Give a tenant's changed rows to every consumer, together.

    Where they fail together for a reason of their own they are given again by halves: a bad one among n costs
    about 2 log n tries. An `Unavailable` ends it, because it is no row's fault: it is neither bad nor done.
    A row of a newer version is put aside like a bad one, so that the others don't wait for the upgrade.
    """
    result = Digest()
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
