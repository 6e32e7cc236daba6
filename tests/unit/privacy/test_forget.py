"""A refusal that erases leaves nothing that was learnt, whatever comes between."""

import pytest

from strata.domain.errors import Unavailable
from strata.domain.ids import IdSource
from strata.domain.wire.consent import ConsentChange
from strata.ports.table import Page
from strata.services.people.consent import Consents
from strata.services.privacy.forget import DerivedDataForgetter
from strata.services.records.people import consent_key
from strata.services.records.sessions import session_key
from support.facts import ANN, converse, enable, extract, known
from support.facts import consent as say
from support.memory import LOCAL

REFUSAL = ConsentChange(ai_consent=False, erase=True)


class Lagging:
    """A table whose index of persons shows nothing yet."""

    def __init__(self, table):
        self._table = table

    def query(self, scope, query):
        return Page([], None) if query.index == "gsi3" else self._table.query(scope, query)

    def __getattr__(self, name):
        return getattr(self._table, name)


class BrokenOff:
    """Forgets nothing, because the store is away."""

    def forget(self, scope, owner):
        raise Unavailable("the table does not answer")


@pytest.fixture
def knowing(memory):
    """Somebody has been learnt about."""
    enable(memory)
    converse(memory)
    extract(memory)
    assert known(memory)
    memory.follow()
    return memory


def consents(memory, learnt) -> Consents:
    return Consents(memory.app.stores.table, memory.app.clock, IdSource(), learnt, memory.app.people.audit)


def test_facts_that_an_index_does_not_show_yet_go_behind_the_stream(knowing):
    late = DerivedDataForgetter(Lagging(knowing.app.stores.table), knowing.app.clock)
    consents(knowing, late).put(LOCAL, ANN, REFUSAL, "ann")
    assert known(knowing)
    knowing.follow()
    assert known(knowing) == []
    assert "forgets" not in knowing.app.stores.table.get(LOCAL, consent_key(ANN))


def test_lines_of_a_persons_sessions_are_forgotten_and_nobody_elses(knowing):
    said = "We decided to move the billing of Northwind to Postgres in March.", "Remind me of the budget."
    for number, owner in enumerate((ANN, "bob")):
        converse(knowing, f"told{number}", *said, owner=owner)
    table = knowing.app.stores.table

    def lines():
        return [table.get(LOCAL, session_key(f"told{number}"))["about"] for number in range(2)]

    assert all("Postgres" in line for line in lines())
    consents(knowing, DerivedDataForgetter(table, knowing.app.clock)).put(LOCAL, ANN, REFUSAL, "ann")
    forgotten, other = lines()
    assert forgotten == ""
    assert "Postgres" in other


def test_what_was_broken_off_is_ended_behind_the_stream(knowing):
    with pytest.raises(Unavailable):
        consents(knowing, BrokenOff()).put(LOCAL, ANN, REFUSAL, "ann")
    assert known(knowing)
    knowing.follow()
    assert known(knowing) == []


@pytest.mark.parametrize("refused_again", [False, True])
def test_what_is_learnt_after_a_change_of_mind_stays(knowing, refused_again):
    consents(knowing, DerivedDataForgetter(knowing.app.stores.table, knowing.app.clock)).put(
        LOCAL, ANN, REFUSAL, "ann"
    )
    say(knowing, ai_consent=True)
    converse(knowing, "s2")
    extract(knowing, "s2")
    if refused_again:
        say(knowing, ai_consent=False)
    before = known(knowing)
    assert before
    knowing.follow()
    assert known(knowing) == before
