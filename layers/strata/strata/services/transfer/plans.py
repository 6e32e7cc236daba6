"""The actions that import one row of each kind but sessions and observations."""

from collections.abc import Sequence
from typing import Any

from strata.domain.imports import DELETED, OTHER_LIFE, UNKEPT, NotTaken
from strata.domain.redaction.texts import without_secrets
from strata.domain.scope import Scope
from strata.domain.times import microseconds
from strata.domain.wire.agents import AgentConfigChange
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.knowledge_lines import (
    ConclusionLine,
    ConsolidationLine,
    DeclinedLine,
    SightingsLine,
)
from strata.domain.wire.lines import (
    AgentLine,
    ConsentLine,
    EpisodeLine,
    EventLine,
    EventLogLine,
    FactLine,
    LedgerLine,
    StatementLine,
    WorkingMemoryLine,
)
from strata.domain.wire.profile_lines import DeviceLine, PastProfileLine, PreferencesLine, ProfileLine
from strata.domain.working_memory import MAX_BYTES, MAX_SIZE, size_of
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AnyOf, AtMost, Check, Equals, Item, Json, Key, Put, Update
from strata.ports.table import Table
from strata.services.episodes.rows import episode_row, pointer_row
from strata.services.people.audit import AuditLog
from strata.services.people.consent import refused
from strata.services.records.change_notes import change_notes
from strata.services.records.conversations import (
    head_key,
    ledger_key,
    mark_name,
    shard_name,
    sharded,
)
from strata.services.records.episodes import episode_key, episode_number, episode_place_key
from strata.services.records.events import app_key, app_logs, event_key, log_key, log_place, oldest_place
from strata.services.records.kinds import EPISODES
from strata.services.records.owners import owned
from strata.services.records.people import (
    FACT_KIND,
    agent_config_key,
    consent_key,
    deleted_fact_key,
    fact_key,
    facts_head_key,
)
from strata.services.records.sessions import session_key
from strata.services.transfer.consents import ConsentPlanner
from strata.services.transfer.kinds import CONCLUSIONS
from strata.services.transfer.knowledge import KnowledgePlanner
from strata.services.transfer.people import plan_of
from strata.services.transfer.plan import Plan
from strata.services.transfer.seen import Seen

_UNREFUSED = AnyOf((Absent(), Equals("ai_consent", True), Equals("ai_consent", None)))
_TOO_LARGE = f"fields: may have {MAX_BYTES} bytes of JSON"


class Planner:
    """Plans the import of rows; `prepare` reads what their plans depend on."""

    def __init__(
        self, table: Table, clock: Clock, audit: AuditLog, *, redacting: bool, max_events: int
    ) -> None:
        self._table = table
        self._clock = clock
        self._redacting = redacting
        self._max_events = max_events
        self._logs: dict[Key, Item] = {}
        self._refusing: set[str] = set()
        self._knowledge = KnowledgePlanner(table, redacting=redacting)
        self._consents = ConsentPlanner(table, clock, audit)

    def prepare(self, scope: Scope, rows: Sequence[Seen], by: str) -> None:
        """Read the logs of events, consents, and what stands against conclusions; `by` is the caller."""
        self._consents.prepare(scope, rows, by)
        lines = [seen.line for seen in rows if isinstance(seen.line, EventLine)]
        keys = list({log_key(each.session_id) for each in lines})
        self._logs = self._table.get_many(scope, keys) if keys else {}
        profiles = (ProfileLine, PastProfileLine)
        people = {seen.line.user_id for seen in rows if isinstance(seen.line, profiles)}
        said = self._table.get_many(scope, [consent_key(each) for each in people]) if people else {}
        self._knowledge.prepare(scope, (seen.line for seen in rows if seen.kind.group == CONCLUSIONS))
        self._refusing = {each for each in people if refused(said.get(consent_key(each)))}

    def plan(self, seen: Seen, *, resurrect: bool) -> Plan:  # noqa: PLR0911 - one for each kind
        """The plan of a row.

        Raises:
            NotTaken: it can't be imported here.
        """
        match seen.line:
            case ConsentLine() | StatementLine() as line:
                return self._consents.plan(line)
            case AgentLine() as line:
                return Plan(Put(agent_config_key(line.agent_id), _config(line), Absent()))
            case EventLogLine() as line:
                return _log(line)
            case EventLine() as line:
                return self._event(line)
            case EpisodeLine() as line:
                return self._episode(line, resurrect=resurrect)
            case FactLine() as line:
                return self._fact(line, resurrect=resurrect)
            case WorkingMemoryLine() as line:
                return _working_memory(line)
            case LedgerLine() as line:
                return _ledger(line)
            case ConclusionLine() | DeclinedLine() | SightingsLine() | ConsolidationLine() as line:
                return self._knowledge.plan(line, resurrect=resurrect)
            case ProfileLine() | PastProfileLine() | PreferencesLine() | DeviceLine() as line:
                return plan_of(line, refuses=line.user_id in self._refusing, redacting=self._redacting)
        raise NotImplementedError(f"nothing says how rows of the kind {seen.kind.name} are imported")

    def _event(self, line: EventLine) -> Plan:
        log = self._logs.get(log_key(line.session_id), {})
        end = log.get("next", 0)
        window = range(oldest_place(log.get("app", ""), end, self._max_events), end)
        if log.get("life") != line.life or line.place not in window:
            raise NotTaken(OTHER_LIFE)
        row = {
            "event_id": line.event_id,
            "at": microseconds(line.at),
            "timestamp": microseconds(line.timestamp),
            "event_type": line.event_type,
            "content": line.content,
            "metadata": line.metadata,
        }
        same = Check(log_key(line.session_id), Equals("life", line.life))
        return Plan(Put(event_key(line.session_id, line.life, line.place), row, Absent()), {OTHER_LIFE: same})

    def _episode(self, line: EpisodeLine, *, resurrect: bool) -> Plan:
        number = episode_number(line.id) or 0
        words: dict[str, Any] = line.model_dump(
            include={"summary", "keywords", "topic", "key_decisions", "entities", "tools_used"},
            exclude_none=True,
        )
        row = episode_row(
            number,
            session_id=line.conversation_id,
            project=line.project,
            owner=line.user_id or DEFAULT_OWNER,
            user_id=line.user_id,
            agent_id=line.agent_id,
            words=without_secrets(words) if self._redacting else words,
            importance=line.importance,
            kind=line.type,
            now=microseconds(line.updated_at),
            derived=line.derived,
            ttl_seconds=None,
        ) | {"created_at": microseconds(line.created_at)}
        if line.expires_at is not None:
            row["expires_at"] = line.expires_at
        if line.project is None:
            del row["project"]
        free = AnyOf((Absent(), Equals("state", "gone"))) if resurrect else Absent()
        pointer = Put(episode_place_key(number), pointer_row(row), free)
        notes = change_notes(EPISODES, row, self._clock.now_us())
        guards: dict[str, Action] = {DELETED: pointer}
        if line.derived:  # what an agent stored about a session that was refused stays, too
            guards[UNKEPT] = _unrefused(line.conversation_id)
        return Plan(Put(episode_key(row["owner"], number), row, Absent()), guards, notes)

    def _fact(self, line: FactLine, *, resurrect: bool) -> Plan:
        about = line.agent_id, line.user_id
        words = {name: getattr(line, name) for name in ("fact", "value", "basis")}
        row: Item = {
            "id": line.id,
            "agent_id": line.agent_id,
            "user_id": line.user_id,
            "session_id": line.session_id,
            "category": line.category,
            "hash": line.hash,
            "created_at": microseconds(line.created_at),
        } | owned(line.user_id, FACT_KIND)
        row |= without_secrets(words) if self._redacting else words
        for name in ("supersedes", "superseded_by", "expires_at"):
            if getattr(line, name) is not None:
                row[name] = getattr(line, name)
        head = Update(facts_head_key(*about), set=owned(line.user_id, FACT_KIND), add={"version": 1})
        guards: dict[str, Action] = {UNKEPT: _unrefused(line.session_id)}
        if not resurrect:
            guards[DELETED] = Check(deleted_fact_key(*about, line.hash), Absent())
        return Plan(Put(fact_key(*about, line.id), row, Absent()), guards, head=[head])


def _unrefused(session_id: str) -> Check:
    """Let an import fail of what was learnt from a session in which that is refused."""
    return Check(session_key(session_id), _UNREFUSED)


def _config(line: AgentLine) -> Item:
    row: Item = line.model_dump(include=set(AgentConfigChange.model_fields), exclude_none=True)
    return row | ({"updated_at": microseconds(line.updated_at)} if line.updated_at else {})


def _log(line: EventLogLine) -> Plan:
    updated = microseconds(line.updated_at)
    row: Item = {
        "session_id": line.session_id,
        "life": line.life,
        "app": line.app,
        "created_at": microseconds(line.created_at),
        "updated_at": updated,
        "next": line.next,
        "gsi1pk": app_logs(line.app),
        "gsi1sk": log_place(updated, line.session_id),
    } | ({"user_id": line.user_id} if line.user_id else {})
    count = Update(app_key(line.app), set={"app": line.app}, add={"sessions": 1})
    return Plan(Put(log_key(line.session_id), row, Absent()), beside=[count])


def _working_memory(line: WorkingMemoryLine) -> Plan:
    head: Item = {name: getattr(line, name) for name in ("life", "ttl_seconds", "expires_at", "kept_until")}
    head["size"] = size_of(line.fields)
    if head["size"] > MAX_SIZE:
        raise NotTaken(_TOO_LARGE)
    for number, names in sharded(line.fields).items():
        head |= {
            shard_name(number): {name: line.fields[name] for name in names},
            mark_name(number): line.life,
        }
    return Plan(Put(head_key(line.conversation_id), head, Absent()))


def _ledger(line: LedgerLine) -> Plan:
    row: dict[str, Json] = {
        "item": line.item,
        "value": line.value,
        "life": line.life,
        "marked_at": microseconds(line.marked_at),
        "expires_at": line.expires_at,
    }
    older = AnyOf((Absent(), AtMost("life", line.life - 1)))
    same = Check(head_key(line.conversation_id), Equals("life", line.life))
    return Plan(
        Put(ledger_key(line.conversation_id, line.item), row, older),
        {OTHER_LIFE: same},
        stands=lambda there: there is not None and there["life"] >= line.life,
    )
