"""Access and erasure requests (GDPR) as they go over the wire, and the receipt of an erasure."""

from typing import Any, Literal

from strata.domain.wire.base import Wire

QUEUED, RUNNING, FINISHING, DONE = "queued", "running", "finishing", "done"
Status = Literal["queued", "running", "finishing", "done"]

KEPT = (
    "What the person has agreed to or refused, with its history: a refusal must be remembered to be kept.",
    "The audit log of consents and erasures, which names the person by the same digest as this receipt.",
    "This receipt, which names the person by a salted digest only.",
    "For an hour, ids of sessions and a digest of the person's, so that late writes are not kept.",
    "For a week, ids of sessions in which they wanted nothing kept, and nothing was.",
    "For up to 30 days, numbers of memories with their project, for the totals.",
)
"""Data that an erasure leaves in the table on purpose."""

OUT_OF_REACH = (
    "Backups: the table can be restored to any second of the last 35 days, or as long as it was set up for.",
    "A search engine expunges deleted documents when it merges its segments; they are not found any more.",
    "Streams and queues hold keys and no words, and forget them within a day and two weeks.",
    "Processes keep texts and vectors that they ranked last in a memory of bounded size until they end.",
)
"""Places where traces may remain that an erasure cannot reach."""


class ErasureStarted(Wire):
    """A requested erasure. A repeated request before its end returns the same one."""

    erasure_id: str
    status: Status


class Erasure(Wire):
    """The progress of an erasure, and at its end the receipt. Times are RFC 3339 UTC.

    Attributes:
        erasure_id: the id.
        status: `queued`, `running`, `finishing` when no more data is found, or `done`.
        requested_at, started_at, finished_at: times.
        erased: the number of erased rows of each kind, exact at any time.
        subject: SHA-256 of the erasure's id, a colon and the person's reference; present when it is done.
        external_type: the channel whose sessions alone are erased, if any.
        kept: data that stays on purpose.
        out_of_reach: places that an erasure cannot reach.
    """

    erasure_id: str
    status: Status
    requested_at: str
    started_at: str | None = None
    finished_at: str | None = None
    erased: dict[str, int]
    subject: str | None = None
    external_type: str | None = None
    kept: list[str]
    out_of_reach: list[str]


class PersonalData(Wire):
    """A page of everything stored about a person, by kind and in the shapes of the other routes.

    `next` is the cursor of the following page.
    """

    exported_at: str
    items: dict[str, list[dict[str, Any]]]
    next: str | None = None
