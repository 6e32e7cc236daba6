"""Edits, deletions and merges by a person, and the pages and graphs that follow."""

from typing import Any

import pytest

from strata.domain.entities.shapes import Mention, Relationship
from strata.services.entities.recording import Source


def one(entities: Any, q: str, **params: Any) -> dict[str, Any]:
    (found,) = entities.listed(q=q, **params)
    return found


def test_an_edit_wins_over_what_is_learnt_and_null_takes_it_back(entities):
    entities.tell("[organization Lantern|The Lantern]")
    path = f"/{one(entities, 'lantern')['id']}"
    change = {"name": "Project Lantern", "type": "thing", "aliases": ["PL"], "confidence": 1}
    changed = entities.ask(path, method="PUT", json=change)
    assert (changed["name"], changed["type"], changed["confidence"]) == ("Project Lantern", "thing", 1)
    assert changed["aliases"] == ["Project Lantern", "PL"]
    assert entities.listed(q="the lantern") == []
    entities.tell("[thing PL] again", "[thing Project Lantern] once more")
    assert one(entities, "pl")["mention_count"] == 3
    back = dict.fromkeys(change)
    learnt = entities.ask(path, method="PUT", json=back)
    assert (learnt["type"], learnt["stated"]) == ("organization", [])
    assert "The Lantern" in learnt["aliases"]
    for wrong in ({"name": " "}, {"confidence": 2}, {"type": "pet"}, {"aliases": ["a" * 300]}):
        entities.ask(path, method="PUT", json=wrong, status=400)
    assert entities.ask(path) == learnt


def test_a_deleted_entity_does_not_come_back_from_its_sources_and_is_restored(app, entities):
    entities.tell("my aunt [person Ana Ruiz||aunt] of [place Leeds]", "[person Ana Ruiz]")
    ana = one(entities, "ana")
    assert entities.ask(f"/{ana['id']}", method="DELETE") == {"deleted": True, "entityId": ana["id"]}
    entities.ask(f"/{ana['id']}", status=404)
    changes = app.stores.change_log.read(0, 1000)
    app.entities.following.follow(entities.memory.scope, [each.key for each in changes])
    assert entities.names() == ["Leeds"]
    assert entities.names(deleted=True) == ["Ana Ruiz"]
    entities.tell("[person Ana Ruiz] again")
    assert one(entities, "ana")["mention_count"] == 1
    assert entities.ask(f"/{ana['id']}/relationships")["count"] == 0
    assert entities.ask(f"/{ana['id']}/restore", method="POST")["mention_count"] == 3
    assert entities.ask(f"/{ana['id']}/relationships")["count"] == 1
    entities.ask(f"/{ana['id']}/restore", method="POST", status=404)


def test_a_merge_unites_and_its_undo_gives_back_both_but_for_what_came_since(entities):
    entities.tell("[person Robert Hale] came", "[person Bob] came")
    robert, bob = one(entities, "robert hale"), one(entities, "bob")
    merged = entities.ask(f"/{robert['id']}/merge", method="POST", json={"sourceId": bob["id"]})
    assert (merged["mention_count"], merged["merged"]) == (2, [bob["id"]])
    assert entities.ask(f"/{bob['id']}") == merged
    assert entities.listed() == [merged]
    assert len(entities.ask(f"/{bob['id']}/episodes")["episodes"]) == 2
    entities.tell("[person Bob] left", "[person Robert Hale] left", "[person Robert Hale] wrote")
    undone = entities.ask(f"/{bob['id']}/merge/undo", method="POST", json={"sourceId": bob["id"]})
    assert (undone["entity"]["mention_count"], undone["source"]["mention_count"]) == (2, 2)
    entities.tell("[person Robert Hale|Bob]")
    assert len(entities.listed()) == 2
    for wrong in (robert["id"], "nobody"):
        status = 409 if wrong == robert["id"] else 404
        entities.ask(f"/{robert['id']}/merge", method="POST", json={"sourceId": wrong}, status=status)


def test_the_name_that_a_person_gave_a_merged_entity_leads_to_the_target(entities):
    for user, tenant in (("ann", "local"), ("bob", "local"), ("ann", "globex")):
        entities.tell("[person Robert Hale] came", "[person Bob] came", user=user, tenant=tenant)
    robert, bob = one(entities, "robert hale"), one(entities, "bob")
    entities.ask(f"/{bob['id']}", method="PUT", json={"name": "Bobby Tables"})
    merged = entities.ask(f"/{robert['id']}/merge", method="POST", json={"sourceId": bob["id"]})
    assert merged["aliases"] == ["Robert Hale", "Bob", "Bobby Tables"]
    for asked in ({}, {"agent_id": "a1"}):
        assert one(entities, "bobby tab", **asked) == merged
    assert entities.listed(q="bobby", user="bob") == entities.listed(q="bobby", tenant="globex") == []
    left = entities.ask(f"/{robert['id']}", method="PUT", json={"aliases": ["Rob"]})
    assert (left["aliases"], entities.listed(q="bobby")) == (["Robert Hale", "Rob"], [])
    entities.ask(f"/{robert['id']}/merge/undo", method="POST", json={"sourceId": bob["id"]})
    assert one(entities, "bobby")["name"] == "Bobby Tables"


def test_the_id_of_a_merged_entity_does_not_delete_the_target(entities):
    entities.tell("[person Robert Hale] came", "[person Bob] came")
    robert, bob = one(entities, "robert hale"), one(entities, "bob")
    entities.ask(f"/{robert['id']}/merge", method="POST", json={"sourceId": bob["id"]})
    refused = entities.ask(f"/{bob['id']}", method="DELETE", status=409)
    assert refused["code"] == "conflict"
    assert robert["id"] in refused["error"]
    assert one(entities, "bob")["mention_count"] == 2
    entities.ask(f"/{bob['id']}", method="DELETE", user="bob", status=404)
    assert entities.ask(f"/{robert['id']}", method="DELETE")["entityId"] == robert["id"]
    assert entities.listed() == []


def test_a_body_names_the_person_as_a_query_does(entities):
    for user in ("ann", "bob"):
        entities.tell("[person Robert Hale] came", "[person Bob] came", user=user)
    robert, bob = one(entities, "robert hale"), one(entities, "bob")

    def ask(path, status=200, **sent):
        return entities.ask(path, user="", status=status, **sent)

    change = {"confidence": 0.5}
    ask(f"/{bob['id']}", 404, method="PUT", json=change)
    ask(f"/{bob['id']}", 404, method="PUT", json=change | {"userId": "bob"})
    changed = ask(f"/{bob['id']}", method="PUT", json=change | {"userId": "ann"})
    assert (changed["confidence"], changed["stated"]) == (0.5, ["confidence"])
    body = {"sourceId": bob["id"], "userId": "ann"}
    entities.ask(f"/{robert['id']}/merge", method="POST", json=body, user="bob", status=409)
    assert ask(f"/{robert['id']}/merge", method="POST", json=body)["merged"] == [bob["id"]]
    assert ask(f"/{robert['id']}/merge/undo", method="POST", json=body)["source"]["id"] == bob["id"]
    assert len(entities.listed(user="bob")) == 2


def test_a_page_tells_what_is_known_with_links_and_no_markup_of_others(app, entities):
    (episode,) = entities.tell("A quiet day with [thing x](javascript:alert(1)) <b>")
    mentions = [
        Mention("Ana Ruiz", "person", 0, 1, ("Ana",), "sister"),
        Mention("Acme", "organization", 0, 1),
    ]
    source = Source(episode, "ann", "of-ann", None, None, False, 1_767_225_600_000_000)
    related = [Relationship("Ana Ruiz", "works-at", "Acme", "")]
    app.entities.recorder.record(entities.memory.scope, source, mentions, related)
    ana, acme = one(entities, "ana"), one(entities, "acme")
    page = entities.ask(f"/{ana['id']}/page")
    assert page.startswith("# Ana Ruiz\n")
    assert (
        f"works at [Acme](/api/entities/{acme['id']}/page?userId=ann) ([{episode}](/episodic/of-ann))" in page
    )
    assert r"\[thing x\](javascript" in page
    assert "<b>" not in page
    assert "employs" in entities.ask(f"/{acme['id']}/page")


@pytest.mark.parametrize(("depth", "limit", "names"), [(1, 200, 3), (2, 200, 4), (3, 200, 5), (3, 2, 2)])
def test_a_graph_shows_the_entities_around_one(app, entities, depth, limit, names):
    every = [Mention(f"Thing{number}", "thing", 0, 1) for number in range(5)]
    pairs = [(0, 1), (0, 2), (2, 3), (3, 4)]
    related = [Relationship(f"Thing{one}", "part-of", f"Thing{other}", "") for one, other in pairs]
    source = Source("ep-1", "ann", "s1", None, None, False, 1)
    app.entities.recorder.record(entities.memory.scope, source, every, related)
    middle = one(entities, "thing0")["id"]
    graph = entities.ask(f"/{middle}/graph", params={"depth": depth, "limit": limit})
    assert len(graph["nodes"]) == names
    assert graph["truncated"] is (limit == 2)
    assert {each["subject"] for each in graph["edges"]} <= {each["id"] for each in graph["nodes"]}


def test_pages_of_a_list_give_each_entity_once(entities):
    entities.tell(*(f"[place Town {number}] and [person Ann {number}]" for number in range(7)))
    for asked in ({}, {"type": "place"}, {"q": "town"}):
        found, cursor = [], {}
        while cursor is not None:
            page = entities.ask(params={"limit": 3} | asked | cursor)
            found += [each["id"] for each in page["entities"]]
            cursor = {"cursor": page["next"]} if page.get("next") else None
        assert len(found) == len(set(found)) == (7 if asked else 14)
    entities.ask(params={"cursor": "x"}, status=400)


def named_again(app: Any, entities: Any, source: str, *mentions: Mention) -> None:
    """A source loses all that it named, and names these anew."""
    record, told = app.entities.recorder, Source(source, "ann", "of-ann", "a1", None, False, 1)
    record.remove(entities.memory.scope, "ann", source)
    record.record(entities.memory.scope, told, mentions, [])


ANA, ANI = Mention("Ana", "person", 0, 1), Mention("Ani", "person", 0, 1)


@pytest.mark.parametrize("change", [{"type": "place"}, {"name": "Ana Ruiz"}, {"confidence": 1}])
def test_a_change_outlives_all_sources_of_the_name(app, entities, change):
    (source,) = entities.tell("[person Ana] called")
    path = f"/{one(entities, 'ana')['id']}"
    changed = entities.ask(path, method="PUT", json=change)
    named_again(app, entities, source, ANA)
    again = entities.ask(path)
    assert {name: again[name] for name in change} == change
    assert (again["mention_count"], again["stated"]) == (1, changed["stated"])
    assert len(entities.listed()) == 1


def test_a_name_that_a_person_took_away_stays_taken_away(app, entities):
    source, _ = entities.tell("[person Ana|Ani] called", "[person Ana] left")
    ana = one(entities, "ana")
    entities.ask(f"/{ana['id']}", method="PUT", json={"aliases": ["Ana"]})
    named_again(app, entities, source, ANI)
    assert sorted(entities.names()) == ["Ana", "Ani"]
    assert entities.ask(f"/{ana['id']}")["aliases"] == ["Ana"]


def test_a_merge_and_its_undo_outlive_all_sources_of_the_name(app, entities):
    _, source = entities.tell("[person Ana] called", "[person Ani] called")
    ana, ani = one(entities, "ana"), one(entities, "ani")
    entities.ask(f"/{ana['id']}/merge", method="POST", json={"sourceId": ani["id"]})
    named_again(app, entities, source, ANI)
    assert one(entities, "ani")["mention_count"] == 2
    entities.ask(f"/{ana['id']}/merge/undo", method="POST", json={"sourceId": ani["id"]})
    named_again(app, entities, source, ANI)
    entities.tell("[person Ana|Ani] called")  # would merge the two by rules
    assert len(entities.listed(q="an")) == 2


def test_a_deletion_outlives_that_its_source_loses_the_name_and_finds_it_again(app, entities):
    (source,) = entities.tell("[person Ana] called")
    ana = one(entities, "ana")
    entities.ask(f"/{ana['id']}", method="DELETE")
    named_again(app, entities, source, ANA)
    assert entities.names() == []
    named_again(app, entities, source, ANA)
    assert entities.names() == []
    entities.tell("[person Ana] wrote")
    assert one(entities, "ana")["mention_count"] == 1
    assert entities.ask(f"/{ana['id']}/restore", method="POST")["mention_count"] == 2


def test_what_a_restored_entity_lost_meanwhile_counts_again_once_it_is_found(app, entities):
    source, _ = entities.tell("[person Ana] called", "[person Ana] wrote")
    ana = one(entities, "ana")
    entities.ask(f"/{ana['id']}", method="DELETE")
    app.entities.recorder.remove(entities.memory.scope, "ann", source)
    assert entities.ask(f"/{ana['id']}/restore", method="POST")["mention_count"] == 1
    named_again(app, entities, source, ANA)
    assert one(entities, "ana")["mention_count"] == 2


def test_a_deletion_outlives_a_source_that_finds_two_names_again(app, entities):
    source, _ = entities.tell("[person Ana|Ani] called", "[person Ana|Ani] wrote")
    told = Source(source, "ann", "of-ann", "a1", None, False, 1)
    app.entities.recorder.record(entities.memory.scope, told, [ANA, ANI], [])
    entities.ask(f"/{one(entities, 'ana')['id']}", method="DELETE")
    for _ in range(2):
        named_again(app, entities, source, ANA, ANI)
        assert entities.names() == []
