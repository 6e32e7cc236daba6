"""The actions that import conclusions, with what they are drawn from and what an undo puts back."""

from collections.abc import Iterable, Sequence
from typing import Any

from strata.domain.imports import DELETED, ERASED, UNDONE, UNKEPT, NotTaken
from strata.domain.redaction.texts import without_secrets
from strata.domain.scope import Scope
from strata.domain.times import microseconds
from strata.domain.wire.exact_json import to_text
from strata.domain.wire.knowledge_lines import (
    ConclusionLine,
    ConsolidationLine,
    DeclinedLine,
    SightingsLine,
)
from strata.ports.rows import Absent, Action, AnyOf, Check, Equals, Item, Key, Put, Update
from strata.ports.table import Table
from strata.services.people.permission import learning_check
from strata.services.people.session_consent import refused_in
from strata.services.records.episodes import episode_number, episode_place_key
from strata.services.records.erasures import tombstone_key
from strata.services.records.knowledge import (
    DUE_PK,
    KNOWLEDGE_KIND,
    conclusion_key,
    consolidation_key,
    declined_key,
    knowledge_head_key,
    sighted_key,
)
from strata.services.records.owners import owned
from strata.services.records.parts import numbered
from strata.services.records.sessions import session_key
from strata.services.transfer.plan import Plan

KnowledgeLine = ConclusionLine | DeclinedLine | SightingsLine | ConsolidationLine


class KnowledgePlanner:
    """Plans the import of what was concluded about people; `prepare` reads what the plans depend on."""

    def __init__(self, table: Table, *, redacting: bool) -> None:
        self._table = table
        self._redacting = redacting
        self._found: dict[Key, Item] = {}

    def prepare(self, scope: Scope, lines: Iterable[KnowledgeLine]) -> None:
        """Read the marks of what was deleted here, and the sessions and episodes that these lines rest on."""
        keys: set[Key] = set()
        for line in lines:
            if isinstance(line, ConclusionLine):
                keys.add(declined_key(line.user_id, line.id))
            for row in _resting(line):
                sources, sessions = _supports(row)
                keys |= {place for each in sources if (place := _place(each))}
                keys |= {session_key(each) for each in sessions}
        self._found = self._table.get_many(scope, list(keys)) if keys else {}

    def plan(self, line: KnowledgeLine, *, resurrect: bool) -> Plan:
        """The plan of a row.

        Raises:
            NotTaken: it was deleted here, or rests on what was deleted or refused here.
        """
        owner = line.user_id
        listed = owned(owner, KNOWLEDGE_KIND)
        match line:
            case ConclusionLine():
                self._require(line, resurrect=resurrect)
                mark = self._found.get(declined_key(owner, line.id))
                if mark is not None and not resurrect:
                    again = microseconds(line.created_at) > mark["at"]
                    if not again or {*line.sessions} <= {*mark["sessions"]}:
                        raise NotTaken(DELETED)
                row = self._row(line) | {
                    "created_at": microseconds(line.created_at),
                    "updated_at": microseconds(line.updated_at),
                }
                key = conclusion_key(owner, line.id)
            case DeclinedLine():
                row = self._row(line) | {"at": microseconds(line.at)}
                key = declined_key(owner, line.id)
            case SightingsLine():
                self._require(line, resurrect=resurrect)
                row, key = self._sightings(line), sighted_key(owner, line.session_id)
            case ConsolidationLine():
                row, key = self._run(line, resurrect=resurrect), consolidation_key(owner, line.id)
        head = Update(
            knowledge_head_key(owner),
            set={"gsi2pk": DUE_PK, "gsi2sk": numbered(0)} | listed,
            add={"version": 1},
        )
        guards: dict[str, Action] = {
            ERASED: Check(tombstone_key(owner), Absent()),
            UNKEPT: learning_check(owner),
        }
        if isinstance(line, ConclusionLine | SightingsLine) and line.run > 0 and not resurrect:
            stands = AnyOf((Absent(), Equals("undone", None)))
            guards[UNDONE] = Check(consolidation_key(owner, line.run), stands)
        return Plan(Put(key, row | listed, Absent()), guards, head=[head])

    def _require(self, row: Any, *, resurrect: bool) -> None:
        """Require that nothing that a row rests on was refused or, unless it comes back, deleted here."""
        sources, sessions = _supports(row)
        if any(refused_in(self._found.get(session_key(each))) for each in sessions):
            raise NotTaken(UNKEPT)
        places = [place for each in sources if (place := _place(each))]
        if not resurrect and any(self._found.get(each, {}).get("state") == "gone" for each in places):
            raise NotTaken(DELETED)

    def _stands(self, row: Any, *, resurrect: bool) -> bool:
        try:
            self._require(row, resurrect=resurrect)
        except NotTaken:
            return False
        return True

    def _row(self, line: ConclusionLine | DeclinedLine) -> Item:
        """The attributes of a row but for its times."""
        row: Item = line.model_dump(exclude={"user_id"}, exclude_none=True)
        return without_secrets(row) if self._redacting else row

    def _sightings(self, line: Any) -> Item:
        row: Item = line.model_dump(mode="json", exclude={"user_id"})
        if self._redacting:
            row |= without_secrets({"sightings": row["sightings"]})
        return row | {"sightings": to_text(row["sightings"])}

    def _run(self, line: ConsolidationLine, *, resurrect: bool) -> Item:
        """A run; what rests on what was deleted or refused here is nothing that an undo puts back."""
        row = line.model_dump(exclude={"user_id", "changes", "sighted"}) | {"at": microseconds(line.at)}
        row["undone_at"] = microseconds(line.undone_at) if line.undone_at else None
        if line.undone is None:
            del row["undone"], row["undone_at"]
        row["changes"] = [
            {
                "before": {name: each and self._past(each) for name, each in change.before.items()},
                "after": change.after,
            }
            for change in line.changes
            if all(self._stands(each, resurrect=resurrect) for each in change.before.values() if each)
        ]
        seen = line.sighted
        if seen and self._stands(seen, resurrect=resurrect):
            row["sighted"] = self._sightings(seen) | owned(line.user_id, KNOWLEDGE_KIND)
        return row

    def _past(self, row: Any) -> Item:
        past: Item = row.model_dump(exclude_none=True)
        return without_secrets(past) if self._redacting else past


def _resting(line: KnowledgeLine) -> Sequence[Any]:
    """The conclusions and sightings in a line, which rest on sessions."""
    if isinstance(line, ConsolidationLine):
        rows = [row for change in line.changes for row in change.before.values() if row]
        return [*rows, *([line.sighted] if line.sighted else [])]
    return [] if isinstance(line, DeclinedLine) else [line]


def _supports(row: Any) -> tuple[list[str], list[str]]:
    """The sources and the sessions that a conclusion, or a session's sightings, rest on."""
    return (row.sources, row.sessions) if hasattr(row, "sources") else ([row.source], [row.session_id])


def _place(source: str) -> Key | None:
    number = episode_number(source)
    return None if number is None else episode_place_key(number)
