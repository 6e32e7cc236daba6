"""What a memory names moves to another owner, also what is written while it moves."""

from dataclasses import replace

import pytest

from strata.domain.entities.shapes import Mention, Relationship
from strata.ports.rows import Delete
from strata.ports.table import Query
from strata.services.entities.adopting import EntityAdoption
from strata.services.entities.recording import Recorder, Source
from strata.services.records.entities import MENTION_PREFIX, entities_pk
from support.interrupted import Interrupted
from support.memory import LOCAL

ANA, BOB = (Mention(name, "person", 0, 1) for name in ("Ana Ruiz", "Bob Stone"))
KNOWS = Relationship(ANA.text, "knows", BOB.text, "")


class Died(Exception):
    """The process was killed."""


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


def test_what_was_half_moved_when_the_process_died_stays_moved(app, entities):
    """The mentions of a source that are gone from the owner already are the heir's."""
    app.entities.recorder.record(LOCAL, source_of("ep-1"), [ANA, BOB], [KNOWS])
    table = app.stores.table

    def die(actions):
        (first, *_) = [
            each for each in actions if isinstance(each, Delete) and each.key.pk == entities_pk("ann")
        ] or [None]
        if first is not None:
            mentions = [each for each in actions if each.key.sk.startswith(MENTION_PREFIX)]
            table.transact(LOCAL, mentions[:1])
            raise Died

    dying = Interrupted(table, written=die)
    with pytest.raises(Died):
        EntityAdoption(dying, Recorder(dying, app.clock)).adopt(LOCAL, "ann", "bob")
    EntityAdoption(table, app.entities.recorder).adopt(LOCAL, "ann", "bob")
    assert counts(entities, "bob") == {"Ana Ruiz": 1, "Bob Stone": 1}
    (ana,) = entities.listed(user="bob", q="ana")
    assert entities.ask(f"/{ana['id']}/relationships", user="bob")["count"] == 1


def test_what_is_named_between_two_pages_of_an_owners_rows_moves_too(app, entities):
    table, record = app.stores.table, app.entities.recorder.record
    record(LOCAL, source_of("ep-1"), [ANA], [])
    waiting = [lambda: record(LOCAL, source_of("ep-2"), [BOB], [])]

    class Paged(Interrupted):
        def query(self, scope, query):
            page = table.query(scope, query)
            if query.pk != entities_pk("ann") or query.prefix or not waiting:
                return page
            waiting.pop()()
            later = table.query(scope, query)
            known = [row for row in page.rows if not row.key.sk.startswith(MENTION_PREFIX)]
            return replace(
                later, rows=known + [row for row in later.rows if row.key.sk.startswith(MENTION_PREFIX)]
            )

    EntityAdoption(Paged(table), app.entities.recorder).adopt(LOCAL, "ann", "bob")
    assert counts(entities, "bob") == {"Ana Ruiz": 1, "Bob Stone": 1}
