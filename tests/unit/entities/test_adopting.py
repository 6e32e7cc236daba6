"""What a memory names moves to another owner, also what is written while it moves."""

import pytest

from strata.domain.entities.shapes import Mention, Relationship
from strata.ports.rows import Delete
from strata.ports.table import Query
from strata.services.entities.adopting import EntityAdoption
from strata.services.entities.recording import Recorder, Source
from strata.services.records.entities import entities_pk
from support.interrupted import Interrupted
from support.memory import LOCAL

ANA, BOB = (Mention(name, "person", 0, 1) for name in ("Ana Ruiz", "Bob Stone"))
KNOWS = Relationship(ANA.text, "knows", BOB.text, "")


def source_of(name):
    return Source(name, "ann", "s1", None, "demo", False, 1)


def counts(entities, user):
    return {each["name"]: each["mention_count"] for each in entities.listed(user=user)}


def adopt_while(app, happening):
    """Move all of Ann's to Bob; something happens after her rows were read, before they are deleted."""
    waiting = [happening]

    def meanwhile(actions):
        if waiting and any(
            isinstance(each, Delete) and each.key.pk == entities_pk("ann") for each in actions
        ):
            waiting.pop()()

    table = Interrupted(app.stores.table, written=meanwhile)
    EntityAdoption(table, Recorder(table, app.clock)).adopt(LOCAL, "ann", "bob")
    assert waiting == []
    assert app.stores.table.query(LOCAL, Query(entities_pk("ann"))).rows == []


def test_all_that_an_owner_named_moves(app, entities):
    app.entities.recorder.record(LOCAL, source_of("ep-1"), [ANA, BOB], [KNOWS])
    adopt_while(app, lambda: None)
    assert counts(entities, "bob") == {"Ana Ruiz": 1, "Bob Stone": 1}
    (ana,) = entities.listed(user="bob", q="ana")
    assert entities.ask(f"/{ana['id']}/relationships", user="bob")["count"] == 1


@pytest.mark.parametrize("source", ["ep-1", "ep-2"])
def test_what_is_named_meanwhile_moves_too(app, entities, source):
    record = app.entities.recorder.record
    record(LOCAL, source_of("ep-1"), [ANA], [])
    adopt_while(app, lambda: record(LOCAL, source_of(source), [ANA, BOB], []))
    assert counts(entities, "bob") == {"Ana Ruiz": 1 + (source == "ep-2"), "Bob Stone": 1}


def test_a_relationship_that_is_stated_meanwhile_moves_too(app, entities):
    record = app.entities.recorder.record
    record(LOCAL, source_of("ep-1"), [ANA, BOB], [])
    adopt_while(app, lambda: record(LOCAL, source_of("ep-1"), [ANA, BOB], [KNOWS]))
    (ana,) = entities.listed(user="bob", q="ana")
    assert entities.ask(f"/{ana['id']}/relationships", user="bob")["count"] == 1
