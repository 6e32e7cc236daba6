"""The steps of a maintenance run, as a Protocol."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Protocol

from strata.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Window:
    """The changes that a run covers.

    Attributes:
        run: its timestamp.
        days: whose changes it covers.
        since: when the first of them began (µs).
        dry: whether it only counts what it would do. Only steps over people's knowledge take part.
        failed: the steps of this run that failed.
    """

    run: int
    days: Sequence[str]
    since: int
    dry: bool = False
    failed: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Swept:
    """The result of one piece of a step.

    Attributes:
        counts: numbers by name, added up over the pieces.
        cursor: where the next piece goes on; None when the step is done.
        flagged: ids that the report names.
        again: whether the next run must take place even without a change.
        error: why some of it could not be done; empty for none.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    cursor: str | None = None
    flagged: Sequence[str] = ()
    again: bool = False
    error: str = ""


class Step(Protocol):
    """One kind of work. Each piece of it is bounded and idempotent."""

    @property
    def name(self) -> str:
        """The name of the step in the report."""

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """Do one piece; `cursor` comes from the piece before, None for the first.

        Raises:
            Unavailable: a store does not answer. The report says so, and the next run repeats the step.
        """
