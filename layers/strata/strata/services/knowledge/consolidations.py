"""Lists the runs of the dreamer, and undoes them."""

from collections.abc import Sequence

from strata.domain.errors import NotFound
from strata.domain.knowledge.statements import MOST_TOGETHER
from strata.domain.scope import Scope
from strata.domain.times import DAY, rfc3339
from strata.domain.wire.conclusions import Consolidation, UndoneConsolidation
from strata.ports.clock import Clock
from strata.ports.rows import Delete, Equals, Item, Put, Update
from strata.ports.table import Table
from strata.services.knowledge.drawing import Change
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.records.knowledge import consolidation_key, newest_consolidations, sighted_key
from strata.services.table.retry import settled
from strata.services.table.transaction import transact

RUN_SECONDS = 90 * DAY
"""Seconds for which a run can be undone."""
_MOST_RUNS = 10
"""Earlier runs that one undo undoes further: beside the conclusions a transaction has room for a few."""


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
                return _undone(run, already=True)
            back = _Undoing(known)
            runs = [run, *back.undo(run)]
            actions = [known.conclusion(name, row) for name, row in back.restored.items()]
            sighted = known.sighted.get(run["session_id"])
            if run["outcome"] == "concluded" and sighted is not None and sighted["run"] == run["id"]:
                key, before = sighted_key(owner, run["session_id"]), _seen_before(known, run)
                actions.append(Put(key, before) if before else Delete(key))
            now = self._clock.now_us()
            marks = [_mark(owner, each, back.done[each["id"]], now) for each in runs]
            transact(self._table, scope, {"head": known.head, "restored": actions, "runs": marks})
            return _undone({**run, **marks[0].set}, already=False)

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


class _Undoing:
    """The conclusions as they become by an undo, step by step.

    Attributes:
        restored: what is to be written, by id; None for a conclusion that goes.
        done: of each run that is undone, or further undone, the changes that are put back.
    """

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self.restored: dict[str, Item | None] = {}
        self.done: dict[int, list[Item]] = {}

    def undo(self, run: Item) -> list[Item]:
        """Undo a run; the runs that were undone before and whose changes could be put back only now.

        A run that was undone while a later one had changed the same conclusions left these as they were.
        Once the later one is undone, they are as the undone run made them: that goes, too.
        """
        self._put_back(run, run["changes"])
        further: list[Item] = []
        earlier = [each for each in self._known.runs if each["id"] < run["id"] and "undone" in each]
        for each in sorted(earlier, key=lambda each: -each["id"]):
            if len(further) < _MOST_RUNS and self._put_back(each, each["changes"]):
                further.append(each)
        return further

    def _put_back(self, run: Item, changes: Sequence[Item]) -> list[Item]:
        """Put back those of a run's changes that are as it left them, as far as a transaction goes."""
        done = []
        for each in changes:
            if len({*self.restored, *each["before"]}) <= MOST_TOGETHER and self._is_unchanged(run, each):
                for name, row in each["before"].items():
                    self.restored[name] = _with_choice(row, self._now(name))
                done.append(each)
        self.done[run["id"]] = done
        return done

    def _now(self, name: str) -> Item | None:
        return self.restored[name] if name in self.restored else self._known.conclusions.get(name)

    def _is_unchanged(self, run: Item, change: Item) -> bool:
        """Whether the conclusions that changed together are as the run left them."""
        return all(
            self._written_by(name, run) if name in change["after"] else self._gone_since(name, run)
            for name in change["before"]
        )

    def _written_by(self, name: str, run: Item) -> bool:
        now = self._now(name)
        return now is not None and now["run"] == run["id"]

    def _gone_since(self, name: str, run: Item) -> bool:
        """Whether nobody made a conclusion again, or deleted it, since the run took it away."""
        if self._now(name) is not None or self._known.declined.get(name, {}).get("at", 0) > run["id"]:
            return False
        return not any(
            name in change["before"] and change not in self.done.get(each["id"], ())
            for each in self._known.runs
            if each["id"] > run["id"]
            for change in each["changes"]
        )


def _with_choice(row: Item | None, now: Item | None) -> Item | None:
    """A conclusion as it was; one that the sweep hid is the person's own choice from now on."""
    return row | {"kept": True} if row is not None and "hidden" in (now or {}) else row


def _seen_before(known: Knowledge, run: Item) -> Item | None:
    """The sightings of a run's session before it, and before those runs of it that are undone."""
    undone = {each["id"]: each for each in known.runs if "undone" in each}
    before: Item | None = run.get("sighted")
    while before is not None and before["run"] in undone:
        before = undone[before["run"]].get("sighted")
    return before


def _mark(owner: str, run: Item, put_back: Sequence[Item], now: int) -> Update:
    """Note in a run what of it was put back; its other changes stay with it."""
    done = {
        "undone": run.get("undone", 0) + len(put_back),
        "undone_at": run.get("undone_at", now),
        "changes": [each for each in run["changes"] if each not in put_back],
    }
    return Update(consolidation_key(owner, run["id"]), set=done, condition=Equals("id", run["id"]))


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


def _undone(run: Item, *, already: bool) -> UndoneConsolidation:
    return UndoneConsolidation(
        undone=True,
        already=already,
        consolidation_id=str(run["id"]),
        restored=run["undone"],
        kept=len(run["changes"]),
    )
