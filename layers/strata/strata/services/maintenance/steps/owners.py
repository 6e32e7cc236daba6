"""The parts that steps over people share."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from strata.domain.errors import Unavailable
from strata.domain.faults import reason
from strata.services.maintenance.step import Swept


def skipped(why: str) -> Swept:
    """The result of a step that is put off because the machine is busy."""
    return Swept({"skipped": 1}, again=True, error=f"skipped: the machine is busy ({why})")


def for_each(
    owners: Sequence[str],
    after: str | None,
    work: Callable[[str], Mapping[str, int] | None],
    then: Callable[[str], None] = lambda _: None,
) -> Swept:
    """Work for each of these people; one for whom it fails keeps nobody else waiting, and is swept again.

    Args:
        owners: the people of this piece.
        after: the cursor of the next piece.
        work: is done for one; the numbers for the report, or None where the person is passed over.
        then: follows for one whose numbers count.

    Raises:
        Unavailable: a store or a model does not answer.
    """
    counts: Counter[str] = Counter(people=0)
    error = ""
    for owner in owners:
        try:
            found = work(owner)
            if found is not None:
                counts.update(found)
                counts["people"] += 1
                then(owner)
        except Unavailable:
            raise
        except Exception as failed:
            error = reason(failed)
            counts["failed"] += 1
    return Swept(counts, after, again=bool(error), error=error)
