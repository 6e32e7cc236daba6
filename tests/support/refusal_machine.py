"""Sessions that end, and a person who changes their mind: for machines of facts and of conclusions."""

import tempfile
from pathlib import Path

import hypothesis.strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from strata.bootstrap import Overrides
from strata.domain.wire.consent import ConsentChange
from support.clocks import HandClock
from support.facts import ANN, consent, converse, enable
from support.memory import LOCAL, Memory, application

PLACES = ("Rome", "Oslo", "Bern")


class Refusals(RuleBasedStateMachine):
    """Sessions end, messages arrive, people change their minds: even while a model thinks."""

    sessions = Bundle("sessions")

    def __init__(self, overrides: Overrides) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.app = application(Path(self.folder.name), HandClock(), overrides)
        self.memory = Memory(self.app)
        self.during: str | None = None
        self.allowed = self.enabled = True
        self.ended = 0
        self.at_refusal: list[str] | None = None
        """All that was known when the person refused."""

    def teardown(self) -> None:
        self.app.close()
        self.folder.cleanup()

    def known(self) -> list[str]:
        raise NotImplementedError

    def change_mind(self, kind: str) -> None:
        if kind == "persist":
            consent(self.memory, persist=False)
        else:
            consent(self.memory, ai_consent=False, erase=kind == "erase")
        self.allowed = False
        self.at_refusal = self.known()
        assert not (kind == "erase" and self.at_refusal)

    @rule(target=sessions, place=st.sampled_from(PLACES))
    def a_session_ends(self, place: str) -> str:
        return self.end_a_session(place)

    def end_a_session(self, place: str) -> str:
        self.ended += 1
        session = f"s{self.ended}"
        converse(self.memory, session, f"I live in {place}.", "", f"I love {place}.", "", "Bye")
        return session

    @rule(session=sessions)
    def end_it_again(self, session: str) -> None:
        self.memory.end(session, "I live in Lima.", "", "I love Lima.", "", "Bye")

    @rule(kind=st.sampled_from(["refuse", "erase", "persist"]))
    def refuse(self, kind: str) -> None:
        self.change_mind(kind)

    @rule()
    def agree(self) -> None:
        self.app.people.consents.put(LOCAL, ANN, ConsentChange(ai_consent=True, persist=True), ANN)
        self.allowed, self.at_refusal = True, None

    @rule(enabled=st.booleans())
    def configure(self, enabled: bool) -> None:
        enable(self.memory, memory_enabled=enabled)
        self.enabled = enabled

    @invariant()
    def nothing_is_learnt_after_a_refusal(self) -> None:
        if self.at_refusal is not None:
            assert self.known() == self.at_refusal

    @invariant()
    def one_home_at_most_is_believed(self) -> None:
        assert len([each for each in self.known() if each.startswith("Lives in")]) <= 1
