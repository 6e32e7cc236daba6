"""Maintenance mends entities, and proposes merges that it never does."""

import pytest

from strata.domain.entities.likeness import initials_fit
from strata.ports.rows import Update
from strata.services.records.entities import entities_head_key, entity_key
from support.memory import LOCAL


@pytest.fixture
def sweep(app):
    """Run maintenance; the numbers of the step over entities."""

    def swept(**how):
        report = app.maintenance.sweeper.run_now(LOCAL, lambda: True, **how)
        assert not report.errors
        return dict(report.summary["entities"])

    return swept


def proposed(entities, user="ann", **params):
    found = entities.ask("/merge-proposals", user=user, params=params)
    assert found["count"] == len(found["proposals"])
    return [
        (each["entity"]["name"], each["source"]["name"], each["reason"], each["likeness"])
        for each in found["proposals"]
    ]


def test_merges_are_proposed_by_initials_and_by_vectors_of_names(entities, sweep):
    entities.tell("[person José María Aldecoa] [organization United Nations]", "[person José María Aldecoa]")
    entities.tell("[person J. M. Aldecoa] [person Jon Moss] [organization UN] [place UN]", user="ann")
    entities.tell("[person J. Moss] [thing red car] [thing red cars]", user="bob")
    assert sweep()["proposed"] == 3
    by_initials = [each for each in proposed(entities) if each[2] == "initials"]
    assert sorted(by_initials) == [
        ("José María Aldecoa", "J. M. Aldecoa", "initials", 1.0),
        ("United Nations", "UN", "initials", 1.0),
    ]
    ((_, _, reason, likeness),) = proposed(entities, user="bob")
    assert (reason, likeness >= 0.85) == ("embedding", True)
    assert len(entities.names()) == 6
    assert entities.ask("/merge-proposals", tenant="acme")["proposals"] == []


def test_two_candidates_are_proposed_for_neither(entities, sweep):
    entities.tell("[person Ana Ruiz] [person Aida Ruiz] [person A. Ruiz] [person Bea Soto] [person B. Soto]")
    sweep()
    assert [each[:2] for each in proposed(entities)] == [("Bea Soto", "B. Soto")]
    entities.tell("[person Berta Soto]")
    sweep()
    assert proposed(entities) == []


def test_what_was_merged_split_or_deleted_is_proposed_no_more(entities, sweep):
    entities.tell("[person Ana Ruiz] [person A. Ruiz] [person Bea Soto] [person B. Soto]")
    sweep()
    assert len(proposed(entities)) == 2
    ids = {each["name"]: each["id"] for each in entities.listed()}
    both = f"/{ids['Ana Ruiz']}/merge"
    entities.ask(both, method="POST", json={"sourceId": ids["A. Ruiz"]})
    entities.ask(f"/{ids['B. Soto']}", method="DELETE")
    assert proposed(entities) == []
    entities.ask(f"{both}/undo", method="POST", json={"sourceId": ids["A. Ruiz"]})
    for _ in range(2):
        assert proposed(entities) == []
        sweep()


def test_a_proposal_is_shown_where_both_may_be_seen(entities, ask, sweep):
    for project, text in (("demo", "[person Ana Ruiz] [person Bea Soto]"), ("web", "[person A. Ruiz]")):
        ask("local", "POST", "/sessions", json={"id": f"of {project}", "project": project, "user_id": "ann"})
        entities.tell(text, session=f"of {project}")
    entities.tell("[person B. Soto]", session="of demo")
    sweep()
    assert len(proposed(entities)) == 2
    assert [each[:2] for each in proposed(entities, project="demo")] == [("Bea Soto", "B. Soto")]
    assert proposed(entities, project="web") == []


def test_orphans_go_and_wrong_counts_are_mended(app, entities, ask, sweep):
    kept, lost = entities.tell("[person Ana Ruiz] [place Leeds]", "[person Ana Ruiz] [place York]")
    entities.tell("[person Ana Ruiz] [place York]", user="bob")
    sweep()
    ask("local", "DELETE", f"/api/memory/episodes/{lost}", params={"userId": "ann"})  # nobody follows it
    (ana,) = entities.listed(q="ana")
    row = app.stores.table.get(LOCAL, entity_key("ann", ana["id"]))
    wrong = {name: slot | {"count": 9} for name, slot in row["seen"].items()}
    app.stores.table.update(LOCAL, Update(entity_key("ann", ana["id"]), set={"seen": wrong}))
    entities.ask(f"/{ana['id']}", method="PUT", json={"name": "Ana Ruiz Soto"})  # ann is due again
    before = entities.listed()

    assert sweep(dry=True) == {
        "people": 1,
        "looked_at": 3,
        "orphans": 1,
        "recounted": 1,
        "proposed": 0,
    }
    assert entities.listed() == before
    assert sweep()["orphans"] == 1
    assert {each["name"]: each["mention_count"] for each in entities.listed()} == {
        "Ana Ruiz Soto": 1,
        "Leeds": 1,
    }
    assert entities.ask("/stats")["types"] == {"person": 1, "place": 1}
    assert len(entities.listed("bob")) == 2
    assert kept in str(entities.ask(f"/{ana['id']}/episodes"))


def test_totals_that_were_lost_are_counted_again(app, entities, sweep):
    entities.tell("[person Ana Ruiz] [place Leeds]", "[person Bea Soto]")
    app.stores.table.update(LOCAL, Update(entities_head_key("ann"), set={"counts": {}}))
    assert sweep()["recounted"] == 1
    assert entities.ask("/stats") == {"total": 3, "types": {"person": 2, "place": 1}}


def test_a_sweep_looks_at_people_whose_entities_changed_only(entities, sweep):
    for user in ("ann", "bob", "eve"):
        entities.tell("[person Ana Ruiz] [place Leeds]", user=user)
    assert sweep()["people"] == 3
    entities.tell("[person Ana Ruiz] [place York]", user="bob")
    assert (sweep()["people"], sweep()["people"]) == (1, 0)


@pytest.mark.parametrize(
    ("one", "other", "fits"),
    [
        ("j moss", "jon moss", True),
        ("jon m", "jon moss", True),
        ("un", "united nations", True),
        ("j m", "jon moss", False),  # no word of it is whole
        ("ana ruiz", "ada ruiz", False),
        ("j moss", "ana moss", False),
        ("j moss", "j moss", False),
    ],
)
def test_initials_fit_names_of_as_many_words(one, other, fits):
    assert initials_fit(one, other) is fits
