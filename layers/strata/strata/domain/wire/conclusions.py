"""Conclusions about a person as they go over the wire (agtOS)."""

from enum import StrEnum

from pydantic import Field

from strata.domain.knowledge.statements import ConclusionType
from strata.domain.wire.base import Wire


class Quote(Wire):
    """Words that a conclusion rests on, as the person wrote them; `source` is one of its sources."""

    text: str
    source: str
    at: str


class Conclusion(Wire):
    """A conclusion about a person, in one sentence.

    `sources` are ids of episodes; of the session where it has none. `against` is the number of
    counter-examples. It is given only where all of `agents` and `projects` may be seen. `stale` ones were
    supported long ago: what the person did not state loses confidence from then on.
    """

    id: str
    text: str
    type: ConclusionType
    confidence: float
    sources: list[str]
    quotes: list[Quote]
    agents: list[str]
    projects: list[str]
    against: int
    created_at: str
    updated_at: str
    stale: bool


class ConclusionFilter(StrEnum):
    """A type of conclusions; agtOS's `inferred` are the last three, `corrected` replaced an older value."""

    EXPLICIT = "explicit"
    DEDUCTIVE = "deductive"
    INDUCTIVE = "inductive"
    ABDUCTIVE = "abductive"
    INFERRED = "inferred"
    CORRECTED = "corrected"


class DeletedConclusion(Wire):
    """The conclusion that was deleted."""

    deleted: bool
    conclusion_id: str = Field(alias="conclusionId")


class DeletedConclusions(Wire):
    """The number of conclusions that were deleted."""

    deleted: bool
    count: int


class Consolidation(Wire):
    """A run of the dreamer over one session, or a step of the sweep, and what it did to conclusions.

    `outcome` is `concluded`, or `stopped` where it would have removed more than a fifth of them; the sweep
    has no `session_id`, and its step as the outcome. `left_out` is how many changes wait, `refused` why
    proposals of a language model were not taken.
    """

    id: str
    session_id: str | None
    at: str
    outcome: str
    added: int
    changed: int
    removed: int
    left_out: int
    refused: list[str]
    undone_at: str | None = None


class ConsolidationsAnswer(Wire):
    """The runs of the dreamer for a person, newest first."""

    consolidations: list[Consolidation]


class UndoneConsolidation(Wire):
    """The changes of a run that were put back, and those that were kept because something changed since.

    `already` is true where the run had been undone before: nothing changes now. The undo of a later run puts
    back what it kept from being put back before; the numbers are those of now.
    """

    undone: bool
    already: bool = False
    consolidation_id: str = Field(alias="consolidationId")
    restored: int
    kept: int


class Conclusions(Wire):
    """A person's conclusions, the latest supported first."""

    conclusions: list[Conclusion]
