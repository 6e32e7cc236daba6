"""Extracts the facts of an ended session, once, as long as the agent may remember the person.

The order (`facts/orders`) says how far the extraction is: `window` is the first part of the conversation that
was not searched yet. Every write has the lease and the permission to remember as conditions: of many
deliveries one works, facts that a killed worker wrote are not written again, and nothing is written after a
refusal.
"""

import json
import logging
from collections.abc import Sequence

from strata.domain.facts.windows import windows
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Present, Update
from strata.ports.table import Table
from strata.services.facts.finders import FactFinder
from strata.services.facts.orders import EXTRACTION
from strata.services.facts.writer import About, FactWriter, PreconditionFailed
from strata.services.orders.lease import Lease, LeaseLost, Leases
from strata.services.people.agents import config_of
from strata.services.people.permission import permission_checks, permission_keys, permitted
from strata.services.records.people import agent_config_key, extraction_key, transcript_key

SHIFT_SECONDS = 150
"""After so long a worker hands the rest of a long conversation on."""

_log = logging.getLogger("strata.facts")


class Extraction:
    """Carries out orders for the facts of ended sessions.

    Args:
        table, clock: the store and the time.
        finder: finds facts in what was said.
        writer: writes them.
    """

    def __init__(self, table: Table, clock: Clock, finder: FactFinder, writer: FactWriter) -> None:
        self._table = table
        self._clock = clock
        self._finder = finder
        self._writer = writer
        self._leases = Leases(table, clock, EXTRACTION)

    def run(self, scope: Scope, session_id: str) -> None:
        """Extract the facts of an ended session. One that is done, or that nobody ordered, is passed over.

        Raises:
            ModelFailed, Unavailable: it is to be tried again; also while another worker has the session.
        """
        self._leases.work(scope, extraction_key(session_id), self._extract)

    def _extract(self, lease: Lease) -> None:
        transcript = self._table.get(lease.scope, transcript_key(lease.order["session_id"]))
        if transcript is None:
            return self._finish(lease, "expired")
        turns: list[str] = json.loads(transcript["turns"])
        parts = list(windows(turns))
        began = self._clock.now_us()
        while lease.order["window"] < len(parts):
            if self._clock.now_us() - began > SHIFT_SECONDS * 1_000_000:
                return lease.hand_on()
            about = self._permitted(lease)
            if about is None:
                return self._finish(lease, "refused")
            self._search(lease, about, parts[lease.order["window"]])
        agent_id = lease.order["agent_id"]
        config = config_of(agent_id, self._table.get(lease.scope, agent_config_key(agent_id)))
        return self._finish(lease, "found", keep_days=config.transcript_retention_days)

    def _permitted(self, lease: Lease) -> About | None:
        """The person the facts are about, while the agent may remember them."""
        agent_id, owner, session_id = (lease.order[name] for name in ("agent_id", "user_id", "session_id"))
        rows = self._table.get_many(lease.scope, permission_keys(agent_id, owner, session_id))
        config = permitted(agent_id, owner, session_id, rows)
        said_at = lease.order.get("said_at")
        return About(agent_id, owner, session_id, config, said_at) if config is not None else None

    def _search(self, lease: Lease, about: About, turns: Sequence[str]) -> None:
        """Find and write the facts of one part of the conversation."""
        order = lease.order
        found = self._finder.find(lease.scope, turns)
        room = max(0, about.config.max_facts_per_session - order["facts"])
        left_out = len(found[room:])
        if left_out:
            _log.warning("%d fact(s) of a session are above its cap", left_out)
        progress = {
            "window": order["window"] + 1,
            "facts": order["facts"] + len(found[:room]),
            "left_out": order["left_out"] + left_out,
        }
        checks = permission_checks(about.agent_id, about.owner, about.session_id)
        try:
            self._writer.write(
                lease.scope, about, found[:room], preconditions=checks, last=[lease.progress(progress)]
            )
        except PreconditionFailed:
            if self._permitted(lease) is not None:
                raise LeaseLost from None
        else:
            order.update(progress)

    def _finish(self, lease: Lease, outcome: str, *, keep_days: int = 0) -> None:
        key = transcript_key(lease.order["session_id"])
        end = self._clock.now_us() // 1_000_000 + keep_days * DAY
        transcript: Action = (
            Update(key, set={"expires_at": end}, condition=Present()) if keep_days else Delete(key)
        )
        lease.finish(outcome, {"transcript": transcript})
