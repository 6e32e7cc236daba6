"""New observations are counted once, whatever is delivered how often, and wherever the indexer dies."""

import random
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from strata.services.maintenance.step import Window
from strata.services.maintenance.steps.notes import FORGOTTEN_SECONDS, ForgottenNotes
from strata.services.records.parts import CHANGE_PREFIX
from strata.services.records.totals import stats_key
from strata.services.search.change_notes import ChangeNotes
from strata.services.stream.follow_up import FollowUp
from strata.services.stream.totals import Totals
from strata.services.table.parallel import Parallel
from support.clocks import MINUTE, HandClock
from support.memory import LOCAL, Memory, application

PROJECTS = ("demo", "a#b%23 c")


class Died(Exception):
    """The process was killed."""


class Between:
    """A table before whose writes something happens, as often as it is told to."""

    def __init__(self, table, happening):
        self._table = table
        self._happening = happening
        self.writes = 0

    def __getattr__(self, name):
        found = getattr(self._table, name)
        if name not in {"transact", "update", "delete_many"}:
            return found

        def write(*arguments):
            self.writes += 1
            self._happening(self.writes)
            return found(*arguments)

        return write


def follower(app, table, *, sequential=False, refresh_seconds=0):
    """What follows changed rows, over an index that is always there."""
    notes = ChangeNotes(table, app.clock, Parallel(0), refresh_seconds=refresh_seconds)
    return FollowUp(lambda *_: None, Totals(table), notes, Parallel(0 if sequential else 2))


def changed(app):
    return [change.key for change in app.stores.change_log.read(0, 100_000)]


def open_notes(app):
    return list(app.stores.census.keys(CHANGE_PREFIX))


def fold_of(app, project):
    return app.stores.table.get(LOCAL, stats_key(project)) or {}


class Machine(RuleBasedStateMachine):
    """Saves, deletions and moves of memories beside followers that die, repeat and overtake each other."""

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.clock = HandClock()
        self.app = application(Path(self.folder.name), self.clock)
        self.memory = Memory(self.app)
        self.table = self.app.stores.table
        self.live: dict[int, str] = {}
        self.chance = random.Random(0)

    @initialize(seed=st.integers(0, 1000))
    def start(self, seed):
        self.chance = random.Random(seed)

    def teardown(self):
        keys = changed(self.app)
        follower(self.app, self.table).follow(LOCAL, keys)
        follower(self.app, self.table).follow(LOCAL, keys)
        for project in PROJECTS:
            row = fold_of(self.app, project)
            assert row.get("observations", 0) == list(self.live.values()).count(project)
        assert not open_notes(self.app)
        self.app.close()
        self.folder.cleanup()

    @rule(project=st.sampled_from(PROJECTS), count=st.integers(1, 4))
    def save(self, project, count):
        for _ in range(count):
            saved = self.memory.save(f"fact {self.clock.now_us()} {len(self.live)}", project=project)
            self.live[saved.id] = project

    @rule(hard=st.booleans(), place=st.integers(0, 20))
    def delete(self, hard, place):
        if self.live:
            identifier = sorted(self.live)[place % len(self.live)]
            del self.live[identifier]
            self.memory.delete(identifier, hard=hard)

    @rule(place=st.integers(0, 20))
    def change(self, place):
        if self.live:
            self.memory.change(sorted(self.live)[place % len(self.live)], title="another")

    @rule(to=st.sampled_from(PROJECTS))
    def move(self, to):
        (old,) = {*PROJECTS} - {to}
        self.app.transfer.mover.move(LOCAL, old, to)
        self.live = dict.fromkeys(self.live, to)

    @rule(
        share=st.floats(0.1, 1), dies=st.integers(1, 8), sequential=st.booleans(), seconds=st.integers(0, 2)
    )
    def follow_and_die(self, share, dies, sequential, seconds):
        def die(write):
            if write == dies:
                raise Died

        table = Between(self.table, die)
        following = follower(self.app, table, sequential=sequential, refresh_seconds=seconds)
        with suppress(Died):
            following.follow(LOCAL, self._some(share))

    @rule(share=st.floats(0.1, 1), another=st.floats(0.1, 1), before=st.integers(1, 6))
    def follow_beside_another(self, share, another, before):
        def overtake(write):
            if write == before:
                follower(self.app, self.table).follow(LOCAL, self._some(another))

        follower(self.app, Between(self.table, overtake)).follow(LOCAL, self._some(share))

    @rule(share=st.floats(0.1, 1))
    def only_count(self, share):
        """As an indexer whose engine is away does."""
        self.app.stream.totals.fold(LOCAL, self._some(share))

    @rule()
    def renew_forgotten_notes(self):
        self.clock.forward(FORGOTTEN_SECONDS + 1)
        ForgottenNotes(self.table, self.clock, self.app.stream.totals).sweep(LOCAL, Window(0, (), 0), None)

    @invariant()
    def totals_lack_exactly_what_notes_owe(self):
        self.clock.forward(2 * MINUTE)  # what was saved just now is not judged
        assert self.app.repair.recounter.wrong([LOCAL.tenant]) == []

    def _some(self, share):
        keys = changed(self.app)
        few = [key for key in keys if self.chance.random() < share]
        self.chance.shuffle(few)
        return few


TestBirths = Machine.TestCase
TestBirths.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
