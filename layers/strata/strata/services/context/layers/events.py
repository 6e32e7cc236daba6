"""The layer of events: the messages in a person's sessions, for questions about the person."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from strata.domain.assembly.items import Remembered
from strata.domain.knowledge.borders import Border
from strata.domain.scope import Scope
from strata.domain.text.recalled import without_recalled
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.events import AGENT_RESPONSE, USER_MESSAGE
from strata.domain.wire.exact_json import to_value
from strata.domain.wire.messages import said
from strata.ports.rows import AnyOf, Equals, Item, Key
from strata.ports.table import Query, Row, Table
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from strata.services.people.agents import configured
from strata.services.people.holdings import owned_sessions, session_of
from strata.services.people.session_consent import refused_in
from strata.services.records.events import event_key, life_and_place, log_key, newest_events, to_log
from strata.services.records.sessions import session_key
from strata.services.table.pages import every_row
from strata.services.table.parallel import Parallel

MOST_SESSIONS, MOST_LOGS, MOST_EVENTS = 1000, 100, 100
"""Sessions of a person that are looked at; of these the logs that are read, the last changed, and of each the
events, the newest."""

_MESSAGES = AnyOf(tuple(Equals("event_type", each) for each in (USER_MESSAGE, AGENT_RESPONSE)))


@dataclass(frozen=True, slots=True)
class EventLayer:
    """The newest messages of the person's sessions, within their borders; the query does not choose.

    Those of a session stand together, oldest first.

    Attributes:
        parallel: reads several logs at once.
        newest: lists all logs, the last changed first: nobody's sessions are in no list of their own.
        max_events: how many events a log shows.
    """

    name = "events"

    table: Table
    parallel: Parallel
    newest: Callable[[Scope], Iterator[Item]]
    max_events: int

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        found = self._logs(scope, query)
        pages = self.parallel.each([partial(self.table.query, scope, self._window(log)) for log, _ in found])
        items = [
            _item(log, project, row)
            for (log, project), page in zip(found, pages, strict=True)
            for row in reversed(page.rows)
        ]
        return LayerAnswer([item for item in items if item.content.strip()])

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        return [item for item in self.recall(scope, query).items if item.id in ids]

    def _logs(self, scope: Scope, query: ContextQuery) -> list[tuple[Item, str]]:
        """The logs that may be read, the last changed first, each with the project of its session."""
        ids = self._sessions(scope, query.owner)
        if not ids:
            return []
        heads = self.table.get_many(scope, [log_key(each) for each in ids])
        if not heads:
            return []
        logs = sorted(heads.values(), key=lambda log: (-log["updated_at"], log["session_id"]))
        sessions = self.table.get_many(scope, [session_key(each["session_id"]) for each in logs])
        agents = {_session(sessions, log).get("agent_id") or log["app"] for log in logs}
        known = configured(self.table, scope, agents)
        found = []
        for log in logs:
            session = _session(sessions, log)
            agent = session.get("agent_id")
            border = Border.of([agent], [session.get("project")], apps=[] if agent else [log["app"]])
            if (
                _is_theirs(session, log, query.owner)
                and session.get("persist", True)
                and not refused_in(session)
                and border.where_configured(known).admits(query.agent_id, query.project)
            ):
                found.append((log, session.get("project") or ""))
        return found[:MOST_LOGS]

    def _sessions(self, scope: Scope, owner: str) -> list[str]:
        rows = every_row(self.table, scope, owned_sessions(owner))
        ids = [each for row in islice(rows, MOST_SESSIONS) if (each := session_of(row.key)) is not None]
        if owner == DEFAULT_OWNER:
            logs = islice(self.newest(scope), MOST_SESSIONS)
            ids += [log["session_id"] for log in logs if not log.get("user_id")]
        return list(dict.fromkeys(ids))

    def _window(self, log: Item) -> Query:
        shown = newest_events(to_log(log), self.max_events)
        return replace(shown, limit=MOST_EVENTS, where=_MESSAGES, resumable=False)


def event_of(name: str) -> Key:
    """The key of the event with this id in the layer.

    Raises:
        ValueError: it is no id of this layer.
    """
    session, life, place = name.rsplit("~", 2)
    return event_key(session, life, int(place))


def _item(log: Item, project: str, row: Row) -> Remembered:
    life, place = life_and_place(row.key)
    event = row.item
    return Remembered(
        layer=EventLayer.name,
        id=f"{log['session_id']}~{life}~{place}",
        content=without_recalled(said(to_value(event["content"]))),
        order=event["timestamp"],
        type="said" if event["event_type"] == USER_MESSAGE else "answered",
        title=log["session_id"],
        project=project,
    )


def _session(sessions: dict[Key, Item], log: Item) -> Item:
    return sessions.get(session_key(log["session_id"]), {})


def _is_theirs(session: Item, log: Item, owner: str) -> bool:
    """Whether the session is the person's; it may have become somebody's after its log was listed."""
    return (session.get("user_id") or log.get("user_id") or DEFAULT_OWNER) == owner
