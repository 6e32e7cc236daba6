"""Gives people everything that is stored about them, in pages (GDPR 15 and 20)."""

import json

from strata.domain.cursors import foreign, opened, sealed
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.erasures import PersonalData
from strata.ports.clock import Clock
from strata.ports.table import Table
from strata.services.knowledge.claimed import ClaimedKnowledge
from strata.services.privacy.registry import holding_of
from strata.services.records.parts import digest
from strata.services.transfer.exporter import PAGE_BYTES
from strata.services.transfer.person import PersonRows, Position


class Access:
    """Gives out a person's rows, kind by kind as `registry` says."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._rows = PersonRows(table).rows
        self._clock = clock
        self._claimed = ClaimedKnowledge(table, clock)

    def page(self, scope: Scope, owner: str, cursor: str | None) -> PersonalData:
        """One page of whole rows, at most 4 MB; what is written meanwhile may be missing.

        What was concluded from their sessions before these were theirs becomes theirs first: an earlier
        version left it where it was.

        Raises:
            InvalidRequest: the cursor is not one of this person's data.
        """
        listing = digest(scope.tenant, "ai-data", owner)
        start = Position.at(opened(cursor, listing)) if cursor else Position()
        if start is None:
            raise foreign("listing")
        if cursor is None:
            self._claimed.take_over(scope, owner)
        found = PersonalData(exported_at=rfc3339(self._clock.now_us()), items={})
        size = 0
        for position, row in self._rows(scope, owner, start):
            holding = holding_of(row.key)
            if holding.shown is None:
                continue
            shown = holding.shown(row.key, row.item)
            size += len(json.dumps(json.dumps(shown)))
            if size > PAGE_BYTES and found.items:
                found.next = sealed(listing, position.place)
                break
            found.items.setdefault(holding.name, []).append(shown)
        return found
