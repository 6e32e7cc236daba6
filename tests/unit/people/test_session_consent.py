"""Consent for one session, the audit log, and the agreement of a tenant."""

import pytest

from strata.domain.errors import AgreementMissing, NotFound
from strata.domain.scope import Scope
from strata.services.people.permission import permission_checks, permission_keys, permitted
from strata.services.records.people import extraction_key
from strata.services.records.sessions import session_key
from support.api import ClaimsFromHeader, client
from support.api_calls import data, refused
from support.memory import LOCAL, Memory, application, dialogue

SAID = dialogue("My name is Ana.", "Hello!", "I live in Valencia.", "Nice.", "I love jazz.", "Noted.")
AUDIT = "/api/rgpd/audit-log"


@pytest.fixture
def app(tmp_path, clock):
    app = application(tmp_path, clock, AUTH="required")
    yield app
    app.close()


@pytest.fixture
def memory(app):
    return Memory(app)


@pytest.fixture
def ask(app):
    """A call of a tenant's: `ask("acme", "GET", path)`."""
    api = client(app, ClaimsFromHeader())
    return lambda tenant, method, path, **sent: api.request(
        method, path, headers={"x-tenant": tenant}, **sent
    )


@pytest.fixture
def talk(ask):
    """Hold a conversation that is worth remembering, with consent for it or without a word on it."""

    def held(session, person, consent=None, tenant="local", said=SAID):
        ask(tenant, "PUT", "/api/agents-config/helper", json={"memory_enabled": True})
        begun = {"id": session, "project": "demo", "agent_id": "helper", "user_id": person}
        assert ask(tenant, "POST", "/sessions", json=begun).status_code == 201
        if consent is not None:
            data(ask(tenant, "POST", f"/api/rgpd/sessions/{session}/consent", json={"consent": consent}))
        assert ask(tenant, "POST", f"/sessions/{session}/end", json={"messages": said}).status_code == 200

    return held


def facts(ask, person, tenant="local"):
    return data(ask(tenant, "GET", f"/api/agents/helper/users/{person}/facts"))["facts"]


def test_nothing_is_learnt_from_the_session_that_was_refused_and_all_from_the_others(ask, memory, talk):
    talk("refused", "ann", consent=False)
    talk("allowed", "ann", consent=True)
    talk("unasked", "bob")
    memory.work()
    assert {fact["session_id"] for fact in facts(ask, "ann")} == {"allowed"}
    assert {fact["session_id"] for fact in facts(ask, "bob")} == {"unasked"}
    for session, episodes in (("refused", 0), ("allowed", 1), ("unasked", 1)):
        assert len(ask("local", "GET", f"/episodic/{session}").json()["episodes"]) == episodes


@pytest.mark.parametrize("said", [(True, False), (False, True)])
def test_a_consent_that_contradicts_itself_is_told_so(ask, said):
    body = dict(zip(("consent", "ai_consent"), said, strict=True))
    answer = ask("local", "POST", "/api/rgpd/sessions/s/consent", json=body)
    assert (answer.status_code, "contradict" in answer.text) == (400, True)


def test_a_refusal_afterwards_takes_away_what_was_learnt_from_the_session(ask, memory, talk):
    others = dialogue(
        "I play the cello.", "Hello!", "We decided to rent the flat.", "Nice.", "I hate rain.", "Ok."
    )
    talk("a1", "ann")
    talk("a2", "ann", said=others)
    talk("b1", "bob")
    talk("a1", "ann", tenant="acme")
    memory.work()
    assert {fact["session_id"] for fact in facts(ask, "ann")} == {"a1", "a2"}
    stored = {"conversation_id": "a1", "user_id": "ann", "agent_id": "helper", "summary": "The agent's notes"}
    assert ask("local", "POST", "/episodic/store", json=stored).status_code == 201
    data(ask("local", "POST", "/api/rgpd/sessions/a1/consent", json={"consent": False}))
    memory.work()
    assert {fact["session_id"] for fact in facts(ask, "ann")} == {"a2"}
    assert [each["summary"] for each in ask("local", "GET", "/episodic/a1").json()["episodes"]] == [
        "The agent's notes"
    ]
    lines = {each: memory.row(session_key(each))["about"] for each in ("a1", "a2", "b1")}
    assert (lines["a1"], bool(lines["a2"]), bool(lines["b1"])) == ("", True, True)
    assert len(facts(ask, "bob")) == len(facts(ask, "ann", "acme")) == 3
    assert len(ask("local", "GET", "/episodic/a2").json()["episodes"]) == 1
    assert len(ask("acme", "GET", "/episodic/a1").json()["episodes"]) == 1


def test_a_refusal_stops_what_is_queued_and_what_is_under_way(ask, app, memory, talk):
    talk("s1", "ann")
    talk("s2", "ann")
    assert app.stores.table.get(LOCAL, extraction_key("s1")), "ordered"
    keys, checks = permission_keys("helper", "ann", "s1"), permission_checks("helper", "ann", "s1")
    assert permitted("helper", "ann", "s1", app.stores.table.get_many(LOCAL, keys))
    app.stores.table.transact(LOCAL, checks)
    data(ask("local", "POST", "/api/rgpd/sessions/s1/consent", json={"ai_consent": False}))
    assert not permitted("helper", "ann", "s1", app.stores.table.get_many(LOCAL, keys))
    with pytest.raises(Exception, match="ondition"):
        app.stores.table.transact(LOCAL, checks)
    memory.work()
    assert {fact["session_id"] for fact in facts(ask, "ann")} == {"s2"}


def test_a_consent_for_a_session_does_not_override_the_persons_own_refusal(ask, memory, talk):
    data(ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False}))
    talk("s1", "ann", consent=True)
    memory.work()
    assert facts(ask, "ann") == []


def test_a_session_can_be_refused_before_anything_else_names_it(ask, memory, talk):
    given = data(ask("local", "POST", "/api/rgpd/sessions/later/consent", json={"consent": False}))
    assert (given["session_id"], given["ai_consent"], "external_ref" in given) == ("later", False, False)
    talk("later", "ann")
    memory.work()
    assert facts(ask, "ann") == []


def test_an_answer_of_a_refused_session_becomes_no_episode(ask):
    answer = {"response": "Compared to the bus, the train is simpler.", "tool_calls": 4, "steps": 2}
    for session, consent, kept in (("s1", False, False), ("s2", True, True)):
        data(ask("local", "POST", f"/api/rgpd/sessions/{session}/consent", json={"consent": consent}))
        given = ask("local", "POST", "/api/memory/ingest", json=answer | {"session_id": session}).json()
        assert given["ingested"] is kept


@pytest.mark.parametrize(
    "bad",
    [{}, {"consent": "yes"}, {"consent": None}, {"consent": 1}, {"consent": True, "ai_consent": False}, []],
)
def test_a_consent_that_says_nothing_clear_is_refused_and_not_recorded(ask, bad):
    refused(ask("local", "POST", "/api/rgpd/sessions/s1/consent", json=bad), 400, "invalid_request")
    assert data(ask("local", "GET", AUDIT)) == []


def test_the_audit_log_tells_newest_first_who_recorded_what_about_whom(ask, talk):
    talk("s1", "ann", consent=True)
    data(ask("local", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False, "erase": True}))
    data(ask("local", "PUT", "/api/rgpd/users/bob/consent", json={"persist": True}))
    data(ask("beta", "PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": True}))
    data(ask("local", "POST", "/api/auth/tenants/local/dpa-accept"))
    told = data(ask("local", "GET", AUDIT))
    assert [(each["event"], each.get("externalRef"), each["metadata"]) for each in told] == [
        ("dpa_accepted", None, {}),
        ("consent_given", "bob", {"persist": True}),
        ("consent_refused", "ann", {"ai_consent": False, "erase": True}),
        ("consent_given", "ann", {"consent": True, "sessionId": "s1"}),
    ]
    assert all(each["actorId"] and each["createdAt"].endswith("Z") for each in told)
    assert len({each["id"] for each in told}) == 4
    assert data(ask("local", "GET", AUDIT, params={"external_ref": "ann"})) == told[2:]
    assert data(ask("local", "GET", AUDIT, params={"external_ref": "ann", "limit": 1})) == told[2:3]
    assert data(ask("local", "GET", AUDIT, params={"external_ref": "nobody"})) == []
    assert [each["event"] for each in data(ask("beta", "GET", AUDIT))] == ["consent_given"]


def test_after_an_erasure_the_person_stands_in_the_audit_log_by_the_receipts_digest(ask, memory, clock, talk):
    for person in ("ann", "bob"):
        talk(f"talk-{person}", person, consent=True)
    begun = data(ask("local", "DELETE", "/api/rgpd/users/ann/ai-data"))["erasure_id"]
    assert data(ask("local", "GET", AUDIT))[0]["externalRef"] == "ann"
    for _ in range(4):
        memory.work()
        clock.forward(120)
    receipt = data(ask("local", "GET", f"/api/rgpd/erasures/{begun}"))
    assert receipt["status"] == "done"
    told = data(ask("local", "GET", AUDIT))
    assert [(each["event"], each["externalRef"], each["metadata"]) for each in told] == [
        ("data_suppressed", receipt["subject"], {"erasureId": begun}),
        ("consent_given", "bob", {"consent": True, "sessionId": "talk-bob"}),
        ("consent_given", receipt["subject"], {"consent": True}),
    ]
    assert data(ask("local", "GET", AUDIT, params={"external_ref": "ann"})) == []
    assert len(data(ask("local", "GET", AUDIT, params={"external_ref": receipt["subject"]}))) == 2
    assert len(data(ask("local", "GET", AUDIT, params={"external_ref": "bob"}))) == 1


def test_a_person_is_given_what_the_audit_log_says_of_them(ask, talk):
    talk("s1", "ann", consent=True)
    talk("s2", "bob", consent=False)
    items = data(ask("local", "GET", "/api/rgpd/users/ann/ai-data"))["items"]
    assert [each["metadata"]["sessionId"] for each in items["audit_entries"]] == ["s1"]


NOT_ACCEPTED = {"accepted": False, "acceptedAt": None, "acceptedBy": None}


def test_the_first_acceptance_of_the_agreement_stands_and_another_tenants_is_not_found(ask):
    status = "/api/auth/tenants/{}/dpa-status"
    assert data(ask("acme", "GET", status.format("acme"))) == NOT_ACCEPTED
    first = data(ask("acme", "POST", "/api/auth/tenants/acme/dpa-accept"))
    assert data(ask("acme", "POST", "/api/auth/tenants/acme/dpa-accept")) == first
    assert data(ask("acme", "GET", status.format("acme"))) == {
        "accepted": True,
        "acceptedAt": first["dpaAcceptedAt"],
        "acceptedBy": first["dpaAcceptedBy"],
    }
    assert data(ask("beta", "GET", status.format("beta"))) == NOT_ACCEPTED
    refused(ask("beta", "GET", status.format("acme")), 404, "not_found")
    refused(ask("beta", "POST", "/api/auth/tenants/acme/dpa-accept"), 404, "not_found")
    assert len(data(ask("acme", "GET", AUDIT))) == 1


def test_the_agreement_is_required_of_each_tenant(app):
    agreements = app.people.agreements
    agreements.accept(Scope("acme"), "acme", "tests")
    agreements.require(Scope("acme"))
    with pytest.raises(AgreementMissing):
        agreements.require(Scope("beta"))
    with pytest.raises(NotFound):
        agreements.accept(Scope("beta"), "acme", "tests")
