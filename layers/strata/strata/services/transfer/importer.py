"""Imports exports, from Strata or from another store; idempotent: the same page twice adds nothing.

What refuses others is imported first: consents, before sessions, before what lies in them. A row that an
import does not take is named with the reason and refuses no other.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from strata.domain.imports import EXPIRED, UNKEPT, NotTaken
from strata.domain.scope import ADMIN, Scope
from strata.domain.wire.knowledge_lines import EntityLine, MentionLine
from strata.domain.wire.lines import ObservationLine, SessionLine
from strata.domain.wire.transfer import Import, Imported, Skipped, Unreadable
from strata.ports.clock import Clock
from strata.ports.table import Table
from strata.services.people.audit import AuditLog
from strata.services.people.consent import refused
from strata.services.people.ownership import Ownership
from strata.services.records.people import consent_key
from strata.services.transfer.erased import ErasedPeople
from strata.services.transfer.kinds import BY_NAME, CONCLUSIONS, ENTITIES, FACTS
from strata.services.transfer.observations import ObservationImport
from strata.services.transfer.people import UNLEARNT
from strata.services.transfer.rows import RowImport
from strata.services.transfer.seen import Seen, read_line
from strata.services.transfer.sessions import SessionImport

IMPORTER = "an import"
"""Stands for who reports rows where no caller is named."""
_NEEDS_ADMIN = "importing this kind needs the 'admin' scope"
_LEARNT = (FACTS, CONCLUSIONS, ENTITIES)

AddNamed = Callable[..., Sequence[bool | str]]
"""Adds entities and mentions of one owner, see `services/entities/importing`."""


class Importer:
    """Imports rows of every kind that an export carries."""

    def __init__(
        self,
        table: Table,
        clock: Clock,
        ownership: Ownership,
        make_room: Callable[[Scope, int], None],
        add_named: AddNamed,
        audit: AuditLog,
        *,
        dedupe_window: int,
        redacting: bool = True,
        max_events: int = 500,
    ) -> None:
        self._table = table
        self._clock = clock
        self._ownership = ownership
        self._make_room = make_room
        self._add_named = add_named
        self._sessions = SessionImport(table, clock, audit, redacting=redacting)
        self._observations = ObservationImport(table, clock, dedupe_window=dedupe_window, redacting=redacting)
        self._rows = RowImport(table, clock, audit, redacting=redacting, max_events=max_events)

    def load(self, scope: Scope, data: Import, *, resurrect: bool = False, by: str = IMPORTER) -> Imported:
        """Add the rows that are not there yet, and count them.

        A row that names no user belongs to the owner of its session, as a save does. Rows of people about
        whom nothing new may be kept are left out, and so are those in sessions that keep nothing or are
        theirs, rows that can't be read, and what was deleted here, or is about people who were erased
        since; each is named in `skipped`.

        Args:
            scope: the caller's; configurations and statements need the scope `admin`.
            data: the rows.
            resurrect: whether to bring back what was deleted or erased here.
            by: the caller, for the records of what people agreed to or refused.

        Raises:
            Forbidden: `resurrect` without the scope `admin`.
            LimitReached: its sessions and observations could be too many for the tenant.
        """
        if resurrect:
            scope.require(ADMIN)
        skipped: list[Skipped] = []
        seen = list(_read(data, skipped))
        if counted := sum(isinstance(each.line, SessionLine | ObservationLine) for each in seen):
            self._make_room(scope, counted)
        added = Counter[str]()
        erased = ErasedPeople(self._table, scope, () if resurrect else [each.person for each in seen])
        for order in sorted({each.kind.order for each in seen}):
            rows = [each for each in seen if each.kind.order == order]
            taken = list(self._allowed(scope, rows, erased, skipped))
            added.update(self._add(scope, taken, skipped, resurrect=resurrect, by=by))
        lines = {name: count for name, count in sorted(added.items()) if count}
        return Imported(
            imported_sessions=added["session"],
            imported_observations=added["observation"],
            imported=lines if data.lines is not None else None,
            skipped=sorted(
                skipped, key=lambda each: (each.kind == "observation" and data.lines is None, each.index)
            )
            or None,
        )

    def _allowed(
        self, scope: Scope, rows: Sequence[Seen], erased: ErasedPeople, skipped: list[Skipped]
    ) -> Iterator[Seen]:
        """Those of these rows that may be kept, each with its owner."""
        now = self._clock.now_us() // 1_000_000
        writes = [each.write for each in rows if each.write]
        kept = self._ownership.kept(scope, writes) if writes else {}
        known = {each.line.user_id for each in rows if each.kind.group in _LEARNT}
        consents = self._table.get_many(scope, [consent_key(each) for each in known]) if known else {}
        for each in rows:
            ends = getattr(each.line, "expires_at", None)
            if each.kind.admin and not scope.may(ADMIN):
                skipped.append(each.skipped(_NEEDS_ADMIN))
            elif reason := erased.reason(each):
                skipped.append(each.skipped(reason))
            elif each.write and each.write not in kept:
                skipped.append(each.skipped(UNKEPT))
            elif each.kind.group in _LEARNT and refused(consents.get(consent_key(each.line.user_id))):
                skipped.append(each.skipped(UNLEARNT))
            elif ends is not None and ends <= now:
                skipped.append(each.skipped(EXPIRED))
            else:
                yield each.owned(kept[each.write]) if each.write else each

    def _add(
        self, scope: Scope, rows: Sequence[Seen], skipped: list[Skipped], *, resurrect: bool, by: str
    ) -> Counter[str]:
        added = Counter[str]()
        others: list[Seen] = []
        named: dict[str, list[Seen]] = {}
        for each in rows:
            try:
                match each.line:
                    case SessionLine() as session:
                        added["session"] += self._sessions.add(scope, session, by)
                    case ObservationLine() as observation:
                        done = self._observations.add(scope, observation, resurrect=resurrect)
                        added["observation"] += done
                    case EntityLine() | MentionLine() as line:
                        named.setdefault(line.user_id, []).append(each)
                    case _:
                        others.append(each)
            except NotTaken as refusal:
                skipped.append(each.skipped(refusal.reason))
        added.update(self._rows.add(scope, others, skipped, resurrect=resurrect, by=by))
        for owner, some in named.items():
            taken = self._add_named(scope, owner, [each.line for each in some], resurrect=resurrect)
            for each, outcome in zip(some, taken, strict=True):
                if isinstance(outcome, str):
                    skipped.append(each.skipped(outcome))
                else:
                    added[each.kind.name] += outcome
        return added


def _read(data: Import, skipped: list[Skipped]) -> Iterator[Seen]:
    """The rows that can be read; the others are added to `skipped`."""
    owners: dict[str, str | None] = {}
    for index, session in enumerate(data.sessions or ()):
        if isinstance(session, Unreadable):
            skipped.append(Skipped(kind="session", index=index, reason=session.reason))
            continue
        owners[session.id] = session.user_id
        yield Seen(BY_NAME["session"], index, SessionLine.model_construct(**dict(session)))
    for index, row in enumerate(data.observations or ()):
        if isinstance(row, Unreadable):
            skipped.append(Skipped(kind="observation", index=index, reason=row.reason))
            continue
        owner = row.session_user_id or owners.get(row.session_id)
        line = ObservationLine.model_construct(
            row.model_fields_set - {"user_id"}, **dict(row) | {"session_user_id": owner}
        )
        yield Seen(BY_NAME["observation"], index, line)
    for index, text in enumerate(data.lines or ()):
        found = read_line(index, text)
        if isinstance(found, Skipped):
            skipped.append(found)
        elif found is not None:
            yield found
