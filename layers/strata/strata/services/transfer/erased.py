"""The people who were erased, by the receipts of their erasures, which hold salted digests of their names.

The devices that were theirs have receipts, too: what one wrote before it had a user may have become theirs.
"""

from collections.abc import Iterable

from strata.domain.imports import ERASED
from strata.domain.scope import Scope
from strata.ports.table import Query, Table
from strata.services.records.erasures import ERASURES_PK, receipt_subject
from strata.services.table.pages import every_row
from strata.services.transfer.kinds import CONSENTS
from strata.services.transfer.seen import Seen

_PAGE = 1000


class ErasedPeople:
    """Those of some people who were erased, and when that was asked for."""

    def __init__(self, table: Table, scope: Scope, people: Iterable[str | None]) -> None:
        self._erased_at: dict[str, int] = {}
        asked = {each for each in people if each}
        done = every_row(table, scope, Query(ERASURES_PK, limit=_PAGE)) if asked else ()
        # of one channel the emptied sessions themselves keep nothing
        receipts = [row.item for row in done if "subject" in row.item and "external_type" not in row.item]
        for owner in asked:
            times = [
                receipt["requested_at"]
                for receipt in receipts
                if receipt["subject"] == receipt_subject(receipt["erasure_id"], owner)
            ]
            if times:
                self._erased_at[owner] = max(times)

    def reason(self, seen: Seen) -> str | None:
        """The reason to refuse a row: its person was erased since; None where that is not so."""
        erased_at = self._erased_at.get(seen.person or "")
        if erased_at is None or seen.kind.group == CONSENTS:
            return None
        made_at = seen.made_at
        if made_at is None:  # an observation without a time is one of now
            return None if seen.kind.name == "observation" else ERASED
        return ERASED if made_at <= erased_at else None
