"""Sessions of events, called as the entry point would."""

import json

from strata.domain.wire.events import NewEvent, NewEventSession
from strata.domain.wire.sessions import NewSession
from strata.ports.table import Query
from strata.services.records.events import EVENT_PREFIX, log_key
from support.memory import LOCAL, Memory


class Log:
    """Events of a store, called as the entry point would."""

    def __init__(self, app):
        self.app = app

    def open(self, session_id="s1", **fields):
        return self.app.events.logs.open(LOCAL, NewEventSession(session_id=session_id, **fields))

    def add(self, content, session_id="s1", event_type="user_message", user_id=None, **fields):
        event = NewEvent(event_type=event_type, content=content, **fields)
        return self.app.events.appender.append(LOCAL, session_id, [event], user_id)[0]

    def add_all(self, contents, session_id="s1", **fields):
        events = [NewEvent(event_type="user_message", content=each, **fields) for each in contents]
        return self.app.events.appender.append(LOCAL, session_id, events)

    def contents(self, session_id="s1", *, limit=1000, types=()):
        """Oldest first."""
        log = self.app.events.reader.log(LOCAL, session_id)
        found = self.app.events.reader.newest(LOCAL, log, limit=limit, types=types)
        return [json.loads(event.content) for event in found][::-1]

    def latest(self, limit=1000):
        """Of all sessions, oldest first."""
        found = self.app.events.reader.newest_of_all(LOCAL, limit)
        return [json.loads(event.content) for event in found][::-1]

    def ids(self, user_id=None):
        """Of the sessions, oldest first."""
        return self.app.events.lists.session_ids(LOCAL, user_id)[::-1]

    def delete(self, session_id="s1", user_id=None):
        return self.app.events.remover.delete(LOCAL, session_id, user_id)

    def clean_up(self, hours):
        return self.app.events.remover.clean_up(LOCAL, hours)

    def start(self, session_id="s1", **fields):
        new = {"id": session_id, "project": "demo"} | fields
        return self.app.sessions.catalog.start(LOCAL, NewSession(**new))

    def stats(self):
        memory = Memory(self.app)
        memory.follow()
        return tuple(self.app.events.lists.stats(LOCAL).model_dump().values())


def stored(log, session_id="s1"):
    """The number of rows of events, shown or not."""
    query = Query(log_key(session_id).pk, prefix=EVENT_PREFIX, limit=1000)
    return len(log.app.stores.table.query(LOCAL, query).rows)
