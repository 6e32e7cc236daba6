"""A pet with a person's name is one entity, and a person of the same name stays another."""

from typing import Any

import pytest

from strata.domain.entities.shapes import Mention, Relationship
from strata.services.entities.recording import Source
from support.memory import LOCAL

DOG = "our dog [thing Max||pet] ate"
PERSON = "[person Max] is fine"


def told(entities: Any, **params: Any) -> list[tuple[str, str, int]]:
    return sorted((each["name"], each["type"], each["mention_count"]) for each in entities.listed(**params))


@pytest.mark.parametrize("texts", [(DOG, PERSON, PERSON), (PERSON, DOG, PERSON), (PERSON, PERSON, DOG)])
def test_who_is_told_to_be_a_pet_is_one_in_every_mention_whatever_came_first(entities, texts):
    entities.tell(*texts)
    (max_,) = entities.listed()
    assert (max_["name"], max_["type"], max_["mention_count"], max_["roles"]) == ("Max", "thing", 3, ["pet"])
    assert entities.ask("/stats")["types"] == {"thing": 1}
    assert len(entities.ask(f"/{max_['id']}/episodes")["episodes"]) == 3


def test_a_pet_of_one_owner_says_nothing_about_anothers_friend(entities):
    entities.tell(DOG, PERSON)
    entities.tell(PERSON, PERSON, user="bob")
    assert told(entities) == [("Max", "thing", 2)]
    assert told(entities, user="bob") == [("Max", "person", 2)]
    entities.tell(DOG, user="bob", tenant="globex")
    assert told(entities, user="bob") == [("Max", "person", 2)]


@pytest.mark.parametrize("friend_first", [False, True])
def test_a_pet_of_one_project_says_nothing_about_somebody_in_another(entities, ask, friend_first):
    for project in ("demo", "web"):
        ask("local", "POST", "/sessions", json={"id": project, "project": project, "user_id": "ann"})
    stories = [(DOG, "demo"), (PERSON, "demo"), (PERSON, "web")]
    for text, session in reversed(stories) if friend_first else stories:
        entities.tell(text, session=session)
    assert told(entities, project="web") == [("Max", "person", 1)]
    assert ("Max", "thing", 2 - friend_first) in told(entities, project="demo")
    assert "pet" not in {role for each in entities.listed(project="web") for role in each["roles"]}


@pytest.mark.parametrize("person", ["my friend [person Max||friend] called", "[person Max Stone|Max] called"])
def test_somebody_of_whom_something_is_told_stays_a_person(entities, person):
    for texts in ((DOG, person), (person, DOG)):
        user = "ann" if texts[0] == DOG else "bob"
        entities.tell(*texts, user=user)
        kinds = {(each["type"], each["mention_count"]) for each in entities.listed(user=user, q="max")}
        assert kinds == {("thing", 1), ("person", 1)}


@pytest.mark.parametrize("kind", ["lives-in", "works-at"])
def test_somebody_who_is_related_to_something_stays_a_person(app, entities, kind):
    leeds = Mention("Leeds", "place", 5, 9)
    named = Source("fact-1", "ann", "of-ann", "a1", None, False, 1)
    related = Relationship("Max", kind, "Leeds", "")
    for texts in ((DOG,), (PERSON, DOG)):
        entities.tell(*texts)
        app.entities.recorder.record(LOCAL, named, [Mention("Max", "person", 0, 3), leeds], [related])
        assert ("Max", "person", len(texts)) in told(entities)


def test_somebody_who_is_told_of_later_than_the_pet_is_another(entities):
    entities.tell(DOG, PERSON, "my friend [person Max||friend] called")
    assert told(entities) == [("Max", "person", 1), ("Max", "thing", 2)]
    assert {tuple(each["roles"]) for each in entities.listed()} == {("pet",), ("friend",)}


def test_a_name_that_is_a_person_far_more_often_stays_one(entities):
    entities.tell(DOG, *[PERSON] * 9)
    assert told(entities) == [("Max", "person", 9), ("Max", "thing", 1)]


def test_what_is_no_pet_stays_beside_the_person(entities):
    entities.tell("read [thing Emma] at last", "[person Emma] called")
    assert told(entities) == [("Emma", "person", 1), ("Emma", "thing", 1)]


def test_a_pet_that_no_source_tells_of_any_more_leaves_the_person_behind(app, entities):
    pet, _ = entities.tell(DOG, PERSON)
    app.entities.recorder.remove(entities.memory.scope, "ann", pet)
    assert told(entities) == [("Max", "person", 1)]


def test_an_undone_merge_of_a_pet_is_not_made_again_and_an_edit_keeps_a_person(entities):
    entities.tell(DOG, PERSON)
    (max_,) = entities.listed()
    entities.ask(f"/{max_['id']}/merge/undo", method="POST", json={"sourceId": max_["merged"][0]})
    entities.tell(DOG)
    assert told(entities) == [("Max", "person", 1), ("Max", "thing", 2)]
    entities.tell(PERSON, user="bob")
    (friend,) = entities.listed(user="bob")
    entities.ask(f"/{friend['id']}", method="PUT", json={"type": "person"}, user="bob")
    entities.tell(DOG, user="bob")
    assert told(entities, user="bob") == [("Max", "person", 1), ("Max", "thing", 1)]


def test_a_person_who_is_corrected_to_be_a_thing_keeps_what_rules_merged(entities):
    entities.tell("[person Ana Ruiz] came", "[person Ana] left", "[person Ana Ruiz|Ana] wrote")
    (ana,) = entities.listed()
    entities.ask(f"/{ana['id']}", method="PUT", json={"type": "thing"})
    entities.tell("[person Ana Ruiz|Ana] called", "[person Ana] came")
    assert [each[1:] for each in told(entities)] == [("thing", 5)]


def test_a_pet_is_not_merged_with_a_person_who_was_united_with_a_thing(entities):
    entities.tell("[thing Max|Rex] and [person Ana]")
    ana, rex = (entities.listed(q=each)[0] for each in ("ana", "max"))
    entities.ask(f"/{ana['id']}/merge", method="POST", json={"sourceId": rex["id"]})
    entities.tell("our dog [thing Bo|Rex|pet] and [person Ana]")
    assert [each[1:] for each in told(entities)] == [("person", 3), ("thing", 1)]


HINT = "we miss [person Rufus|||pet]"
PLAIN = "[person Rufus] was there"


def test_two_hints_make_a_pet_of_somebody_of_whom_nothing_is_told(entities):
    entities.tell(HINT, PLAIN)
    assert told(entities) == [("Rufus", "person", 2)]
    entities.tell(HINT)
    assert told(entities) == [("Rufus", "thing", 3)]
    assert entities.ask("/stats")["types"] == {"thing": 1}
    assert told(entities, type="thing") == [("Rufus", "thing", 3)]
    entities.tell(PLAIN)
    assert told(entities) == [("Rufus", "thing", 4)]


def test_hints_of_one_owner_say_nothing_about_anothers_friend(entities):
    entities.tell(HINT, HINT)
    entities.tell(HINT, PLAIN, user="bob")
    assert told(entities) == [("Rufus", "thing", 2)]
    assert told(entities, user="bob") == [("Rufus", "person", 2)]


def test_hints_of_one_project_say_nothing_about_somebody_in_another(entities, ask):
    for project in ("demo", "web"):
        ask("local", "POST", "/sessions", json={"id": project, "project": project, "user_id": "ann"})
    entities.tell(HINT, HINT, session="demo")
    assert told(entities, project="demo") == [("Rufus", "thing", 2)]
    entities.tell(PLAIN, session="web")
    assert told(entities, project="web") == [("Rufus", "person", 1)]


def test_whom_most_sources_do_not_hint_at_and_of_whom_something_is_told_is_a_person(entities):
    entities.tell(HINT, HINT, PLAIN, PLAIN, PLAIN)
    assert told(entities) == [("Rufus", "person", 5)]
    entities.tell(HINT, HINT, "my uncle [person Rufus||uncle]", user="bob")
    assert told(entities, user="bob") == [("Rufus", "person", 3)]


def test_an_edit_wins_over_hints_and_hints_that_are_taken_away_count_no_more(app, entities):
    first, _ = entities.tell(HINT, HINT)
    app.entities.recorder.remove(entities.memory.scope, "ann", first)
    assert told(entities) == [("Rufus", "person", 1)]
    (rufus,) = entities.listed()
    entities.ask(f"/{rufus['id']}", method="PUT", json={"type": "person"})
    entities.tell(HINT, HINT)
    assert told(entities) == [("Rufus", "person", 3)]


def test_a_pet_by_hints_and_one_that_is_told_plainly_are_one(entities):
    entities.tell(HINT, HINT, "our dog [thing Rufus||pet]")
    assert told(entities) == [("Rufus", "thing", 3)]


@pytest.mark.parametrize(
    ("plain", "kind"),
    [
        ("[place Orlwick||town], a small town", "place"),
        ("[organization Orlwick||brand] flooring", "organization"),
        ("my teddy [thing Orlwick||toy]", "thing"),
    ],
)
@pytest.mark.parametrize("plain_first", [True, False])
def test_what_is_told_to_be_a_town_a_brand_or_a_toy_is_one_everywhere(entities, plain, kind, plain_first):
    texts = [plain, "[person Orlwick] has changed"]
    entities.tell(*texts if plain_first else reversed(texts))
    assert told(entities) == [("Orlwick", kind, 2)]
    entities.tell("[person Orlwick] called", user="bob")
    assert told(entities, user="bob") == [("Orlwick", "person", 1)]


def test_a_town_with_a_common_first_name_takes_nobody_in(entities):
    entities.tell("[place Sofia||town], a big city", "[person Sofia] called")
    assert told(entities) == [("Sofia", "person", 1), ("Sofia", "place", 1)]


def test_somebody_in_another_project_takes_no_mention_from_a_pet(entities, ask):
    for project in ("demo", "web"):
        ask("local", "POST", "/sessions", json={"id": project, "project": project, "user_id": "ann"})
    for text, session in (
        (DOG, "demo"),
        (PERSON, "demo"),
        (PERSON, "web"),
        (PERSON, "demo"),
        (PERSON, "web"),
    ):
        entities.tell(text, session=session)
    assert told(entities, project="demo") == [("Max", "thing", 3)]
    assert told(entities, project="web") == [("Max", "person", 2)]


def test_a_name_of_a_pet_that_was_merged_with_a_person_is_still_recorded(app, entities):
    entities.tell("our dog [thing Rex||pet] and [person Ana]")
    ana, rex = (entities.listed(q=each)[0] for each in ("ana", "rex"))
    entities.ask(f"/{ana['id']}/merge", method="POST", json={"sourceId": rex["id"]})
    said = Source("fact-1", "ann", "of-ann", "a1", None, False, 1)
    app.entities.recorder.record(LOCAL, said, [Mention("Rex", "person", 0, 3)], [])
    assert told(entities) == [("Ana", "person", 2), ("Rex", "person", 1)]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 2, 3), (2, 3, 1, 0), (3, 2, 0, 1), (0, 2, 3, 1)])
def test_hints_count_for_all_names_of_a_pet_in_whatever_order_they_come(entities, order):
    texts = (HINT, HINT, "[person Rufus|Ruf] was there", "[person Ruf] ate")
    entities.tell(*(texts[at] for at in order))
    assert told(entities) == [("Rufus", "thing", 4)]


def test_a_pet_by_hints_stays_one_when_it_is_named_merged_or_restored(entities):
    entities.tell(HINT, HINT)
    (rufus,) = entities.listed()
    put = {"path": f"/{rufus['id']}", "method": "PUT"}
    assert entities.ask(**put, json={"name": "Rufus the dog"})["type"] == "thing"
    assert entities.ask(**put, json={"name": None})["type"] == "thing"
    assert entities.ask(**put, json={"type": "person"})["type"] == "person"
    assert entities.ask(**put, json={"type": None})["type"] == "thing"
    entities.ask(f"/{rufus['id']}", method="DELETE")
    entities.tell(PLAIN)
    assert told(entities) == [("Rufus", "person", 1)]
    assert entities.ask(f"/{rufus['id']}/restore", method="POST")["type"] == "thing"
    entities.tell("[person Roofus] ate")
    other = entities.listed(q="roofus")[0]
    merge = {"method": "POST", "json": {"sourceId": other["id"]}}
    assert entities.ask(f"/{rufus['id']}/merge", **merge)["type"] == "thing"
    undone = entities.ask(f"/{rufus['id']}/merge/undo", **merge)
    assert (undone["entity"]["type"], undone["source"]["type"]) == ("thing", "person")
