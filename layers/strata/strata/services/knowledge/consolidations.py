"""Lists the runs of the dreamer, and undoes them."""

from collections.abc import Sequence

from strata.domain.errors import NotFound
from strata.domain.scope import Scope
from strata.domain.times import DAY, rfc3339
from strata.domain.wire.conclusions import Consolidation, UndoneConsolidation
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Equals, Item, Put, Update
from strata.ports.table import Table
from strata.services.knowledge.drawing import Change
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.records.knowledge import consolidation_key, newest_consolidations, sighted_key
from strata.services.table.retry import settled
from strata.services.table.transaction import transact

RUN_SECONDS = 90 * DAY
"""Seconds for which a run can be undone."""


class Consolidations:
    """The runs of the dreamer over a person's sessions."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._rows = KnowledgeRows(table)

    def listed(self, scope: Scope, owner: str, limit: int) -> list[Consolidation]:
        """The newest runs, newest first."""
        rows = self._table.query(scope, newest_consolidations(owner, limit)).rows
        return [_told(row.item) for row in rows]

    def undo(self, scope: Scope, owner: str, consolidation_id: str) -> UndoneConsolidation:
        """Put back what a run changed, but for what changed since; a second time changes nothing.

        Its session is not read again: what it added rests on no sightings any more.

        Raises:
            NotFound: there is no such run, or it is too old to be undone.
            Conflict: concurrent writers did not let this one settle.
        """

        def attempt(_: object) -> UndoneConsolidation:
            known = self._rows.read(scope, owner, runs=True)
            run = next((each for each in known.runs if str(each["id"]) == consolidation_id), None)
            if run is None:
                raise NotFound("no such consolidation")
            if "undone" in run:
                return _undone(run, run["undone"], already=True)
            restored = [each for each in run["changes"] if _is_unchanged(known, run, each)]
            actions: list[Action] = [
                known.conclusion(name, _put_back(known, name, row))
                for each in restored
                for name, row in each["before"].items()
            ]
            sighted = known.sighted.get(run["session_id"])
            if run["outcome"] == "concluded" and sighted is not None and sighted["run"] == run["id"]:
                key, before = sighted_key(owner, run["session_id"]), run.get("sighted")
                actions.append(Put(key, before) if before else Delete(key))
            done = {"undone": len(restored), "undone_at": self._clock.now_us()}
            mark = Update(consolidation_key(owner, run["id"]), set=done, condition=Equals("id", run["id"]))
            transact(self._table, scope, {"head": known.head, "restored": actions, "run": mark})
            return _undone(run, len(restored))

        return settled(self._clock, "the knowledge about a person", attempt)


def counted(changes: Sequence[Change]) -> dict[str, int]:
    """The numbers of conclusions that are added, changed and removed; a hidden one is removed."""
    pairs = [(each.before[name], now) for each in changes for name, now in each.after.items()]
    gone = sum(1 for _, now in pairs if now is None or "hidden" in now)
    added = sum(1 for before, _ in pairs if before is None)
    return {"added": added, "changed": len(pairs) - gone - added, "removed": gone}


def told(change: Change) -> Item:
    """A change as it is stored with its run."""
    return {"before": change.before, "after": [name for name, row in change.after.items() if row is not None]}


def _put_back(known: Knowledge, name: str, row: Item | None) -> Item | None:
    """A conclusion as it was; one that the sweep hid is the person's own choice from now on."""
    hidden = "hidden" in known.conclusions.get(name, {})
    return row | {"kept": True} if row is not None and hidden else row


def _is_unchanged(known: Knowledge, run: Item, change: Item) -> bool:
    """Whether the conclusions that changed together are as the run left them."""
    for name in change["before"]:
        now = known.conclusions.get(name)
        if name in change["after"]:
            if now is None or now["run"] != run["id"]:
                return False
        elif now is not None or known.declined.get(name, {}).get("at", 0) > run["id"]:
            return False
    return True


def _told(row: Item) -> Consolidation:
    return Consolidation(
        id=str(row["id"]),
        session_id=row["session_id"],
        at=rfc3339(row["at"]),
        outcome=row["outcome"],
        added=row["added"],
        changed=row["changed"],
        removed=row["removed"],
        left_out=row["left_out"],
        refused=row["refused"],
        undone_at=rfc3339(row["undone_at"]) if "undone_at" in row else None,
    )


def _undone(run: Item, restored: int, *, already: bool = False) -> UndoneConsolidation:
    return UndoneConsolidation(
        undone=True,
        already=already,
        consolidation_id=str(run["id"]),
        restored=restored,
        kept=len(run["changes"]) - restored,
    )
