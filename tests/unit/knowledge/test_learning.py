"""Learnt parts of profiles: beneath what people state, within the borders of their sources, taken away."""

from itertools import product

import pytest

from strata.domain.knowledge.borders import Border
from strata.domain.knowledge.profile import Statement
from strata.domain.scope import Scope
from strata.services.knowledge.fact_learning import learnt_from_facts
from strata.services.knowledge.profile_rows import NoLongerAllowed
from strata.services.people.permission import permission_checks

PROFILE = "/api/memory/profile"
ACME = Scope("acme")


@pytest.fixture
def learning(app):
    return app.knowledge.learning


def learnt(field, value, *sources, at=1, subject="", border=Border()):  # noqa: B008 - it is frozen
    return field, Statement(value, "learnt", at, border, subject, sources)


def get(ask, person, tenant="acme", path=PROFILE, **seen_by):
    return ask(tenant, "GET", path, params={"userId": person, **seen_by})


def put(ask, person, **fields):
    ask("acme", "PUT", PROFILE, json={"userId": person, **fields})


def test_what_is_learnt_shows_with_its_sources_until_the_person_states_another(ask, learning):
    learning.learn(ACME, "ann", [learnt("name", "Ana", "fact-1")])
    answer = get(ask, "ann")
    assert answer["profile"]["name"] == "Ana"
    assert answer["provenance"]["name"] == [
        {"by": "learnt", "at": "1970-01-01T00:00:00.000001Z", "sources": ["fact-1"]}
    ]
    put(ask, "ann", name="Anna")
    learning.learn(ACME, "ann", [learnt("name", "Anita", "fact-2", at=2)])
    answer = get(ask, "ann")
    assert (answer["profile"]["name"], answer["provenance"]["name"][0]["by"]) == ("Anna", "person")
    assert get(ask, "bob")["profile"]["name"] is None
    assert get(ask, "ann", tenant="globex")["profile"]["name"] is None


def test_a_newer_value_replaces_an_older_one_and_not_the_other_way_round(ask, learning):
    for value, at in (("Ana", 5), ("Anita", 3), ("Anya", 9)):
        learning.learn(ACME, "ann", [learnt("name", value, f"fact-{at}", at=at)])
    assert get(ask, "ann")["profile"]["name"] == "Anya"
    learning.learn(ACME, "ann", [learnt("name", "anya", "fact-10", at=10)])
    answer = get(ask, "ann")
    assert answer["profile"]["name"] == "Anya", "the same name in other letters"
    assert answer["provenance"]["name"][0]["sources"] == ["fact-10", "fact-9"]


def test_learnt_lists_have_one_statement_for_each_subject(ask, learning):
    tea, coffee = "Likes tea", "Likes coffee"
    learning.learn(
        ACME,
        "ann",
        [
            learnt("preferences", tea, "fact-1", subject="tea"),
            learnt("preferences", coffee, "fact-2", subject="coffee", at=2),
            learnt("patterns", "Asks for the weather first", "ep-1", subject="weather"),
        ],
    )
    learning.learn(ACME, "ann", [learnt("preferences", "Dislikes tea", "fact-3", subject="tea", at=3)])
    answer = get(ask, "ann")
    assert answer["profile"]["preferences"] == {"tea": "Dislikes tea", "coffee": coffee}
    assert answer["profile"]["patterns"] == ["Asks for the weather first"]
    assert [each["subject"] for each in answer["provenance"]["preferences"]] == ["tea", "coffee"]


def test_a_learnt_statement_is_given_only_where_all_of_its_sources_may_be_seen(ask, learning):
    cells = list(product(("helper", "scout"), ("demo", "web")))
    for number, (agent, project) in enumerate(cells):
        border = Border.of((agent,), (project,), confined=True)
        learning.learn(
            ACME,
            "ann",
            [
                learnt("name", f"{agent} {project}", "fact-1", at=number + 1, border=border),
                learnt("preferences", f"of {agent} {project}", "fact-1", subject="s", border=border),
            ],
        )
    both = Border.of(("helper",), ("demo", "web"))
    learning.learn(ACME, "ann", [learnt("patterns", "of both projects", "ep-1", border=both)])
    for agent, project in cells:
        answer = get(ask, "ann", agent_id=agent, project=project)
        assert answer["profile"] == {
            "name": f"{agent} {project}",
            "communicationStyle": None,
            "patterns": [],
            "preferences": {"s": f"of {agent} {project}"},
        }
        told = get(ask, "ann", path=f"{PROFILE}/history", agent_id=agent, project=project)["history"]
        values = {each["value"] for past in told for each in past["changes"]}
        assert values == {f"{agent} {project}", f"of {agent} {project}"}
    assert get(ask, "ann", agent_id="helper")["profile"]["patterns"] == ["of both projects"]
    assert get(ask, "ann", agent_id="scout")["profile"]["patterns"] == []
    unnamed = get(ask, "ann")["profile"]
    assert (unnamed["name"], unnamed["patterns"]) == (None, ["of both projects"])


def test_what_the_person_took_away_is_learnt_from_new_sources_only(ask, learning):
    learning.learn(ACME, "ann", [learnt("name", "Ana", "fact-1")])
    put(ask, "ann", name=None)
    assert learning.learn(ACME, "ann", [learnt("name", "ANA", "fact-1", at=2)]) == []
    assert get(ask, "ann")["profile"]["name"] is None
    learning.learn(ACME, "ann", [learnt("name", "Ana", "fact-1", "fact-2", at=3)])
    assert get(ask, "ann")["provenance"]["name"][0]["sources"] == ["fact-2"]


def test_learning_is_undone_but_for_what_changed_since(ask, learning):
    learning.learn(ACME, "ann", [learnt("name", "Ana", "fact-1")])
    changes = learning.learn(
        ACME,
        "ann",
        [learnt("name", "Anya", "fact-2", at=2), learnt("preferences", "Likes tea", "fact-3", subject="tea")],
    )
    learning.learn(ACME, "ann", [learnt("preferences", "No tea", "fact-4", subject="tea", at=4)])
    learning.restore(ACME, "ann", changes)
    profile = get(ask, "ann")["profile"]
    assert (profile["name"], profile["preferences"]) == ("Ana", {"tea": "No tea"})
    learning.restore(ACME, "ann", changes)
    assert get(ask, "ann")["profile"] == profile


def test_a_learnt_statement_falls_with_the_last_of_its_sources(ask, learning):
    for person in ("ann", "bob"):
        learning.learn(ACME, person, [learnt("name", "A", "fact-1", "fact-2")])
        put(ask, person, communicationStyle="in brief")
    learning.fall(ACME, "ann", {"fact-1"})
    assert get(ask, "ann")["provenance"]["name"][0]["sources"] == ["fact-2"]
    learning.fall(ACME, "ann", {"fact-2", "fact-3"})
    assert get(ask, "ann")["profile"]["name"] is None
    assert get(ask, "ann")["profile"]["communicationStyle"] == "in brief"
    assert get(ask, "bob")["provenance"]["name"][0]["sources"] == ["fact-1", "fact-2"]


def test_nothing_is_learnt_once_a_condition_fails_or_nothing_may_be_kept(ask, learning):
    conditions = permission_checks("helper", "ann", "s1")
    with pytest.raises(NoLongerAllowed):
        learning.learn(ACME, "ann", [learnt("name", "Ana", "fact-1")], conditions)
    ask("acme", "PUT", "/api/agents-config/helper", json={"memory_enabled": True})
    assert learning.learn(ACME, "ann", [learnt("name", "Ana", "fact-1")], conditions)
    ask("acme", "PUT", "/api/rgpd/users/bob/consent", json={"persist": False})
    assert learning.learn(ACME, "bob", [learnt("name", "Bob", "fact-1")]) == []
    assert get(ask, "bob")["profile"]["name"] is None


def test_of_a_person_who_refuses_only_their_own_words_are_given_and_with_erase_kept(ask, learning):
    put(ask, "ann", name="Ann")
    put(ask, "ann", agent_id="helper", communicationStyle="in brief")
    learning.learn(ACME, "ann", [learnt("patterns", "walks at noon", "ep-1")])
    consent = "/api/rgpd/users/ann/consent"
    ask("acme", "PUT", consent, json={"ai_consent": False})
    for _ in range(2):
        profile = get(ask, "ann", agent_id="helper")["profile"]
        assert profile == {"name": "Ann", "communicationStyle": None, "patterns": [], "preferences": {}}
        told = get(ask, "ann", path=f"{PROFILE}/history", agent_id="helper")["history"]
        assert [each["value"] for past in told for each in past["changes"]] == ["Ann"]
        ask("acme", "PUT", consent, json={"ai_consent": False, "erase": True})
    ask("acme", "PUT", consent, json={"ai_consent": True})
    assert get(ask, "ann", agent_id="helper")["profile"]["patterns"] == []
    held = ask("acme", "GET", "/api/rgpd/users/ann/ai-data")
    assert "noon" not in str(held)
    assert "in brief" not in str(held)


def test_an_agent_that_is_turned_off_is_given_the_persons_own_words_alone(ask, learning):
    for agent in ("helper", "scout"):
        ask("acme", "PUT", f"/api/agents-config/{agent}", json={"memory_enabled": True})
        border = Border.of([agent], [], confined=True)
        learning.learn(ACME, "ann", [learnt("name", f"Ana of {agent}", "fact-1", border=border)])
    put(ask, "ann", communicationStyle="in brief")
    ask("acme", "PUT", "/api/agents-config/helper", json={"memory_enabled": False})
    asked = {"layers": "profile", "user_id": "ann"}
    for agent, name in (("helper", None), ("scout", "Ana of scout")):
        profile = get(ask, "ann", agent_id=agent)["profile"]
        assert (profile["name"], profile["communicationStyle"]) == (name, "in brief")
        items = ask("acme", "GET", "/context", params=asked | {"agent_id": agent})["items"]
        told = {each["content"] for each in items}
        assert told == {*([f"Name: {name}"] if name else []), "Communication style: in brief"}
        past = ask("acme", "GET", f"{PROFILE}/history", params={"userId": "ann", "agent_id": agent})
        values = {change["value"] for each in past["history"] for change in each["changes"]}
        assert values == {*([name] if name else []), "in brief"}


def test_the_history_keeps_the_latest_hundred_changes(ask):
    for number in range(103):
        put(ask, "ann", name=f"Ann {number}")
    put(ask, "ann", name=None)
    put(ask, "bob", name="Bob")
    told = get(ask, "ann", path=f"{PROFILE}/history", limit=1000)["history"]
    assert [past["changes"][0].get("value") for past in told] == [
        None,
        *(f"Ann {number}" for number in range(102, 3, -1)),
    ]
    assert len(get(ask, "ann", path=f"{PROFILE}/history")["history"]) == 20


def test_facts_tell_names_languages_likes_and_dislikes_for_their_agent_and_project():
    def fact(number, category, value, text, agent="helper", session="s1"):
        about = {"agent_id": agent, "session_id": session, "created_at": number}
        return {"id": number, "category": category, "value": value, "fact": text} | about

    facts = [
        fact(1, "name", "Ana", "Is called Ana"),
        fact(2, "contact_language", "Spanish", "Wants answers in Spanish", agent="scout", session="s2"),
        fact(3, "preference", "Green  Tea", "Likes green tea"),
        fact(4, "dislike", "green tea", "Dislikes green tea", session="s3"),
        fact(5, "place", "York", "Lives in York"),
    ]
    told = learnt_from_facts(facts, {"s1": "demo", "s2": "web"})
    assert [(name, each.subject, each.value, each.sources) for name, each in told] == [
        ("name", "", "Ana", ("fact-1",)),
        ("preferences", "contact_language", "Spanish", ("fact-2",)),
        ("preferences", "green tea", "Likes green tea", ("fact-3",)),
        ("preferences", "green tea", "Dislikes green tea", ("fact-4",)),
    ]
    assert [each.border for _, each in told] == [
        Border.of(("helper",), ("demo",), confined=True),
        Border.of(("scout",), ("web",), confined=True),
        Border.of(("helper",), ("demo",), confined=True),
        Border.of(("helper",), (), confined=True),
    ]
