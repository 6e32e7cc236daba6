"""Whatever happens in between, in whatever order: nobody who has refused is thought about or remembered."""

import hypothesis.strategies as st
from hypothesis.stateful import initialize, invariant, rule

from strata.bootstrap import Overrides
from strata.domain.errors import Unavailable
from strata.services.records.people import extraction_key, transcript_key
from support.facts import ScriptedFinder, enable, extract, known
from support.memory import Meddled
from support.refusal_machine import Refusals


class Interleavings(Refusals):
    """The finder of facts is asked in between."""

    def __init__(self) -> None:
        finder = ScriptedFinder()
        super().__init__(Overrides(fact_finder=finder))
        finder.happening = self._thinking

    @initialize()
    def begin(self) -> None:
        enable(self.memory)

    def _thinking(self) -> None:
        assert self.allowed, "a model was asked about somebody who had refused"
        assert self.enabled, "a model was asked for an agent that may not remember"
        if self.during is not None:
            self.change_mind(self.during)

    def known(self) -> list[str]:
        return sorted(known(self.memory))

    @rule(
        session=Refusals.sessions,
        during=st.sampled_from([None, None, "refuse", "erase", "persist"]),
        writing=st.booleans(),
    )
    def deliver(self, session: str, during: str | None, writing: bool) -> None:
        self.during = during if not writing else None
        late = None
        if writing and during is not None and self.allowed:
            late = Meddled(self.app.stores.table, lambda: self.change_mind(during))
        before = self.known()
        try:
            extract(self.memory, session, written_to=late)
        except Unavailable:
            pass
        finally:
            self.during = None
        if not self.allowed:
            assert self.known() in (self.at_refusal, before)

    @invariant()
    def what_is_done_keeps_no_transcript(self) -> None:
        for number in range(1, self.ended + 1):
            order = self.memory.row(extraction_key(f"s{number}"))
            if order is None or order["state"] == "done":
                assert self.memory.row(transcript_key(f"s{number}")) is None
