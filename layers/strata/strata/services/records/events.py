"""Rows of sessions' event logs.

A log has a `life`, a random name that stands in every key of its events: once its head is gone, no event of
that life can be reached any more, and a new log of the same session begins empty.
"""

from dataclasses import dataclass

from strata.domain.wire.events import StoredEvent
from strata.ports.rows import Item, Key
from strata.ports.table import Query
from strata.services.records.parts import numbered, part
from strata.services.records.sessions import session_key

LOG_SK = "EVENTS"
EVENT_PREFIX = "EVENT#"
APPS_PK = "APPS"
APP_PREFIX = "APP#"
_COUNT_SK = "EVENTCOUNT"


CHATS = "chats/"
"""The apps of conversations that were imported from other tools begin so; KAOS's limits are not theirs."""


def is_imported(app: str) -> bool:
    """Whether an app's logs hold imported conversations: kept whole, and never evicted or cleaned up."""
    return app.startswith(CHATS)


def oldest_place(app: str, end: int, max_events: int) -> int:
    """The first place of a log that is shown where `end` is the next one."""
    return 0 if is_imported(app) else max(0, end - max_events)


def log_key(session_id: str) -> Key:
    """The head of a session's log: `{life, app, user_id, created_at, updated_at, next}`."""
    return Key(session_key(session_id).pk, LOG_SK)


def event_key(session_id: str, life: str, place: int) -> Key:
    """One event, by its place in the log, from 0 on."""
    return Key(session_key(session_id).pk, event_prefix(life) + numbered(place))


def event_prefix(life: str) -> str:
    """The prefix of the sort keys of one life's events."""
    return f"{EVENT_PREFIX}{life}#"


def event_guard_key(session_id: str, life: str, event_id: str) -> Key:
    """The guard of an event id that a caller chose."""
    return Key(session_key(session_id).pk, f"EVENTID#{life}#{part(event_id)}")


def event_count_key(session_id: str) -> Key:
    """The number of a log's events that are in the tenant's total: `{life, events}`."""
    return Key(session_key(session_id).pk, _COUNT_SK)


def app_key(app: str) -> Key:
    """The number of an app's logs: `{app, sessions}`."""
    return Key(APPS_PK, f"{APP_PREFIX}{part(app)}")


def event_total_key() -> Key:
    """The number of the tenant's events: `{events}`, counted by the stream's consumer."""
    return Key(APPS_PK, "TOTAL")


def app_logs(app: str) -> str:
    """gsi1: the logs of an app, by their last change."""
    return f"APP#{part(app)}"


def log_place(updated_at: int, session_id: str) -> str:
    """gsi1: a log's place among its app's."""
    return f"{numbered(updated_at)}#{session_id}"


def log_and_count_of(key: Key) -> tuple[Key, Key] | None:
    """The head and the count of the log that a changed row belongs to; None for rows of other kinds."""
    if key.sk != LOG_SK and not key.sk.startswith(EVENT_PREFIX):
        return None
    return Key(key.pk, LOG_SK), Key(key.pk, _COUNT_SK)


def life_and_place(event: Key) -> tuple[str, int]:
    """The life and the place in an event's key."""
    _, life, place = event.sk.split("#")
    return life, int(place)


@dataclass(frozen=True, slots=True)
class EventLog:
    """The log of a session's events.

    Attributes:
        session_id: the session.
        app: the app it belongs to.
        user_id: owns it; None for nobody.
        created_at: when the log was made (µs).
        updated_at: when it last changed (µs).
        next: the place of the next event.
        life: stands in the keys of its events; None where the session has no log yet.
    """

    session_id: str
    app: str
    user_id: str | None
    created_at: int
    updated_at: int
    next: int = 0
    life: str | None = None


def to_log(item: Item, owner: str | None = None) -> EventLog:
    """A log from its row; `owner` where its session names one."""
    user_id = owner or item.get("user_id")
    names = "session_id", "app", "created_at", "updated_at", "next", "life"
    return EventLog(user_id=user_id, **{name: item[name] for name in names})


def newest_events(log: EventLog, max_events: int) -> Query:
    """The events that a log shows, newest first."""
    life = log.life or ""
    oldest = event_key(log.session_id, life, oldest_place(log.app, log.next, max_events))
    return Query(oldest.pk, prefix=event_prefix(life), first=oldest.sk, newest_first=True)


def to_event(item: Item) -> StoredEvent:
    """An event from its row."""
    return StoredEvent(**{name: item[name] for name in StoredEvent.__slots__})
