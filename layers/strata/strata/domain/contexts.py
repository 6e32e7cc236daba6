"""What goes over the wire about assembled contexts."""

from strata.domain.models import Context, Wire
from strata.domain.retrieval import Method


class ContextItem(Wire):
    """A memory of a layer: what, and why it is there.

    `rank` counts from 1, the best; `score` is its value to this turn, 0 to 1; `tokens` its line's.
    """

    layer: str
    id: int | str
    content: str
    rank: int
    score: float
    method: Method
    tokens: int


class AssembledContext(Context):
    """A context of every layer. `unavailable` names the layers that did not answer."""

    items: list[ContextItem]
    tokens: int
    unavailable: list[str] | None = None
