"""Whatever happens in between, in whatever order: nothing is concluded about somebody who has refused."""

import tempfile
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from strata.bootstrap import Overrides
from strata.domain.errors import Unavailable
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.reading import sightings
from strata.domain.model_costs import Usage
from strata.domain.wire.consent import ConsentChange
from strata.ports.models import Question
from strata.services.knowledge.conclusions import Wanted
from strata.services.knowledge.dreamer import Dreamer
from strata.services.knowledge.proposals import Proposer
from strata.services.records.knowledge import consolidation_order_key, words_key
from support.clocks import HandClock
from support.facts import AGENT, ANN, consent, converse, enable
from support.memory import LOCAL, Meddled, Memory, application

PLACES = ("Rome", "Oslo", "Bern")


class ThinkingModel:
    """A language model that concludes one thing from a first message; something happens while it thinks."""

    name = "thinking"

    def __init__(self, happening: Any) -> None:
        self.happening = happening

    def ask(self, question: Question, shape: Any, usage: Usage) -> Any:
        if "conclusions" not in shape.model_fields:
            return shape.model_validate({"facts": []})
        self.happening()
        proposal = {
            "type": "abductive",
            "text": "Probably travels",
            "confidence": 0.5,
            "sources": [0],
            "quotes": ["I live in"],
        }
        return shape.model_validate({"conclusions": [proposal], "about": []})


class Consents(RuleBasedStateMachine):
    """Sessions end, messages arrive, people change their minds: even while a model thinks."""

    sessions = Bundle("sessions")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        overrides = Overrides(language_model=ThinkingModel(self._thinking))
        self.app = application(Path(self.folder.name), HandClock(), overrides)
        self.memory = Memory(self.app)
        self.during: str | None = None
        self.allowed = self.enabled = True
        self.session = ""
        self.refused_sessions: set[str] = set()
        self.ended = 0
        self.at_refusal: list[str] | None = None
        """The conclusions that were known when the person refused."""

    @initialize(target=sessions, place=st.sampled_from(PLACES))
    def begin(self, place: str) -> str:
        enable(self.memory)
        return self.end_a_session(place)

    def teardown(self) -> None:
        self.app.close()
        self.folder.cleanup()

    def _thinking(self) -> None:
        assert self.allowed, "a model was asked about somebody who had refused"
        assert self.enabled, "a model was asked for an agent that may not remember"
        assert self.session not in self.refused_sessions, "a model was asked about a refused session"
        self._change_of_mind(self.during)

    def _change_of_mind(self, kind: str | None) -> None:
        if kind == "session":
            self._refuse_session(self.session)
        elif kind is not None:
            self._refuse(kind)

    def _refuse(self, kind: str) -> None:
        if kind == "persist":
            consent(self.memory, persist=False)
        else:
            consent(self.memory, ai_consent=False, erase=kind == "erase")
        self.allowed = False
        self.at_refusal = self._known()
        assert not (kind == "erase" and self.at_refusal)

    def _refuse_session(self, session: str) -> None:
        self.app.people.session_consents.put(LOCAL, session, False, ANN)
        self.refused_sessions.add(session)

    def _known(self) -> list[str]:
        catalog = self.app.knowledge.conclusions
        return sorted(each.text for each in catalog.listed(LOCAL, ANN, Wanted(agent_id=AGENT)))

    @rule(target=sessions, place=st.sampled_from(PLACES))
    def another_session_ends(self, place: str) -> str:
        return self.end_a_session(place)

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
        during=st.sampled_from(["refuse", "erase", "persist", "session", None]),
        writes=st.sampled_from([None, 1, 2, 3]),
    )
    def deliver(self, session: str, during: str | None, writes: int | None) -> None:
        """The message of a session arrives; the person's mind changes while a model thinks, or at a write."""
        self.session, self.during = session, during if writes is None else None
        table: Any = self.app.stores.table
        if writes is not None and self.allowed:
            table = Meddled(table, lambda: self._change_of_mind(during), after=writes)
        model = self.app.models.consolidating
        assert model is not None
        dreamer = Dreamer(table, self.app.clock, sightings, conclude, Proposer(table, model))
        before, refused_before = self._known(), session in self.refused_sessions
        try:
            dreamer.run(LOCAL, session)
        except Unavailable:
            pass
        finally:
            self.during = None
        if not self.allowed:
            assert self._known() in (self.at_refusal, before)
        if refused_before or (writes is None and session in self.refused_sessions):
            assert self._known() == before

    @rule(kind=st.sampled_from(["refuse", "erase", "persist"]))
    def refuse(self, kind: str) -> None:
        self._refuse(kind)

    @rule(session=sessions)
    def refuse_a_session(self, session: str) -> None:
        self._refuse_session(session)

    @rule()
    def agree(self) -> None:
        self.app.people.consents.put(LOCAL, ANN, ConsentChange(ai_consent=True, persist=True), ANN)
        self.allowed, self.at_refusal = True, None

    @rule(enabled=st.booleans())
    def configure(self, enabled: bool) -> None:
        enable(self.memory, memory_enabled=enabled)
        self.enabled = enabled

    @invariant()
    def nothing_is_concluded_after_a_refusal(self) -> None:
        if self.at_refusal is not None:
            assert self._known() == self.at_refusal

    @invariant()
    def one_home_at_most_is_believed(self) -> None:
        assert len([each for each in self._known() if each.startswith("Lives in")]) <= 1

    @invariant()
    def what_is_done_keeps_no_words(self) -> None:
        for number in range(1, self.ended + 1):
            order = self.memory.row(consolidation_order_key(f"s{number}"))
            if order is None or order["state"] == "done":
                assert self.memory.row(words_key(f"s{number}")) is None
