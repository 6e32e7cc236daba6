"""Sources that are recorded at the same moment: each counts once, and the names of entities lead to them."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from strata.domain.entities.shapes import Mention
from strata.domain.errors import Conflict
from strata.domain.scope import Scope
from strata.ports.rows import Check, Delete
from strata.ports.table import Query
from strata.services.entities import recording
from strata.services.entities.recording import Recorder, Source
from strata.services.entities.view import Sight
from strata.services.records.entities import (
    ENTITY_PREFIX,
    NAME_PREFIX,
    entities_pk,
    mentions_prefix,
    names_prefix,
)
from support.interrupted import Interrupted
from support.memory import LOCAL

ANA, BOB = (Mention(name, "person", 0, 1) for name in ("Ana Ruiz", "Bob Stone"))


def source_of(name, owner="ann"):
    return Source(name, owner, "s1", None, "demo", False, 1)


def test_an_entity_that_is_recorded_while_its_name_is_looked_up_is_the_one_that_is_meant(app, entities):
    waiting = ["ep-2"]

    def meanwhile(query):
        if waiting and query.prefix == names_prefix("ana ruiz", "person"):
            app.entities.recorder.record(LOCAL, source_of(waiting.pop()), [ANA], [])

    Recorder(app.stores.table, app.clock).record(LOCAL, source_of("ep-1", "bob"), [ANA], [])
    Recorder(Interrupted(app.stores.table, meanwhile), app.clock).record(LOCAL, source_of("ep-1"), [ANA], [])
    assert waiting == []
    assert [each["mention_count"] for each in entities.listed()] == [2]
    assert [each["mention_count"] for each in entities.listed(user="bob")] == [1]


@pytest.mark.parametrize(("newer", "older"), [(BOB, ANA), (ANA, BOB)])
def test_of_two_texts_of_a_source_recorded_at_once_one_is_kept_whole(app, entities, newer, older):
    record = app.entities.recorder.record
    record(LOCAL, source_of("ep-9"), [ANA, BOB], [])
    waiting = [older]

    def meanwhile(query):
        if waiting and query.prefix == mentions_prefix("ep-1"):
            record(LOCAL, source_of("ep-1"), [waiting.pop()], [])

    table = Interrupted(app.stores.table, meanwhile)
    Recorder(table, app.clock).record(LOCAL, source_of("ep-1"), [newer], [])
    assert waiting == []
    found = {each["name"]: each["mention_count"] for each in entities.listed()}
    assert found == {newer.text: 2, older.text: 1}


def test_of_many_mentions_at_once_one_entity_is_made(app, entities):
    def mention(number):
        source = Source(f"ep-{number}", "ann", "s1", None, "demo", False, number)
        while True:
            with suppress(Conflict):  # the stream brings it again
                return app.entities.recorder.record(Scope("local"), source, [ana], [])

    ana = Mention("Ana Ruiz", "person", 0, 1)
    with ThreadPoolExecutor(100) as pool:
        list(pool.map(mention, range(1, 101)))
    assert [each["mention_count"] for each in entities.listed()] == [100]


CROWD = [Mention(f"Ana Maria{number} Luisa Ruiz{number}", "person", 0, 1) for number in range(20)]
"""More names than one transaction holds."""


def name_keys(app, owner="ann"):
    page = app.stores.table.query(LOCAL, Query(entities_pk(owner), prefix=NAME_PREFIX, limit=1_000))
    return [row.key for row in page.rows]


def names(app, owner="ann"):
    """The names that lead to an entity, without its id."""
    return sorted(key.sk.rpartition("#")[0] for key in name_keys(app, owner))


def interrupted(app, when, happening):
    """A recorder that lets something happen before its first such transaction, and what is still to come."""
    waiting = [happening]

    def meanwhile(actions):
        if waiting and when(actions):
            waiting.pop()()

    return Recorder(Interrupted(app.stores.table, written=meanwhile), app.clock), waiting


def deletes_names_alone(actions):
    changes = [each for each in actions if not isinstance(each, Check)]
    return all(isinstance(each, Delete) and each.key.sk.startswith(NAME_PREFIX) for each in changes)


def writes_entities(actions):
    return any(each.key.sk.startswith(ENTITY_PREFIX) for each in actions)


def lose_names(app):
    app.stores.table.transact(LOCAL, [Delete(each) for each in name_keys(app)])


def test_who_is_named_again_while_the_names_of_a_large_source_are_deleted_keeps_the_name(app, entities):
    record = app.entities.recorder.record
    for owner in ("ann", "bob"):
        record(LOCAL, source_of("ep-1", owner), CROWD, [])
    recorder, waiting = interrupted(
        app, deletes_names_alone, lambda: record(LOCAL, source_of("ep-2"), CROWD[3:5], [])
    )
    recorder.remove(LOCAL, "ann", "ep-1")
    assert waiting == []
    of_ann = names(app)
    recorder.remove(LOCAL, "bob", "ep-1")
    assert names(app, "bob") == []
    record(LOCAL, source_of("ep-2", "bob"), CROWD[3:5], [])
    assert of_ann == names(app, "bob")


def test_names_that_another_deletes_before_the_entities_of_a_large_source_are_written_are_written_again(app):
    app.entities.recorder.record(LOCAL, source_of("ep-1", "bob"), CROWD, [])
    recorder, waiting = interrupted(app, writes_entities, lambda: lose_names(app))
    recorder.record(LOCAL, source_of("ep-1"), CROWD, [])
    assert waiting == []
    assert names(app) == names(app, "bob") != []


def test_an_entity_that_lost_its_names_is_the_one_that_is_meant_and_gets_them_back(app, entities):
    record = app.entities.recorder.record
    for owner in ("ann", "bob"):
        record(LOCAL, source_of("ep-1", owner), [ANA], [])
    lose_names(app)
    for owner in ("ann", "bob"):
        record(LOCAL, source_of("ep-2", owner), [ANA, BOB], [])
        found = {each["name"]: each["mention_count"] for each in entities.listed(user=owner)}
        assert found == {"Ana Ruiz": 2, "Bob Stone": 1}
    assert names(app) == names(app, "bob")


def test_a_recording_that_finds_no_end_is_given_up_and_goes_on_when_it_is_tried_again(app, monkeypatch):
    named = [Mention(f"Person {number:03}", "person", 0, 1) for number in range(100)]
    source = Source("ep-1", "ann", "s1", "a1", None, False, 1)

    def listed() -> int:
        return sum(app.entities.catalog.stats(LOCAL, "ann", Sight()).types.values())

    with monkeypatch.context() as patched:
        patched.setattr(recording, "_MOST_PARTS", 2)
        with pytest.raises(Conflict):
            app.entities.recorder.record(LOCAL, source, named, [])
    assert 0 < listed() < 100
    app.entities.recorder.record(LOCAL, source, named, [])
    assert listed() == 100
