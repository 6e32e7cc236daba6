"""Whatever is asked in whatever order, sessions and events are those of a simple model of KAOS's memory."""

from collections import deque
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from strata.domain.errors import NotFound
from strata.domain.wire.events import NewEvent
from support.clocks import HandClock
from support.event_log import Log
from support.memory import LOCAL, application

MAX_EVENTS, MAX_SESSIONS = 4, 5
HOUR = 3600

sessions = st.sampled_from([f"s{n}" for n in range(9)])
apps = st.sampled_from(["x", "y"])
contents = st.one_of(st.text(max_size=5), st.integers(), st.none(), st.lists(st.booleans(), max_size=2))


class Modelled:
    """A session as KAOS holds it in memory."""

    def __init__(self, app, now):
        self.app = app
        self.events = deque(maxlen=MAX_EVENTS)
        self.updated_at = now


class Machine(RuleBasedStateMachine):
    """The services beside the model."""

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.clock = HandClock()
        self.log = Log(
            application(
                Path(self.folder.name),
                self.clock,
                MAX_SESSION_EVENTS=str(MAX_EVENTS),
                MAX_SESSIONS=str(MAX_SESSIONS),
            )
        )
        self.model: dict[str, Modelled] = {}
        self.order = 0

    def teardown(self):
        self.log.app.close()
        self.folder.cleanup()

    @rule(session=sessions, app=apps)
    def open(self, session, app):
        self.log.open(session, app_name=app)
        if session in self.model:
            return
        of_app = [each for each, modelled in self.model.items() if modelled.app == app]
        if len(of_app) >= MAX_SESSIONS:
            del self.model[min(of_app, key=lambda each: self.model[each].updated_at)]
        self.model[session] = Modelled(app, self.clock.us)

    @rule(session=sessions, some=st.lists(contents, min_size=1, max_size=7), sent=st.booleans())
    def add(self, session, some, sent):
        if session not in self.model:
            with pytest.raises(NotFound):
                self.log.add_all(some, session)
            return
        self.order += 1
        events = [
            NewEvent(event_type="error", content=each, event_id=f"e{self.order}-{place}" if sent else None)
            for place, each in enumerate(some)
        ]
        ids = self.log.app.events.appender.append(LOCAL, session, events)
        modelled = self.model[session]
        modelled.updated_at = self.clock.us
        modelled.events.extend((self.order, each) for each in some)
        if sent:
            assert self.log.app.events.appender.append(LOCAL, session, events) == ids

    @rule(session=sessions)
    def delete(self, session):
        assert self.log.delete(session) == (self.model.pop(session, None) is not None)

    @rule(hours=st.integers(1, 5))
    def pass_time(self, hours):
        self.clock.forward(hours * HOUR)

    @rule(hours=st.integers(1, 8))
    def clean_up(self, hours):
        cleaned = self.log.clean_up(hours)
        before = self.clock.us - hours * HOUR * 1_000_000
        old = [each for each, modelled in self.model.items() if modelled.updated_at < before]
        assert cleaned == len(old)
        for each in old:
            del self.model[each]

    @rule()
    def follow(self):
        events = sum(len(modelled.events) for modelled in self.model.values())
        average = events // len(self.model) if self.model else 0
        assert self.log.stats() == (len(self.model), events, average)

    @rule(limit=st.integers(1, 30))
    def latest(self, limit):
        whole = sorted(
            (event for modelled in self.model.values() for event in modelled.events),
            key=lambda event: event[0],
        )
        assert self.log.latest(limit) == [content for _, content in whole][-limit:]

    @invariant()
    def agrees(self):
        assert self.log.ids() == list(self.model)
        for session, modelled in self.model.items():
            assert self.log.contents(session) == [content for _, content in modelled.events]


Machine.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestMachine = Machine.TestCase
