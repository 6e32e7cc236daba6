"""What people are given of what is stored about them, and what is left of an erasure: its receipt."""

from typing import Any, Literal

from strata.domain.wire.base import Wire

QUEUED, RUNNING, FINISHING, DONE = "queued", "running", "finishing", "done"
Status = Literal["queued", "running", "finishing", "done"]

KEPT = (
    "What the person has agreed to or refused, with its history: a refusal must be remembered to be kept.",
    "This receipt, which names the person by a salted digest only.",
    "For an hour, ids of sessions and a digest of the person's, so that late writes are not kept.",
    "For a week, ids of sessions in which they wanted nothing kept, and nothing was.",
    "For up to 30 days, numbers of memories with their project, for the totals.",
)
"""What an erasure leaves in the table on purpose."""

OUT_OF_REACH = (
    "Backups: the table can be restored to any second of the last 35 days, or as long as it was set up for.",
    "A search engine expunges deleted documents when it merges its segments; they are not found any more.",
    "Streams and queues hold keys and no words, and forget them within a day and two weeks.",
    "Processes keep texts and vectors that they ranked last in a memory of bounded size until they end.",
)
"""Where traces may be that an erasure can't reach."""


class ErasureStarted(Wire):
    """An erasure that has begun; asked for again before it is done, it is the same one."""

    erasure_id: str
    status: Status


class Erasure(Wire):
    """How far an erasure is, and at its end its receipt. Times are RFC 3339 UTC.

    Attributes:
        erasure_id: names it.
        status: `queued`, `running`, `finishing` once nothing is found any more, `done`.
        requested_at, started_at, finished_at: when.
        erased: how many of each kind were erased, exact at any time.
        subject: SHA-256 of the erasure's id, a colon and the person's reference; once it is done.
        kept: what is left on purpose.
        out_of_reach: what an erasure can't reach.
    """

    erasure_id: str
    status: Status
    requested_at: str
    started_at: str | None = None
    finished_at: str | None = None
    erased: dict[str, int]
    subject: str | None = None
    kept: list[str]
    out_of_reach: list[str]


class PersonalData(Wire):
    """A page of all that is stored about a person: by kind, as each goes over the wire elsewhere.

    `next` is the cursor of the following page.
    """

    exported_at: str
    items: dict[str, list[dict[str, Any]]]
    next: str | None = None
