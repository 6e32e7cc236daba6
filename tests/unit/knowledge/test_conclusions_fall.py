"""Conclusions fall with sources that are deleted, refused or erased, and outlive their expiry."""

import pytest

from strata.domain.times import DAY
from support.people import People

SAID = "I live in Valencia."


def dream(people: People) -> None:
    people.memory.work()


def forget_episode(people: People, session: str) -> None:
    found = people.ask("local", "GET", "/api/memory/episodes", params={"userId": "ann"})["episodes"]
    episode = next(each["id"] for each in found if each["conversation_id"] == session)
    people.ask("local", "DELETE", f"/api/memory/episodes/{episode}", params={"userId": "ann"})


def refuse_session(people: People, session: str) -> None:
    people.ask("local", "POST", f"/api/rgpd/sessions/{session}/consent", json={"consent": False})


def refuse_and_erase(people: People, session: str) -> None:
    people.ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False, "erase": True})


def be_erased(people: People, session: str) -> None:
    people.ask("local", "DELETE", "/api/rgpd/users/ann/ai-data")


def erase_channel(people: People, session: str) -> None:
    people.ask("local", "DELETE", "/api/rgpd/users/ann/ai-data", params={"external_type": "voice"})


LOSSES = [forget_episode, refuse_session, refuse_and_erase, be_erased, erase_channel]


@pytest.mark.parametrize("loses", LOSSES)
def test_what_rests_on_a_lost_session_alone_falls_and_nobody_elses(people, loses):
    people.says(SAID, user="bob")
    people.says(SAID, tenant="globex")
    session = people.says(SAID, external_type="voice")
    assert people.known() == ["Lives in Valencia"]
    loses(people, session)
    dream(people)
    assert people.known() == []
    assert people.known(user="bob") == people.known(tenant="globex") == ["Lives in Valencia"]


def test_the_same_end_brings_nothing_back_once_its_episode_was_deleted(people):
    said = ["My name is Ann.", SAID, "My dentist is Dr Weller."]
    session, other = people.say(*said), people.say(*said, user="bob")
    dream(people)
    forget_episode(people, session)
    dream(people)
    assert people.known() == []
    for name, user in ((session, "ann"), (other, "bob")):
        people.say(*said, session=name, user=user)
    dream(people)
    assert people.known() == []
    assert len(people.known(user="bob")) == 3


@pytest.mark.parametrize("named", ["query", "body", "both"])
def test_only_the_person_that_the_query_or_the_body_names_loses_their_conclusions(people, named):
    for user in ("ann", "bob", "default"):
        people.says(SAID, user=user)
    people.says(SAID, tenant="globex")
    sent = {"params": {"userId": "ann"}} if named != "body" else {}
    sent |= {"json": {"userId": "ann"}} if named != "query" else {}
    for bad, status in (
        ({"user": "ann"}, 400),
        ({"userId": 5}, 400),
        (["ann"], 400),
        ({"userId": "bob"}, 409),
    ):
        if status == 400 or named == "both":
            params = {"params": {"userId": "ann"}}
            people.ask("local", "DELETE", "/api/memory/conclusions", status=status, json=bad, **params)
    assert people.known() == ["Lives in Valencia"]
    answer = people.ask("local", "DELETE", "/api/memory/conclusions", **sent)
    assert answer == {"deleted": True, "count": 1}
    assert people.known() == []
    for left in (people.known("bob"), people.known("default"), people.known(tenant="globex")):
        assert left == ["Lives in Valencia"]


@pytest.mark.parametrize("loses", [forget_episode, refuse_session, erase_channel])
def test_what_rests_on_another_session_too_stays_with_that_one(people, loses):
    first = people.says(SAID)
    second = people.says(SAID, external_type="voice")
    loses(people, second)
    dream(people)
    (found,) = people.conclusions()
    assert len(found["sources"]) == 1
    forget_episode(people, first)
    dream(people)
    assert people.known() == []


def test_an_older_value_does_not_come_back_with_an_undo_once_its_session_is_refused(people):
    old = people.says(SAID)
    people.says("I live in Oslo now.")
    refuse_session(people, old)
    dream(people)
    newest = people.ask("local", "GET", "/api/memory/consolidations", params={"userId": "ann"})
    run = newest["consolidations"][0]["id"]
    people.ask("local", "POST", f"/api/memory/consolidations/{run}/undo", params={"userId": "ann"})
    assert "Lives in Valencia" not in people.known()


def test_a_pattern_falls_when_fewer_than_three_sessions_are_left(people):
    sessions = [people.says(f"The sourdough {each}") for each in ("needs feeding", "is ready", "burnt")]
    assert people.known(type="inductive")
    refuse_session(people, sessions[0])
    dream(people)
    assert people.known(type="inductive") == []


def test_a_deleted_log_of_events_takes_what_was_concluded_from_it(people):
    people.ask(
        "local", "POST", "/memory/sessions", json={"session_id": "e", "app_name": "kaos", "user_id": "ann"}
    )
    event = {"event_type": "user_message", "content": SAID}
    people.ask("local", "POST", "/memory/sessions/e/events", json=[event])
    people.ask("local", "POST", "/sessions/e/end", json={})
    dream(people)
    assert people.known() == ["Lives in Valencia"]
    people.ask("local", "DELETE", "/memory/sessions/e")
    assert people.known() == []


def test_a_conclusion_outlives_the_episode_that_it_rests_on(people):
    people.says(SAID)
    people.clock.forward(40 * DAY)
    dream(people)
    people.says("I love jazz.")
    assert sorted(people.known()) == ["Likes jazz", "Lives in Valencia"]


# --- who allows it is looked at when the dreamer runs


@pytest.mark.parametrize("loses", LOSSES)
def test_what_was_lost_before_the_dreamer_ran_is_not_read(people, loses):
    session = people.say(SAID, external_type="voice")
    people.memory.follow()
    loses(people, session)
    dream(people)
    people.says("I love jazz.", user="bob")
    assert people.known() == []


def test_a_refusal_stops_it_and_hides_what_is_known_from_contexts_and_lists(people):
    people.says(SAID)
    ask = {"query": "where", "user_id": "ann", "project": "demo", "layers": "conclusions"}
    assert people.ask("local", "GET", "/context", params=ask)["items"]
    people.ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False})
    people.says("I love jazz.")
    assert people.known() == []
    assert people.ask("local", "GET", "/context", params=ask)["items"] == []
    people.ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": True})
    assert people.known() == ["Lives in Valencia"], "of jazz they spoke while they refused"


def test_a_configured_agent_that_may_not_remember_draws_none_and_one_that_may_does(people):
    for agent, enabled in (("shy", False), ("open", True)):
        people.ask("local", "PUT", f"/api/agents-config/{agent}", json={"memory_enabled": enabled})
        people.says(SAID, agent_id=agent)
        assert people.known(agent_id=agent) == (["Lives in Valencia"] if enabled else [])


def test_an_agent_that_is_turned_off_while_a_session_waits_draws_none(people):
    people.say(SAID, agent_id="helper")
    people.ask("local", "PUT", "/api/agents-config/helper", json={"memory_enabled": False})
    dream(people)
    assert people.known() == people.known(agent_id="helper") == []


def test_a_session_that_keeps_nothing_leaves_nothing(people):
    people.ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"persist": False})
    people.says(SAID)
    assert people.known() == []


# --- borders


def test_each_agent_and_project_is_given_its_own_conclusions(people):
    places = {("a", "x"): "Rome", ("a", "y"): "Oslo", ("b", "x"): "Bern", ("b", "y"): "Lima"}
    for (agent, project), place in places.items():
        people.says(f"I live in {place}.", agent_id=agent, project=project)
    for (agent, project), place in places.items():
        assert people.known(agent_id=agent, project=project) == [f"Lives in {place}"]
    assert people.known(agent_id="a") == ["Lives in Oslo"]
    assert people.known() == ["Lives in Lima"]
    assert people.known(agent_id="c") == people.known(user="bob") == people.known(tenant="globex") == []


def test_a_pattern_over_several_projects_is_given_only_where_all_of_them_may_be_seen(people):
    for project in ("x", "y", "x"):
        people.says("The sourdough rises", project=project)
    (found,) = people.conclusions(type="inductive")
    assert found["projects"] == ["x", "y"]
    assert people.known(project="x") == people.known(project="y") == []


def test_the_words_of_a_configured_agent_feed_that_agent_only(people):
    people.ask("local", "PUT", "/api/agents-config/shop", json={"memory_enabled": True})
    for agent in ("shop", "other", "shop", "other", "shop"):
        people.says("The sourdough rises", agent_id=agent)
    assert people.known(type="inductive", agent_id="shop")
    assert people.known() == people.known(agent_id="other") == []


def test_what_one_agent_or_project_is_told_is_concluded_for_another_that_is_told_the_same(people):
    people.ask("local", "PUT", "/api/agents-config/shop", json={"memory_enabled": True})
    cells = [{"agent_id": agent, "project": project} for agent in ("shop", "desk") for project in ("x", "y")]
    for cell in cells:
        people.says(SAID, **cell)
        assert people.known(**cell) == ["Lives in Valencia"]
    assert people.known() == people.known(agent_id="shop") == ["Lives in Valencia"]
