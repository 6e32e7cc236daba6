"""The result of a verification: numbers of what agrees and what does not, with examples."""

from dataclasses import dataclass, field, fields
from typing import Any

_LISTED = 20


@dataclass(slots=True)
class Verdict:
    """The result of a verification.

    Attributes:
        rows, documents: the numbers of those that were compared.
        missing: memories that are not in the index.
        stale: memories whose document shows another state than the row.
        orphans: documents without a row.
        forgotten: notes that the stream should have settled long ago.
        pending: notes of writes on their way to the index, which are no difference.
        uncounted: rows that the totals have missed, or still hold.
        wrong_totals: projects whose totals are not the number of their rows.
        damaged: damages of the index's own storage, which a rebuild repairs; then nothing else is compared.
        repaired: the number of differences that were repaired.
        examples: the first differences, `{kind, tenant, ...}` each.
    """

    rows: int = 0
    documents: int = 0
    missing: int = 0
    stale: int = 0
    orphans: int = 0
    forgotten: int = 0
    pending: int = 0
    uncounted: int = 0
    wrong_totals: int = 0
    damaged: int = 0
    repaired: int = 0
    examples: list[dict[str, Any]] = field(default_factory=list)

    @property
    def differences(self) -> int:
        """The number of all differences."""
        of_the_index = self.missing + self.stale + self.orphans + self.damaged
        return of_the_index + self.forgotten + self.uncounted + self.wrong_totals

    @property
    def left(self) -> int:
        """The number of differences that were not repaired."""
        return self.differences - self.repaired

    def __add__(self, other: "Verdict") -> "Verdict":
        """The result of both."""
        both = {each.name: getattr(self, each.name) + getattr(other, each.name) for each in fields(self)}
        return Verdict(**both | {"examples": both["examples"][:_LISTED]})

    def add_example(self, kind: str, tenant: str, **where: object) -> None:
        """Keep an example while there are few."""
        if len(self.examples) < _LISTED:
            self.examples.append({"kind": kind, "tenant": tenant, **where})
