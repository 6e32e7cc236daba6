"""From the end of a session to a conclusion, through the API."""

import json

from strata.domain.times import DAY
from strata.services.knowledge import orders
from strata.services.records.knowledge import consolidation_order_key, words_key


def test_a_session_becomes_conclusions_with_the_words_they_rest_on(people):
    people.says("I live in Valencia.", "And please help me with a letter.")
    (found,) = people.conclusions(type="explicit")
    assert (found["text"], found["type"]) == ("Lives in Valencia", "explicit")
    assert [each[:3] for each in found["sources"]] == ["ep-"]
    assert found["quotes"][0]["text"] in "I live in Valencia."
    assert found["projects"] == ["demo"]


def test_what_repeats_in_three_sessions_on_three_days_is_concluded(people):
    said = ["The sourdough needs feeding", "Is my sourdough ready?", "Baked two sourdough loaves"]
    for each in said[:2]:
        people.says(each)
    assert people.known(type="inductive") == []
    people.says(said[2])
    (found,) = people.conclusions(type="inferred")
    assert "sourdough" in found["text"]
    assert len(set(found["sources"])) == 3
    assert len({quote["at"][:10] for quote in found["quotes"]}) == 3


def test_a_newer_value_takes_the_place_of_the_older_one(people):
    people.says("I live in Valencia.")
    people.says("I live in Oslo now.")
    assert people.known(type="explicit") == ["Lives in Oslo"]
    assert people.known(type="corrected") == ["Lives in Oslo"]


def test_a_sentence_with_two_values_is_one_conclusion(people):
    sentence = (
        "11:05 c1- | Reference letter: I work in Saltbox since March 2023, write that the chef can sign"
    )
    for tenant, user in (("local", "ann"), ("local", "bob"), ("acme", "ann")):
        for project, agent in (("shop", "a1"), ("lab", "a2")):
            for words in (sentence, sentence.lower()):
                session = f"{user}-{project}-{len(words)}-{words[0]}"
                people.says(words, tenant=tenant, user=user, project=project, agent_id=agent, session=session)
    for tenant, user in (("local", "ann"), ("local", "bob"), ("acme", "ann")):
        for border in ({}, {"project": "shop"}, {"project": "lab", "agent_id": "a2"}):
            assert len(people.known(user, tenant, **border)) == 1, (tenant, user, border)


def test_a_run_that_is_undone_twice_says_so_and_changes_nothing(people, ask):
    cells = [("local", "ann"), ("local", "bob"), ("acme", "ann")]
    for tenant, user in cells:
        for project, agent in (("shop", "a1"), ("lab", "a2")):
            words = f"I live in {'Valencia' if project == 'shop' else 'Oslo'}."
            session = f"{user}-{project}"
            people.says(words, tenant=tenant, user=user, project=project, agent_id=agent, session=session)
    runs = ask("local", "GET", "/api/memory/consolidations", params={"userId": "ann"})["consolidations"]
    (run,) = [each["id"] for each in runs if each["session_id"] == "ann-lab"]
    path = f"/api/memory/consolidations/{run}/undo"
    undone = [ask("local", "POST", path, params={"userId": "ann"}) for _ in range(2)]
    assert [each["already"] for each in undone] == [False, True]
    assert undone[0] | {"already": True} == undone[1]
    known = [people.known(user, tenant) for tenant, user in cells]
    assert known == [["Lives in Valencia"], ["Lives in Oslo"], ["Lives in Oslo"]]


def test_nobodys_sessions_are_the_default_users(people):
    people.says("I live in Valencia.", user=None)
    assert people.known(user=None) == people.known(user="default") == ["Lives in Valencia"]
    assert people.known() == []


def test_an_idle_session_is_read_as_its_users_or_as_the_default_users(people, ask):
    logs = {"e1": ("ann", "a", "Valencia"), "e2": (None, "a", "Oslo"), "e3": (None, "chats/x", "Lima")}
    for session, (user, app, place) in logs.items():
        named = {"session_id": session, "app_name": app} | ({"user_id": user} if user else {})
        ask("local", "POST", "/memory/sessions", json=named)
        for said in (f"I live in {place}.", "Bye"):
            event = {"event_type": "user_message", "content": said}
            ask("local", "POST", f"/memory/sessions/{session}/events", json=event)
    people.clock.forward(DAY)
    ask("local", "POST", "/api/memory/maintain")
    people.memory.work()
    assert people.known() == ["Lives in Valencia"]
    assert people.known("default") == ["Lives in Oslo"], "an imported chat of nobody's is not ended"


def test_an_end_that_is_sent_again_draws_nothing_again_and_other_words_replace_the_first(people):
    people.says("I live in Valencia.", session="s1")
    before = people.conclusions()
    people.says("I live in Valencia.", session="s1")
    assert people.conclusions() == before
    people.says("I live in Lima.", session="s1")
    assert people.known() == ["Lives in Lima"]


def test_what_the_assistant_says_and_what_was_recalled_is_not_read(people):
    messages = [
        {"role": "user", "content": "<memory:facts>I live in Rome.</memory:facts> What is the weather?"},
        {"role": "assistant", "content": "I live in Oslo."},
    ]
    people.ask("local", "POST", "/sessions", json={"id": "x", "project": "demo", "user_id": "ann"})
    people.ask("local", "POST", "/sessions/x/end", json={"messages": messages})
    people.memory.work()
    assert people.known() == []


def test_of_a_very_long_session_the_last_words_are_read(people, monkeypatch):
    monkeypatch.setattr(orders, "LONGEST", 25)
    session = people.say("I live in Oslo.", "I live in Rome.", "Thanks!", "Bye.")
    words = json.loads(people.memory.row(words_key(session))["turns"])
    assert [said for said, _ in words] == ["Thanks!", "Bye."]
    monkeypatch.setattr(orders, "LONGEST", 26)
    session = people.say("I live in Oslo.", "I live in Rome.", "Thanks!", "Bye.")
    words = json.loads(people.memory.row(words_key(session))["turns"])
    assert [said for said, _ in words] == ["I live in Rome.", "Thanks!", "Bye."]


def test_nothing_is_left_of_the_words_once_they_were_read(people):
    session = people.say("I live in Valencia.")
    people.memory.follow()
    assert people.memory.row(words_key(session)) is not None
    people.memory.work()
    assert people.memory.row(words_key(session)) is None
    assert people.memory.row(consolidation_order_key(session))["state"] == "done"


def test_conclusions_are_chosen_by_confidence_and_age(people):
    people.says("I live in Valencia.")
    people.says("I love jazz.")
    assert len(people.known(minConfidence=0.1)) == 2
    assert people.known(minConfidence=0.99) == []
    assert [text for text in people.known(maxAgeDays=1) if "Valencia" in text] == []
    people.ask("local", "GET", "/api/memory/conclusions", params={"type": "wild"}, status=400)
    people.ask("local", "GET", "/api/memory/conclusions", params={"minConfidence": 2}, status=400)


def test_a_deleted_conclusion_comes_back_from_new_sessions_only(people):
    session = people.says("I live in Valencia.")
    (found,) = people.conclusions()
    path = f"/api/memory/conclusions/{found['id']}"
    gone = people.ask("local", "DELETE", path, params={"userId": "ann"})
    assert gone == {"deleted": True, "conclusionId": found["id"]}
    people.ask("local", "DELETE", path, params={"userId": "ann"}, status=404)
    people.says("I live in Valencia.", "Thanks", session=session)
    people.says("I love jazz.")
    assert people.known() == ["Likes jazz"]
    people.says("I live in Valencia.")
    assert sorted(people.known()) == ["Likes jazz", "Lives in Valencia"]


def test_of_a_person_who_refuses_no_conclusion_is_listed_until_they_agree_again(people, ask):
    for user, tenant in (("ann", "local"), ("bob", "local"), ("ann", "acme")):
        people.says("I live in Lima.", user=user, tenant=tenant)
    consent = "/api/rgpd/users/ann/consent"
    ask("local", "PUT", consent, json={"ai_consent": False})
    assert people.known() == []
    assert people.known("bob") == people.known(tenant="acme") == ["Lives in Lima"]
    ask("local", "PUT", consent, json={"ai_consent": True})
    assert people.known() == ["Lives in Lima"]
    ask("local", "PUT", consent, json={"ai_consent": False})
    assert ask("local", "DELETE", "/api/memory/conclusions", params={"userId": "ann"})["count"] == 1


def test_all_conclusions_of_one_person_are_deleted_at_once(people):
    for user in ("ann", "bob"):
        people.says("I live in Valencia. I love jazz.", user=user)
    deleted = people.ask("local", "DELETE", "/api/memory/conclusions", params={"userId": "ann"})
    assert deleted == {"deleted": True, "count": 2}
    assert people.known() == []
    assert len(people.known(user="bob")) == 2
