"""The row of an order."""

from collections.abc import Mapping
from dataclasses import dataclass

from strata.domain.scope import Scope
from strata.ports.rows import Absent, Equals, Item, Json, Key, Put


@dataclass(frozen=True, slots=True)
class OrderKind:
    """One kind of work that is ordered.

    Attributes:
        name: names it in errors and log lines: "extraction".
        sort_key: the sort key of its orders, and of no other rows.
        subject: the attributes of an order that say what is to be done; its messages carry them.
        lease_seconds: longer than its worker may run, so that nobody takes over from one still at work.
    """

    name: str
    sort_key: str
    subject: tuple[str, ...]
    lease_seconds: int

    def message(self, scope: Scope, order: Item) -> Json:
        """The queue's message about an order."""
        return {"tenant": scope.tenant} | {name: order[name] for name in self.subject}


def placed(key: Key, before: Item | None, digest: str, fields: Mapping[str, Json]) -> Put | None:
    """Order work that is due at once; None where the same work was ordered before, whatever became of it.

    Args:
        key: of the order; its sort key is the kind's.
        before: the order that was just read under this key.
        digest: the same for the same work. Another one replaces an order, also while it is worked on.
        fields: the subject, what the worker must know, `expires_at`.

    The action fails where another order was placed since `before` was read.
    """
    if before is not None and before["digest"] == digest:
        return None
    seen = Absent() if before is None else Equals("digest", before["digest"])
    return Put(key, {**fields, "digest": digest, "state": "due"}, seen)
