"""Whatever happens in between, in whatever order: nobody who has refused is thought about or remembered."""

import tempfile
from pathlib import Path

import hypothesis.strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from strata.bootstrap import Overrides
from strata.domain.errors import Unavailable
from strata.services.records.people import extraction_key, transcript_key
from support.clocks import HandClock
from support.facts import ScriptedFinder, consent, converse, enable, extract, known
from support.memory import Meddled, Memory, application

PLACES = ("Rome", "Oslo", "Bern")


class Interleavings(RuleBasedStateMachine):
    """Sessions end, messages arrive, people change their minds: even while a model thinks."""

    sessions = Bundle("sessions")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = HandClock()
        self.finder = ScriptedFinder()
        overrides = Overrides(fact_finder=self.finder)
        self.app = application(Path(self.folder.name), self.clock, overrides)
        self.memory = Memory(self.app)
        self.finder.happening = self._thinking
        self.during: object = None
        self.allowed = True
        self.enabled = True
        self.ended = 0
        self.at_refusal: list[str] | None = None
        """The facts that were known when the person refused."""

    @initialize()
    def begin(self) -> None:
        enable(self.memory)

    def teardown(self) -> None:
        self.app.close()
        self.folder.cleanup()

    def _thinking(self) -> None:
        assert self.allowed, "a model was asked about somebody who had refused"
        assert self.enabled, "a model was asked for an agent that may not remember"
        if self.during is not None:
            self._refuse(erase=self.during == "erase")

    def _refuse(self, *, erase: bool) -> None:
        consent(self.memory, ai_consent=False, erase=erase)
        self.allowed = False
        self.at_refusal = self._known()
        assert not (erase and self.at_refusal)

    def _known(self) -> list[str]:
        return sorted(known(self.memory))

    @rule(target=sessions, place=st.sampled_from(PLACES))
    def end_a_session(self, place: str) -> str:
        self.ended += 1
        session = f"s{self.ended}"
        converse(self.memory, session, f"I live in {place}.", "", f"I love {place}.", "", "Bye")
        return session

    @rule(session=sessions)
    def end_it_again(self, session: str) -> None:
        self.memory.end(session, "I live in Lima.", "", "I love Lima.", "", "Bye")

    @rule(
        session=sessions,
        during=st.sampled_from([None, None, "refuse", "erase"]),
        writing=st.booleans(),
    )
    def deliver(self, session: str, during: str | None, writing: bool) -> None:
        self.during = during if not writing else None
        late = None
        if writing and during is not None and self.allowed:
            late = Meddled(self.app.stores.table, lambda: self._refuse(erase=during == "erase"))
        before = self._known()
        try:
            extract(self.memory, session, written_to=late)
        except Unavailable:
            pass
        finally:
            self.during = None
        if not self.allowed:
            assert self._known() in (self.at_refusal, before)

    @rule(erase=st.booleans())
    def refuse(self, erase: bool) -> None:
        self._refuse(erase=erase)

    @rule()
    def agree(self) -> None:
        consent(self.memory, ai_consent=True)
        self.allowed, self.at_refusal = True, None

    @rule(enabled=st.booleans())
    def configure(self, enabled: bool) -> None:
        enable(self.memory, memory_enabled=enabled)
        self.enabled = enabled

    @invariant()
    def nothing_is_learnt_after_a_refusal(self) -> None:
        if self.at_refusal is not None:
            assert self._known() == self.at_refusal

    @invariant()
    def one_home_at_most_is_believed(self) -> None:
        assert len([fact for fact in known(self.memory) if fact.startswith("Lives in")]) <= 1

    @invariant()
    def what_is_done_keeps_no_transcript(self) -> None:
        for number in range(1, self.ended + 1):
            order = self.memory.row(extraction_key(f"s{number}"))
            if order is None or order["state"] == "done":
                assert self.memory.row(transcript_key(f"s{number}")) is None
