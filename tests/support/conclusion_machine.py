"""Whatever happens in between, in whatever order: nothing is concluded about somebody who has refused."""

from typing import Any

import hypothesis.strategies as st
from hypothesis.stateful import initialize, invariant, rule

from strata.adapters.knowledge.statements import read_messages
from strata.bootstrap import Overrides
from strata.domain.errors import Unavailable
from strata.domain.knowledge.induction import conclude
from strata.domain.model_costs import Usage
from strata.ports.models import Question
from strata.services.knowledge.dreamer import Dreamer
from strata.services.knowledge.person import KnowledgeRows
from strata.services.knowledge.proposals import Proposer
from strata.services.records.knowledge import consolidation_order_key, words_key
from support.facts import ANN, enable
from support.memory import LOCAL, Meddled
from support.refusal_machine import PLACES, Refusals


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


class Consents(Refusals):
    """A language model proposes conclusions in between."""

    def __init__(self) -> None:
        super().__init__(Overrides(language_model=ThinkingModel(self._thinking)))
        self.session = ""
        self.refused_sessions: set[str] = set()

    @initialize(target=Refusals.sessions, place=st.sampled_from(PLACES))
    def begin(self, place: str) -> str:
        enable(self.memory)
        return self.end_a_session(place)

    def _thinking(self) -> None:
        assert self.allowed, "a model was asked about somebody who had refused"
        assert self.enabled, "a model was asked for an agent that may not remember"
        assert self.session not in self.refused_sessions, "a model was asked about a refused session"
        self._change_of_mind(self.during)

    def _change_of_mind(self, kind: str | None) -> None:
        if kind == "session":
            self.refuse_a_session(self.session)
        elif kind is not None:
            self.change_mind(kind)

    def known(self) -> list[str]:
        rows = KnowledgeRows(self.app.stores.table).conclusions(LOCAL, ANN)
        return sorted(row["text"] for row in rows)

    @rule(
        session=Refusals.sessions,
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
        dreamer = Dreamer(table, self.app.clock, read_messages, conclude, Proposer(table, model))
        before, refused_before = self.known(), session in self.refused_sessions
        try:
            dreamer.run(LOCAL, session)
        except Unavailable:
            pass
        finally:
            self.during = None
        refused = refused_before or (writes is None and session in self.refused_sessions)
        if refused or not self.allowed:
            assert self.known() in ([before] if self.allowed else [before, self.at_refusal])

    @rule(session=Refusals.sessions)
    def refuse_a_session(self, session: str) -> None:
        self.app.people.session_consents.put(LOCAL, session, False, ANN)
        self.refused_sessions.add(session)

    @invariant()
    def what_is_done_keeps_no_words(self) -> None:
        for number in range(1, self.ended + 1):
            order = self.memory.row(consolidation_order_key(f"s{number}"))
            if order is None or order["state"] == "done":
                assert self.memory.row(words_key(f"s{number}")) is None
