"""What a step of a sweep is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from strata.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Window:
    """What a run is about: what changed on `days`, which began at `since` (µs). `run` is its timestamp."""

    run: int
    days: Sequence[str]
    since: int


@dataclass(frozen=True, slots=True)
class Swept:
    """What a piece of a step came to.

    Attributes:
        counts: by what was counted; they are added up over the pieces.
        cursor: where the next piece goes on; None when the step is done.
        again: whether there will be more to do without any further change, so that the next run must come.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    cursor: str | None = None
    again: bool = False


class Step(Protocol):
    """One kind of work of a sweep. A piece of it is bounded, and may be done twice without harm."""

    @property
    def name(self) -> str:
        """What the report calls it."""

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """Do one piece; `cursor` is what the piece before gave, None for the first.

        Raises:
            Unavailable: a store is away. The report says so, and the next run does the step.
        """
