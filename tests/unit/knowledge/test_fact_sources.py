"""Conclusions rest on the facts that were found in the same words, and fall with them."""

from collections.abc import Sequence
from itertools import product

import pytest

from strata.domain.facts.found import FoundFact
from strata.domain.facts.patterns.finder import facts_in
from strata.domain.scope import Scope
from strata.ports.rows import Put
from strata.services.knowledge.fact_sources import FactSources
from strata.services.records.erasures import tombstone_key
from strata.services.records.knowledge import consolidation_order_key, knowledge_pk
from strata.services.records.people import FACT_PREFIX, GONE_PREFIX, fact_key, fact_number, facts_pk
from support.memory import LOCAL, Meddled

AGENTS = HELPER, SCOUT = "helper", "scout"
RUNS = "/api/memory/consolidations"
HOME = "Lives in Valencia"
SAID = "My name is Ann and I live in Valencia."
ORDERS = {"facts first": ("extraction", "dreamer"), "conclusions first": ("dreamer", "extraction")}


class Finder:
    """Finds facts by rules, and a home that they do not know."""

    def find(self, scope: Scope, turns: Sequence[str]) -> list[FoundFact]:
        told = [
            FoundFact("place", "Bridgeport", "Lives in Bridgeport", turn)
            for turn in turns
            if turn.startswith("How noisy Bridgeport is")
        ]
        return [*(fact for turn in turns for fact in facts_in(turn)), *told]


@pytest.fixture(autouse=True)
def agents(ask):
    for tenant, agent in product(("local", "globex"), AGENTS):
        ask(tenant, "PUT", f"/api/agents-config/{agent}", json={"memory_enabled": True})


def facts(people, agent=HELPER, user="ann"):
    found = people.ask("local", "GET", f"/api/agents/{agent}/users/{user}/facts")["facts"]
    return {each["fact"]: each["id"] for each in found}


def delete(people, fact, agent=HELPER):
    people.ask("local", "DELETE", f"/api/agents/{agent}/users/ann/facts/{facts(people, agent)[fact]}")
    people.memory.work()


def tell(people, *said, **fields):
    return people.says(*said, "Remember it.", "Thanks.", **{"agent_id": HELPER} | fields)


def known(people, agent=HELPER, **seen_by):
    return sorted(people.known(type="explicit", agent_id=agent, **seen_by))


def sources(people, text=HOME):
    found = people.conclusions(type="explicit", agent_id=HELPER)
    return next(each["sources"] for each in found if each["text"] == text)


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_a_conclusion_names_the_fact_and_falls_with_it_alone(people, order):
    tell(people, SAID, user="bob")
    tell(people, SAID, agent_id=SCOUT, project="web")
    tell(people, SAID, tenant="globex")
    session = people.say(SAID, "Remember it.", "Thanks.", agent_id=HELPER)
    app = people.memory.app
    for room in order:
        (app.facts.extraction if room == "extraction" else app.knowledge.dreamer).run(LOCAL, session)
        people.memory.follow()
    people.memory.work()
    assert facts(people)[HOME] in sources(people)
    assert facts(people)["Is called Ann"] not in sources(people)
    assert facts(people, SCOUT)[HOME] not in sources(people)
    delete(people, HOME)
    assert known(people) == ["Is called Ann"]
    both = ["Is called Ann", HOME]
    assert known(people, SCOUT, project="web") == both
    assert known(people, user="bob") == known(people, tenant="globex") == both


def test_a_deleted_fact_keeps_the_same_words_from_being_concluded_again(people):
    session = tell(people, SAID)
    delete(people, HOME)
    tell(people, "I love jazz.")
    people.memory.end(session, SAID, "ok", "Remember it.", "ok", "Thanks.", "ok", "One more thing.")
    people.memory.work()
    assert known(people) == ["Is called Ann", "Likes jazz"]
    tell(people, "I live in Valencia.")
    assert HOME in known(people)


def test_a_fact_that_was_deleted_before_the_dreamer_ran_leaves_no_conclusion(people):
    session = people.say(SAID, "Remember it.", "Thanks.", agent_id=HELPER)
    people.memory.app.facts.extraction.run(LOCAL, session)
    people.ask("local", "DELETE", f"/api/agents/{HELPER}/users/ann/facts/{facts(people)[HOME]}")
    people.memory.work()
    assert known(people) == ["Is called Ann"]


def test_what_other_words_say_too_stays_without_the_fact(people):
    tell(people, SAID)
    tell(people, "I live in Valencia.")
    fact = facts(people)[HOME]
    assert len(sources(people)) == 3
    delete(people, HOME)
    assert [each[:3] for each in sources(people)] == ["ep-"]
    assert fact not in sources(people)


def test_no_undo_gives_back_what_rests_on_a_deleted_fact(people):
    tell(people, SAID)
    fact = facts(people)[HOME]
    tell(people, "I live in Oslo now.")
    (run,) = people.ask("local", "GET", RUNS, params={"userId": "ann", "limit": 1})["consolidations"]
    people.ask("local", "DELETE", f"/api/agents/{HELPER}/users/ann/facts/{fact}")
    people.memory.work()
    people.ask("local", "POST", f"{RUNS}/{run['id']}/undo", params={"userId": "ann"})
    assert HOME not in known(people)


def test_an_undo_gives_back_the_value_of_a_superseded_fact(people):
    tell(people, SAID)
    tell(people, "I live in Oslo now.")
    (run,) = people.ask("local", "GET", RUNS, params={"userId": "ann", "limit": 1})["consolidations"]
    people.ask("local", "POST", f"{RUNS}/{run['id']}/undo", params={"userId": "ann"})
    assert HOME in known(people)


def test_a_superseded_fact_fells_the_older_value_that_the_rules_did_not_see_change(people):
    people.memory.use(fact_finder=Finder())
    tell(people, SAID)
    tell(people, SAID, user="bob")
    tell(people, "How noisy Bridgeport is at night")
    assert known(people) == ["Is called Ann"]
    tell(people, "I love jazz.")
    assert known(people) == ["Is called Ann", "Likes jazz"]
    assert known(people, user="bob") == ["Is called Ann", HOME]


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_a_value_that_takes_the_place_of_a_superseded_one_is_told_as_corrected(people, order):
    tell(people, SAID)
    session = people.say("I live in Oslo now.", "Remember it.", "Thanks.", agent_id=HELPER)
    app = people.memory.app
    for room in order:
        (app.facts.extraction if room == "extraction" else app.knowledge.dreamer).run(LOCAL, session)
        people.memory.follow()
    people.memory.work()
    assert people.known(type="corrected", agent_id=HELPER) == ["Lives in Oslo"]
    assert facts(people)["Lives in Oslo"] in sources(people, "Lives in Oslo")


def test_a_fact_that_expires_or_is_pushed_out_takes_nothing_away(people, ask, clock):
    ask("local", "PUT", f"/api/agents-config/{HELPER}", json={"fact_retention_days": 10})
    ask("local", "PUT", f"/api/agents-config/{SCOUT}", json={"max_facts": 1})
    for agent in AGENTS:
        tell(people, "I live in Valencia.", agent_id=agent)
    tell(people, "I love jazz.", agent_id=SCOUT)
    clock.forward(11 * 86_400)
    people.memory.lose_changes()
    changed = [change.key for change in people.memory.app.stores.change_log.read(0, 100_000)]
    people.memory.app.knowledge.fact_sources.follow(LOCAL, changed)
    assert facts(people) == {}
    assert list(facts(people, SCOUT)) == ["Likes jazz"]
    assert known(people) == [HOME]
    assert known(people, SCOUT) == ["Likes jazz", HOME]


def test_changes_that_come_twice_and_backwards_change_nothing_more(people):
    tell(people, SAID)
    tell(people, "I live in Oslo now.")
    delete(people, "Is called Ann")
    app = people.memory.app
    before = people.conclusions(agent_id=HELPER)
    changed = [change.key for change in app.stores.change_log.read(0, 100_000) if change.tenant == "local"]
    head = app.stores.change_log.head()
    for key in reversed(changed):
        app.knowledge.fact_sources.follow(LOCAL, [key])
    assert people.conclusions(agent_id=HELPER) == before
    assert app.stores.change_log.head() == head


def test_a_refusal_with_erasure_leaves_no_words_of_facts_that_were_deleted_before(people):
    tell(people, SAID)
    tell(people, SAID, user="bob")
    for fact in facts(people):
        people.ask("local", "DELETE", f"/api/agents/{HELPER}/users/ann/facts/{facts(people)[fact]}")
    refusal = {"ai_consent": False, "erase": True}
    people.ask("local", "PUT", "/api/rgpd/users/ann/consent", json=refusal)
    people.memory.work()
    assert people.memory.rows(facts_pk(HELPER, "ann")) == []
    assert people.memory.rows(knowledge_pk("ann")) == []
    assert len(facts(people, user="bob")) == 2


def test_nothing_is_kept_of_a_fact_whose_person_is_erased_while_its_deletion_is_followed(people):
    app = people.memory.app
    tell(people, SAID)
    key = fact_key(HELPER, "ann", fact_number(facts(people)[HOME]))
    people.ask("local", "DELETE", f"/api/agents/{HELPER}/users/ann/facts/{facts(people)[HOME]}")

    def erased():
        app.privacy.forgetter.forget(LOCAL, "ann")
        app.stores.table.transact(LOCAL, [Put(tombstone_key("ann"), {"erasure_id": "e1"})])

    FactSources(Meddled(app.stores.table, erased), app.clock).follow(LOCAL, [key])
    assert people.memory.rows(knowledge_pk("ann")) == []


def test_the_facts_of_a_person_are_read_once_however_many_change_at_once(people, monkeypatch):
    """A deleted fact and the ends of two sessions reach the consumer in one batch."""
    app, keys = people.memory.app, []
    for said in (SAID, "I love jazz."):
        keys.append(consolidation_order_key(tell(people, said)))
    keys += [fact_key(HELPER, "ann", fact_number(each)) for each in facts(people).values()]
    delete(people, HOME)
    delete(people, "Is called Ann")
    table, read = app.stores.table, []
    query = table.query

    def counted(scope, asked):
        read.append((asked.pk, asked.prefix))
        return query(scope, asked)

    monkeypatch.setattr(table, "query", counted)
    app.knowledge.fact_sources.follow(LOCAL, keys)
    assert read.count((facts_pk(HELPER, "ann"), FACT_PREFIX)) == 1
    assert read.count((facts_pk(HELPER, "ann"), GONE_PREFIX)) == 1
