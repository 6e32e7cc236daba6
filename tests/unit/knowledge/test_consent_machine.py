"""Consent that is withdrawn at every moment of a run; histories in any order are among the slow tests."""

import pytest

from support.conclusion_machine import Consents


@pytest.mark.parametrize("kind", ["refuse", "persist", "session"])
def test_nothing_is_concluded_whenever_consent_is_withdrawn(kind):
    for moment in (None, 1, 2):  # while the model thinks, before it is asked, before the run is written
        people = Consents()
        session = people.begin("Rome")
        people.deliver(session, kind, moment)
        assert people.known() == []
        people.deliver(session, None, None)
        people.what_is_done_keeps_no_words()
        assert people.known() == []
        people.teardown()
