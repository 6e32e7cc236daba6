"""A restored store is brought to what the present one knows; in both of two tenants, and of two people."""

from pathlib import Path

import pytest

from strata.adapters.sqlite.copies import copy_in, copy_out
from strata.bootstrap import Overrides
from strata.domain.entities.shapes import Mention
from strata.domain.errors import NotFound, Unauthenticated
from strata.domain.scope import Scope
from strata.domain.wire.consent import ConsentChange
from strata.domain.wire.episodes import NewEpisode
from strata.ports.rows import Delete, Put
from strata.services.entities.catalog import Wanted
from strata.services.entities.recording import Source
from strata.services.entities.view import Sight
from strata.services.records.episodes import episodes_pk
from strata.services.records.knowledge import conclusion_key, declined_key
from strata.services.records.owners import owned
from strata.services.records.profiles import profile_key
from strata.services.records.sessions import session_key
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application, learn

OTHER = Scope("other")


@pytest.fixture
def present(tmp_path: Path) -> Memory:
    return Memory(application(tmp_path / "present", HandClock(), ERASURE_SETTLE="0"))


@pytest.fixture
def restored(present: Memory, tmp_path: Path):
    """Copies the store when it is called first; then carries over what is known, and gives the copy."""
    copy = tmp_path / "restored" / "strata.db"
    copy.parent.mkdir()

    def back_up() -> None:
        backup = tmp_path / "backup.db"
        copy_out(present.app.stores.database, backup, replacing=False)
        copy_in(backup, copy)

    def carry_over() -> tuple[Memory, dict[str, int]]:
        overrides = Overrides(clock=present.app.clock)
        memory = Memory(application(copy.parent, overrides=overrides, ERASURE_SETTLE="0"))
        known = memory.app.privacy.carry_over(present.app.stores)
        known.directory()
        known.decisions()
        return memory, {name: count for name, count in known.done.counts.items() if count}

    return back_up, carry_over


def in_both(present: Memory) -> list[Memory]:
    return [present, Memory(present.app, OTHER)]


def test_deleted_facts_and_episodes_stay_deleted(present, restored):
    back_up, carry_over = restored
    stored, learnt = {}, {}
    for memory in in_both(present):
        app, scope = memory.app, memory.scope
        stored[scope] = [
            app.episodes.catalog.store(
                scope,
                NewEpisode(conversation_id=f"c {each}", agent_id="a1", user_id=each, summary=f"{each} moved"),
            )
            for each in ("ann", "bob")
        ]
        learnt[scope] = [
            learn(app, scope, ("place", f"{each} lives in Rome"), owner=each)[0] for each in ("ann", "bob")
        ]
    back_up()
    present.app.episodes.catalog.forget(LOCAL, "ann", stored[LOCAL][0])
    present.app.facts.catalog.delete(LOCAL, "a1", "bob", learnt[LOCAL][1])

    memory, counts = carry_over()

    assert counts == {"deleted": 2}
    episodes = {
        (scope, each): [row for row in Memory(memory.app, scope).rows(episodes_pk(each)) if "summary" in row]
        for scope in (LOCAL, OTHER)
        for each in ("ann", "bob")
    }
    assert episodes[LOCAL, "ann"] == []
    assert all(rows for place, rows in episodes.items() if place != (LOCAL, "ann"))
    facts = {
        (scope, each): len(memory.app.facts.catalog.listed(scope, "a1", each, 10))
        for scope in (LOCAL, OTHER)
        for each in ("ann", "bob")
    }
    assert facts == {(LOCAL, "ann"): 1, (LOCAL, "bob"): 0, (OTHER, "ann"): 1, (OTHER, "bob"): 1}


def test_who_refused_since_is_learnt_nothing_of(present, restored):
    back_up, carry_over = restored
    for memory in in_both(present):
        for each in ("ann", "bob"):
            memory.start(f"of {each}", user_id=each)
            learn(memory.app, memory.scope, ("place", f"{each} lives in Rome"), owner=each)
    back_up()
    present.app.people.consents.put(LOCAL, "ann", ConsentChange(ai_consent=False), "operator")
    present.app.people.session_consents.put(OTHER, "of bob", False, "operator")

    memory, counts = carry_over()

    assert counts == {"refused": 1, "statements": 2, "audit_entries": 2}
    catalog = memory.app.facts.catalog
    assert [len(catalog.listed(LOCAL, "a1", each, 10)) for each in ("ann", "bob")] == [0, 1]
    assert [len(catalog.listed(OTHER, "a1", each, 10)) for each in ("ann", "bob")] == [1, 1]
    assert memory.app.people.consents.get(LOCAL, "ann") == present.app.people.consents.get(LOCAL, "ann")
    assert memory.app.people.consents.get(OTHER, "ann").ai_consent is None
    sessions = [Memory(memory.app, OTHER).row(session_key(f"of {each}")) for each in ("ann", "bob")]
    assert [each.get("ai_consent") for each in sessions] == [None, False]
    told = {each.metadata.get("sessionId") for each in memory.app.people.audit.listed(OTHER, None, 10)}
    assert told == {"of bob"}


def test_an_older_statement_never_takes_the_place_of_a_newer_one(present, restored):
    back_up, carry_over = restored
    present.app.people.consents.put(LOCAL, "ann", ConsentChange(ai_consent=False), "operator")
    learn(present.app, LOCAL, ("place", "ann lives in Rome"), owner="ann")
    back_up()

    memory, counts = carry_over()

    assert counts == {}
    assert len(memory.app.facts.catalog.newest(LOCAL, "a1", "ann", 10)) == 1


@pytest.mark.parametrize("is_done", [False, True], ids=["under way", "done"])
def test_who_was_erased_since_is_erased_in_the_copy_with_the_same_receipt(present, restored, is_done):
    back_up, carry_over = restored
    for memory in in_both(present):
        for session, each in (("s1", "ann"), ("s2", "bob")):
            memory.start(session, user_id=each)
            memory.save(f"{each} likes tea", session_id=session)
            memory.end(session, "I like tea", "Noted")
    present.follow()
    back_up()
    begun = present.app.privacy.erasures.begin(LOCAL, "ann", "operator")
    while is_done and present.app.privacy.erasures.get(LOCAL, begun.erasure_id).status != "done":
        present.work()

    memory, counts = carry_over()

    assert counts == {"erased": 1, "audit_entries": 1}
    receipt = memory.app.privacy.erasures.get(LOCAL, begun.erasure_id)
    assert receipt.status == "done"
    assert receipt.erased["observations"] == 1
    assert receipt.subject is not None
    with memory.app.stores.database.reading() as connection:
        rows = [row[0] for row in connection.execute("SELECT pk || sk || item FROM items ORDER BY pk, sk")]
    assert not [row for row in rows if row.startswith("local#") and "ann" in row]
    assert [row for row in rows if row.startswith("other#") and "ann likes tea" in row]
    assert [row for row in rows if row.startswith("local#") and "bob likes tea" in row]
    assert memory.app.repair.verifier.verify().orphans == 0


def test_a_revoked_key_stays_revoked_and_a_new_one_works(present, restored):
    back_up, carry_over = restored
    keys = present.app.credentials.keys
    old, kept = (keys.create(each, scopes=["read"]) for each in ("local", "other"))
    back_up()
    keys.revoke(old.info.id)
    new = keys.create("local", scopes=["read"])

    memory, counts = carry_over()

    with pytest.raises(Unauthenticated, match="revoked"):
        memory.app.credentials.keys.verify(old.key)
    assert [memory.app.credentials.keys.verify(each.key).tenant for each in (kept, new)] == ["other", "local"]
    assert counts == {"keys": 2}


def test_limits_of_tenants_are_as_they_are_now(present, restored):
    back_up, carry_over = restored
    limits = present.app.tenants.limits
    limits.set("local", {"requests": 5, "items": 100})
    limits.set("other", {"requests": 7})
    back_up()
    limits.set("local", {"requests": 50}, default=("items",))

    memory, counts = carry_over()

    assert memory.app.tenants.limits.list() == limits.list()
    assert limits.list()["local"].requests == 50
    assert limits.list()["local"].items is None
    assert counts == {"limits": 1}


def test_only_the_deleted_memory_is_deleted(present, restored):
    back_up, carry_over = restored
    saved = present.save("tea is in the second drawer")
    deleted = present.save("coffee is in the first drawer")
    back_up()
    present.delete(deleted.id)

    memory, counts = carry_over()

    assert counts == {"deleted": 1}
    assert memory.get(saved.id).content == "tea is in the second drawer"
    with pytest.raises(NotFound):
        memory.get(deleted.id)


def test_a_deleted_conclusion_stays_deleted_and_is_not_drawn_again(present, restored):
    back_up, carry_over = restored
    for memory in in_both(present):
        for person in ("ann", "bob"):
            row = {"id": "c1", "subject": "tea", "value_key": "likes", "sessions": ["s1"], "created_at": 1}
            row |= owned(person, "conclusion")
            memory.app.stores.table.transact(memory.scope, [Put(conclusion_key(person, "c1"), row)])
    back_up()
    mark = {"id": "c1", "subject": "tea", "value_key": "likes", "sessions": ["s1"], "at": 2}
    present.app.stores.table.transact(
        LOCAL, [Delete(conclusion_key("ann", "c1")), Put(declined_key("ann", "c1"), mark)]
    )

    memory, counts = carry_over()

    assert counts == {"deleted": 1}
    there = {
        (scope, person): Memory(memory.app, scope).row(conclusion_key(person, "c1")) is not None
        for scope in (LOCAL, OTHER)
        for person in ("ann", "bob")
    }
    assert there == {key: key != (LOCAL, "ann") for key in there}
    assert memory.row(declined_key("ann", "c1")) == present.row(declined_key("ann", "c1"))


def test_a_conclusion_that_was_drawn_again_before_the_backup_stays(present, restored):
    back_up, carry_over = restored
    row = {"id": "c1", "subject": "tea", "value_key": "likes", "sessions": ["s2"], "created_at": 3}
    mark = {"id": "c1", "subject": "tea", "value_key": "likes", "sessions": ["s1"], "at": 2}
    present.app.stores.table.transact(
        LOCAL, [Put(conclusion_key("ann", "c1"), row), Put(declined_key("ann", "c1"), mark)]
    )
    back_up()

    memory, counts = carry_over()

    assert memory.row(conclusion_key("ann", "c1")) is not None
    assert counts == {}


def test_a_deleted_entity_stays_deleted(present, restored):
    back_up, carry_over = restored
    catalog, editor = present.app.entities.catalog, present.app.entities.editor
    for memory in in_both(present):
        for person in ("ann", "bob"):
            source = Source("fact-1", person, "s1", None, "demo", False, 1)
            sister = Mention("Marta Gil", "person", 0, 9, role="sister")
            memory.app.entities.recorder.record(memory.scope, source, [sister], [])
    back_up()
    (marta,) = catalog.page(LOCAL, "ann", Wanted(Sight()), None, 10).entities
    editor.delete(LOCAL, "ann", marta.id, Sight())

    memory, counts = carry_over()

    assert counts == {"deleted": 1}
    there = {
        (scope, person): memory.app.entities.catalog.stats(scope, person, Sight()).total
        for scope in (LOCAL, OTHER)
        for person in ("ann", "bob")
    }
    assert there == {key: int(key != (LOCAL, "ann")) for key in there}
    assert memory.app.entities.editor.restore(LOCAL, "ann", marta.id, Sight()).name == "Marta Gil"


def test_who_has_nothing_but_a_profile_is_erased_too(present, restored):
    back_up, carry_over = restored
    for memory in in_both(present):
        row = {"name": "Ann"} | owned("ann", "profile")
        memory.app.stores.table.transact(memory.scope, [Put(profile_key("ann"), row)])
    back_up()
    begun = present.app.privacy.erasures.begin(LOCAL, "ann", "operator")
    while present.app.privacy.erasures.get(LOCAL, begun.erasure_id).status != "done":
        present.work()

    memory, counts = carry_over()

    assert counts["erased"] == 1
    assert memory.row(profile_key("ann")) is None
    assert Memory(memory.app, OTHER).row(profile_key("ann")) is not None
