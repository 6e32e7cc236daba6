"""What people agreed to or refused, as an import reports it: the newer holds, and leaves a trace."""

import pytest

from strata.domain.scope import Scope
from strata.services.records.people import fact_key
from strata.services.records.sessions import session_key
from support.memory import Memory
from support.person import AGENT, Person
from support.side import Side

AHEAD = "2254-01-01T00:00:00Z"
OTHERS = "others"
BEFORE, NOW = "2025-12-31T00:00:00Z", "2026-01-02T00:00:00Z"
"""A day before the clock of the tests, and a day after."""


@pytest.fixture
def side(tmp_path, clock):
    side = Side(tmp_path / "side", clock)
    yield side
    side.app.close()


def consent(name="ann", at=BEFORE, **said):
    return {"kind": "consent", "user_id": name, "ai_consent": True, "persist": True, "updated_at": at} | said


def says(side, name, tenant="local", **said):
    """A statement by its own route."""
    return Person(side.api, name, tenant)("PUT", f"/api/rgpd/users/{name}/consent", json=said)


def known(side, name, tenant="local"):
    """What holds of a person's consent, its history with who told of it, and its entries in the audit log."""
    ask = Person(side.api, name, tenant)
    found = ask("GET", f"/api/rgpd/users/{name}/consent")
    log = ask("GET", "/api/rgpd/audit-log", params={"external_ref": name})
    history = [(each.get("ai_consent"), each["persist"], each["by"]) for each in found["history"]]
    entries = [(each["event"], each["actorId"], each["metadata"].get("imported", False)) for each in log]
    return (found.get("ai_consent"), found["persist"]), history, entries


HERE = "this machine"


def test_an_imported_consent_is_in_the_history_and_in_the_audit_log(side, clock):
    for tenant in ("local", OTHERS):
        for name in ("ann", "bob"):
            says(side, name, tenant, ai_consent=False)
    before = [known(side, name, tenant) for name, tenant in (("bob", "local"), ("ann", OTHERS))]
    clock.forward(86_400)
    assert side.load([consent(at="2026-01-01T12:00:00Z")], scopes="write").json()["imported"] == {
        "consent": 1
    }
    assert known(side, "ann") == (
        (True, True),
        [(True, True, HERE), (False, True, HERE)],
        [("consent_given", HERE, True), ("consent_refused", HERE, False)],
    )
    assert [known(side, name, tenant) for name, tenant in (("bob", "local"), ("ann", OTHERS))] == before
    assert side.load([consent(at="2026-01-01T12:00:00Z")], scopes="write").json()["imported"] == {}
    assert len(known(side, "ann")[1]) == len(known(side, "ann")[2]) == 2


def test_a_statement_that_comes_with_its_consent_keeps_who_told_of_it(side):
    statement = {"kind": "statement", "user_id": "ann", "ai_consent": True, "at": BEFORE, "by": "key:there"}
    for lines in ([consent(), statement], [statement | {"user_id": "bob"}, consent("bob")]):
        side.load(lines)
    for name in ("ann", "bob"):
        _, history, entries = known(side, name)
        assert history == [(True, True, "key:there")]
        assert entries == [("consent_given", HERE, True)]


@pytest.mark.parametrize("said", [{"ai_consent": True}, {"ai_consent": None}])
def test_who_agrees_in_the_future_is_not_taken_at_their_word(side, said):
    says(side, "ann", ai_consent=False, persist=False)
    before = known(side, "ann")
    told = {("consent", "updated_at: should not lie in the future")}
    for name in ("ann", "bob"):
        assert side.skips([consent(name, AHEAD, **said)], scopes="write") == told
    assert known(side, "ann") == before
    assert known(side, "bob") == ((None, True), [], [])


def test_a_refusal_of_the_future_is_one_of_now(side, clock):
    says(side, "ann", ai_consent=False)
    says(side, "bob", persist=True)
    refusals = [consent(name, AHEAD, persist=False) for name in ("ann", "bob", "eve")]
    assert side.load(refusals, scopes="write").json()["imported"] == {"consent": 3}
    holds = {name: known(side, name)[0] for name in ("ann", "bob", "eve")}
    assert holds == {"ann": (False, False), "bob": (None, False), "eve": (None, False)}
    assert known(side, "eve")[1] == [(None, False, HERE)]
    assert side.load(refusals, scopes="write").json()["imported"] == {}
    clock.forward(60)
    says(side, "bob", persist=True)
    assert known(side, "bob")[0] == (None, True)


def test_a_refusal_that_was_said_after_a_line_stands_against_it(side, clock):
    lines = [consent("ann"), consent("bob")]
    side.load(lines, scopes="write")
    says(side, "ann", ai_consent=False)
    before = known(side, "ann")
    clock.forward(60)
    assert side.load(lines, scopes="write").json()["imported"] == {}
    assert known(side, "ann") == before
    assert known(side, "bob")[0] == (True, True)


def test_a_statement_of_the_future_is_not_taken(side):
    statement = {"kind": "statement", "user_id": "ann", "ai_consent": True, "at": AHEAD, "by": "key:there"}
    assert side.skips([statement]) == {("statement", "at: should not lie in the future")}
    assert known(side, "ann")[1] == []


# --- of one session ---------------------------------------------------------------------------------


def session(name, at=BEFORE, agrees=True, **fields):
    line = {"kind": "session", "id": name, "project": "shop", "started_at": "2025-12-01T00:00:00Z"}
    return line | {"ai_consent": agrees, "ai_consent_at": at, "user_id": "ann"} | fields


def says_of(side, name, allowed, tenant="local"):
    Person(side.api, "ann", tenant)("POST", f"/api/rgpd/sessions/{name}/consent", json={"consent": allowed})


def stated(side, name, tenant="local"):
    row = Memory(side.app, Scope(tenant)).row(session_key(name)) or {}
    return row.get("ai_consent")


@pytest.mark.parametrize("at", [BEFORE, None], ids=["before", "no time"])
@pytest.mark.parametrize("started", [True, False])
def test_an_older_line_does_not_overturn_a_refusal_of_its_session(side, at, started):
    for tenant in ("local", OTHERS):
        says_of(side, "refused", False, tenant)
    lines = [session(name, at) for name in ("refused", "open")]
    if at is None:
        lines = [{name: value for name, value in each.items() if value is not None} for each in lines]
    if not started:
        lines = [each | {"started_at": ""} for each in lines]
    for _ in range(2):
        side.load(lines, scopes="write")
    assert [stated(side, name) for name in ("refused", "open")] == [False, True]
    assert stated(side, "refused", OTHERS) is False
    row = side.memory.row(session_key("refused"))
    assert (row["user_id"], row.get("project")) == ("ann", "shop" if started else None)


def test_a_refusal_whose_time_is_not_told_counts_from_now_on(side):
    untimed = [session(name, agrees=False) | {"started_at": ""} for name in ("s1", "s2")]
    for each in untimed:
        del each["ai_consent_at"]
    for lines in (untimed, [session(name) for name in ("s1", "s3")]):
        side.load([each | {"user_id": ""} for each in lines], scopes="write")
    assert [stated(side, name) for name in ("s1", "s2", "s3")] == [False, False, True]


def test_a_newer_line_counts_and_is_in_the_audit_log(side, clock):
    says_of(side, "s1", False)
    clock.forward(2 * 86_400)
    side.load([session("s1", NOW), session("s2", NOW, agrees=False)], scopes="write")
    assert (stated(side, "s1"), stated(side, "s2")) == (True, False)
    log = Person(side.api, "ann")("GET", "/api/rgpd/audit-log", params={"external_ref": "ann"})
    told = {(each["event"], each["metadata"]["sessionId"], each["metadata"].get("imported")) for each in log}
    assert told == {("consent_given", "s1", True), ("consent_refused", "s2", True)}


def test_who_agrees_for_a_session_in_the_future_is_not_taken_at_their_word(side):
    says_of(side, "s1", False)
    told = {("session", "ai_consent_at: should not lie in the future")}
    for name in ("s1", "s2"):
        assert side.skips([session(name, AHEAD)], scopes="write") == told
    assert (stated(side, "s1"), stated(side, "s2")) == (False, None)
    for name in ("s1", "s2"):
        assert side.skips([session(name, AHEAD, agrees=False)], scopes="write") == set()
    assert (stated(side, "s1"), stated(side, "s2")) == (False, False)
    says_of(side, "s2", True)
    assert stated(side, "s2") is True


# --- what was learnt from a session that was refused --------------------------------------------------


def episode(number, session_id, name, **fields):
    line = {"kind": "episode", "id": f"ep-{number}", "conversation_id": session_id, "user_id": name}
    words = {"project": "shop", "summary": f"{name} in {session_id}", "keywords": [], "topic": "health"}
    times = {"created_at": BEFORE, "updated_at": BEFORE}
    return line | words | {"type": "conversation", "importance": 0.5, "derived": True} | times | fields


def fact(number, session_id, name):
    line = {"kind": "fact", "id": number, "agent_id": AGENT, "user_id": name, "session_id": session_id}
    words = {
        "fact": "Has a heron",
        "category": "preference",
        "value": "heron",
        "basis": "my heron",
        "hash": "0",
    }
    return line | words | {"created_at": BEFORE}


def test_what_was_learnt_from_a_refused_session_is_not_imported(side):
    says_of(side, "refused", False)
    refused = [episode(1_000_001, "refused", "ann"), episode(1_000_002, "refused", "bob")]
    stored = episode(1_000_003, "refused", "ann", derived=False)
    others = [episode(1_000_004, "open", "ann"), episode(1_000_005, "agreed", "bob")]
    says_of(side, "agreed", True)
    answer = side.load([*refused, stored, *others, fact(7, "refused", "ann"), fact(8, "open", "ann")]).json()
    why = "nothing about this person, or in this session, may be kept"
    assert [(each["kind"], each["index"], each["reason"]) for each in answer["skipped"]] == [
        ("episode", 0, why),
        ("episode", 1, why),
        ("fact", 5, why),
    ]
    assert answer["imported"] == {"episode": 3, "fact": 1}
    assert side.memory.row(fact_key(AGENT, "ann", 7)) is None
    assert side.load(refused, tenant=OTHERS).json()["imported"] == {"episode": 2}
    assert side.skips([refused[0]], resurrect="true") == {("episode", why)}
