"""Exports and imports of every kind: order, pages, people, and what is never brought back."""

import json

import pytest

from strata.domain.errors import Forbidden
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.transfer import Import
from strata.services.records.people import consent_key, facts_pk
from strata.services.transfer.kinds import GROUPS, KINDS
from support.person import AGENT, Person
from support.side import Side

OTHERS = "others"


@pytest.fixture
def source(tmp_path, clock):
    side = Side(tmp_path / "source", clock)
    for tenant in ("local", OTHERS):
        for name in ("ann", "bob"):
            person = Person(side.api, name, tenant)
            person.fills()
            person.is_known(side.app)
    yield side
    side.app.close()


@pytest.fixture
def copy(tmp_path, clock):
    side = Side(tmp_path / "copy", clock)
    yield side
    side.app.close()


def test_consents_and_configurations_come_first_and_sessions_before_what_lies_in_them(source):
    first, *rows = source.lines()
    assert (first["kind"], first["kinds"]) == ("export", sorted({*GROUPS} - {"working_memory", "ledger"}))
    orders = {kind.name: kind.order for kind in KINDS}
    found = [orders[row["kind"]] for row in rows]
    assert found == sorted(found)
    assert {row["kind"] for row in rows} == {*orders} - {"working_memory", "ledger_item"}


def test_what_lives_for_a_day_is_exported_where_it_is_named(source):
    named = {row["kind"] for row in source.lines(kinds="working_memory, ledger")}
    assert named == {"export", "working_memory", "ledger_item"}
    assert {row["kind"] for row in source.lines(kinds="all")} == {"export", *(kind.name for kind in KINDS)}


def test_an_export_of_one_person_holds_theirs_alone(source):
    _, *rows = source.lines(user_id="ann", kinds="all")
    assert {row["kind"] for row in rows} == {kind.name for kind in KINDS} - {"agent"}
    assert "bob" not in json.dumps(rows)
    everyone = [row for row in source.lines(kinds="all")[1:] if "ann" in json.dumps(row)]
    assert len(everyone) == len(rows)


@pytest.mark.parametrize("asked", [{}, {"user_id": "ann"}], ids=["tenant", "person"])
def test_pages_hold_every_line_once(source, monkeypatch, asked):
    (whole,) = source.export(kinds="all", **asked)
    monkeypatch.setattr("strata.services.transfer.line_exporter.PAGE_BYTES", 900)
    pages = source.export(kinds="all", **asked)
    assert len(pages) > 5
    assert [line for page in pages for line in page][1:] == whole[1:]


def test_a_page_ends_when_it_takes_long(source, clock, monkeypatch):
    monkeypatch.setattr("strata.services.transfer.line_exporter.SECONDS", -1)
    pages = source.export()
    assert len(pages) > 10
    monkeypatch.undo()
    assert [line for page in pages for line in page][1:] == source.lines()[1:]


def test_a_cursor_is_good_for_its_own_export_only(source, monkeypatch):
    monkeypatch.setattr("strata.services.transfer.line_exporter.PAGE_BYTES", 900)
    cursor = json.loads(source.get(kinds="all").text.splitlines()[-1])["cursor"]
    assert source.get(kinds="all", cursor=cursor).status_code == 200
    for tenant, asked in ((OTHERS, {"kinds": "all"}), ("local", {}), ("local", {"user_id": "ann"})):
        assert source.get(tenant, cursor=cursor, **asked).status_code == 400
    assert source.get(kinds="all", cursor="garbage").status_code == 400


@pytest.mark.parametrize(
    "asked",
    [{"format": "xml"}, {"kinds": "everything"}, {"project": "demo"}, {"format": "json", "user_id": "ann"}],
)
def test_what_can_not_be_exported_is_refused(source, asked):
    assert source.get(**asked).status_code == 400


def test_lines_need_the_scope_admin(source):
    assert source.get(scopes="read").status_code == 403
    assert source.get(scopes="read", format="json").status_code == 200


def test_who_imports_without_admin_is_told_what_needs_it(source, copy):
    lines = source.lines()
    assert {kind for kind, _ in copy.skips(lines, scopes="write")} == {"agent", "statement"}
    assert copy.load(lines, scopes="write", resurrect="true").status_code == 403


def test_lines_in_any_order_twice_make_one_and_the_same_store(source, copy):
    lines = source.lines(kinds="all")
    assert copy.load(reversed(lines)).json().get("skipped") is None
    assert copy.load(lines).json()["imported"] == {}
    in_order = sorted(json.dumps(line, sort_keys=True) for line in lines[1:])
    assert sorted(json.dumps(line, sort_keys=True) for line in copy.lines(kinds="all")[1:]) == in_order


def test_lines_of_one_tenant_are_nothing_of_another(source, copy):
    copy.load(source.lines(kinds="all"))
    assert copy.lines(OTHERS, kinds="all")[1:] == []


def test_a_refusal_holds_for_the_rows_of_the_same_import_wherever_it_stands(source, copy):
    rows = source.lines(user_id="ann")[1:]
    refusal = {"kind": "consent", "user_id": "ann", "persist": False, "updated_at": "2200-01-01T00:00:00Z"}
    copy.load([*rows, refusal])
    left = {line["kind"] for line in copy.lines(kinds="all", user_id="ann")}
    assert left == {"export", "consent", "statement", "preferences", "device"}


def test_an_older_consent_does_not_replace_a_refusal(source, copy):
    consent = [line for line in source.lines(kinds="consents") if line["kind"] == "consent"]
    Person(copy.api, "ann")("PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False})
    copy.load(consent)
    assert copy.memory.row(consent_key("ann"))["ai_consent"] is False


def test_what_refuses_facts_gets_none(source, copy):
    Person(copy.api, "ann")("PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False})
    assert ("fact", "this person refuses that anything is learnt about them") in copy.skips(source.lines())
    assert copy.memory.rows(facts_pk(AGENT, "ann")) == []
    assert copy.memory.rows(facts_pk(AGENT, "bob")) != []


PROFILE = "/api/memory/profile"


def told(ann, agent=None):
    params = {"userId": "ann"} | ({"agent_id": agent} if agent else {})
    answer = ann("GET", PROFILE, params=params), ann("GET", f"{PROFILE}/history", params=params)
    return *answer, ann("GET", "/api/users/ann/preferences"), ann("GET", "/api/devices/phone of ann")


def test_profiles_preferences_and_devices_are_as_they_were(source, copy):
    ann = Person(source.api, "ann")
    ann("PUT", f"/api/agents-config/{AGENT}", json={"memory_enabled": True})
    ann("PUT", PROFILE, json={"userId": "ann", "agent_id": AGENT, "name": "Annie", "preferences": {"a": 1.5}})
    source.memory.work()
    ann("PUT", PROFILE, json={"userId": "ann", "preferences": None, "communicationStyle": "short"})
    lines = source.lines(kinds="all")
    profile = next(each for each in lines if each["kind"] == "profile" and each["user_id"] == "ann")
    assert profile["refused"], "what was learnt was taken away, and is not learnt from its fact again"
    copy.load(lines)
    copy.memory.work()
    for agent in (None, AGENT):
        assert told(Person(copy.api, "ann"), agent) == told(ann, agent)
    assert copy.lines(kinds="profiles")[1:] == source.lines(kinds="profiles")[1:]


def test_secrets_in_preferences_are_taken_out_of_an_import_too(source, copy):
    (line,) = [each for each in source.lines(kinds="preferences") if each.get("user_id") == "ann"]
    line["preferences"] = {"password": "tulip7garden", "use AKIAIOSFODNN7EXAMPLE": 1, "theme": "dark"}
    copy.load([line])
    kept = Person(copy.api, "ann")("GET", "/api/users/ann/preferences")["preferences"]
    assert (kept["theme"], kept["password"]) == ("dark", "[redacted:password]")
    assert "AKIA" not in str(kept)


def test_a_profile_preferences_and_a_device_that_are_there_stay(source, copy):
    ann = Person(copy.api, "ann")
    ann("PUT", PROFILE, json={"userId": "ann", "name": "Ann here"})
    ann("PUT", "/api/users/ann/preferences", json={"preferences": {"theme": "here"}})
    ann("PUT", "/api/devices/phone of ann", json={"userId": "ann here"})
    before = told(ann)
    copy.load(source.lines(kinds="profiles,preferences,devices"))
    assert told(ann) == before
    assert ann("GET", "/api/devices/phone of bob")["userId"] == "bob"


def test_of_who_refuses_only_their_own_part_of_a_profile_is_taken(source, copy):
    ann, there = Person(source.api, "ann"), Person(copy.api, "ann")
    ann("PUT", PROFILE, json={"userId": "ann", "agent_id": AGENT, "name": "Annie"})
    there("PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": False})
    refused = ("past_profile", "this person refuses that anything is learnt about them")
    assert refused in copy.skips(source.lines(kinds="profiles"))
    stored = json.dumps(copy.lines(kinds="profiles"))
    assert ("asks of" in stored, "Annie" in stored) == (True, False)


def test_an_import_brings_back_nobody_who_was_erased(source, clock):
    source.memory.work()
    lines = source.lines(kinds="all")
    ann, bob = Person(source.api, "ann"), Person(source.api, "bob")
    erasure = ann.asks_to_be_erased()
    for _ in range(3):
        source.memory.work()
        clock.forward(10)
    assert ann.receipt(erasure)["status"] == "done"
    clock.forward(4000)
    before = bob.data()
    reasons = {reason for _, reason in source.skips(lines)}
    assert "this person was erased since" in reasons
    assert ann.data().keys() <= {"consent", "statements"}
    assert not [each for each in source.memory.rows("PROJECT#demo") if ann.word in json.dumps(each)]
    assert bob.data() == before

    source.load(lines, resurrect="true")
    assert "observations" in ann.data()


def test_nobody_comes_back_under_the_name_of_a_device_that_was_theirs(copy, clock):
    for tenant in ("local", OTHERS):
        for device in ("kitchen", "hall"):
            told = {
                "headers": {"x-tenant": tenant, "x-device-id": device},
                "json": {"name": f"of the {device}"},
            }
            assert copy.api.put(PROFILE, **told).status_code == 200
    lines = {tenant: copy.lines(tenant) for tenant in ("local", OTHERS)}
    ann = Person(copy.api, "ann")
    ann("PUT", "/api/devices/kitchen", json={"userId": "ann"}, params={"adopt": "true"})
    ann.asks_to_be_erased()
    for _ in range(3):
        copy.memory.work()
        clock.forward(4000)
    clock.forward(86_400)
    copy.memory.work()
    reason = "this person was erased since"
    assert copy.skips(lines["local"]) == {("profile", reason), ("past_profile", reason)}
    assert copy.skips(lines[OTHERS], tenant=OTHERS) == set()
    names = [
        ann("GET", PROFILE, params={"userId": f"device:{each}"})["profile"]["name"]
        for each in ("kitchen", "hall")
    ]
    assert names == [None, "of the hall"]


def test_what_an_erased_person_says_later_can_be_imported(source, clock):
    ann = Person(source.api, "ann")
    ann.asks_to_be_erased()
    for _ in range(3):
        source.memory.work()
        clock.forward(4000)
    saved = ann.saves("said anew")
    lines = source.lines(user_id="ann")
    ann("DELETE", f"/observations/{saved['id']}")
    assert ("observation", "it was deleted here") in source.skips(lines)
    source.load(lines, resurrect="true")
    assert ann("GET", f"/observations/{saved['id']}")["content"] == "said anew"


def test_who_was_erased_in_one_channel_is_not_taken_for_erased(source, copy, clock):
    lines = source.lines(kinds="all")
    erased = {"params": {"external_type": "chat"}}
    Person(copy.api, "ann")("DELETE", "/api/rgpd/users/ann/ai-data", **erased)
    for _ in range(3):
        copy.memory.work()
        clock.forward(4000)
    assert "this person was erased since" not in {reason for _, reason in copy.skips(lines)}
    assert copy.lines(user_id="ann", kinds="observations")[1:]


def test_an_export_leaves_out_who_is_being_erased(source):
    ann = Person(source.api, "ann")
    ann.asks_to_be_erased()
    for asked in ({}, {"user_id": "ann"}):
        rows = [row for row in source.lines(kinds="all", **asked)[1:] if "ann" in json.dumps(row)]
        assert {row["kind"] for row in rows} == {"consent", "statement"}


def test_deleted_episodes_and_facts_stay_deleted(source):
    lines = source.lines()
    ann = Person(source.api, "ann")
    episode = ann("GET", "/api/memory/episodes", params={"userId": "ann"})["episodes"][0]["id"]
    ann("DELETE", f"/api/memory/episodes/{episode}", params={"userId": "ann"})
    fact = ann("GET", f"/api/agents/{AGENT}/users/ann/facts")["facts"][0]["id"]
    ann("DELETE", f"/api/agents/{AGENT}/users/ann/facts/{fact}")
    assert source.skips(lines) == {(kind, "it was deleted here") for kind in ("episode", "fact", "mention")}
    source.load(lines, resurrect="true")
    assert ann("GET", f"/api/agents/{AGENT}/users/ann/facts")["facts"][0]["id"] == fact
    assert episode in json.dumps(ann("GET", "/api/memory/episodes", params={"userId": "ann"}))


def test_a_line_that_can_not_be_read_is_named_by_its_number(copy):
    lines = [
        '{"kind":"export"}',
        "{",
        '{"kind":"ghost"}',
        '{"kind":"fact"}',
        '{"kind":"consent","user_id":""}',
    ]
    skipped = copy.load(lines).json()["skipped"]
    assert [(each["kind"], each["index"]) for each in skipped] == [
        ("line", 1),
        ("line", 2),
        ("fact", 3),
        ("consent", 4),
    ]
    assert all(each["reason"] for each in skipped)


def test_an_event_of_another_life_of_the_log_is_not_taken(source, copy):
    rows = [row for row in source.lines(user_id="ann") if row["kind"] in ("event", "event_log")]
    assert copy.load(rows).json()["imported"] == {"event": 2, "event_log": 1}
    others = [row | {"life": "other"} for row in rows]
    assert {kind for kind, _ in copy.skips(others)} == {"event"}
    beyond = [row | {"place": 7} for row in rows if row["kind"] == "event"]
    assert {kind for kind, _ in copy.skips(beyond)} == {"event"}


def test_resurrection_is_for_administrators(memory):
    with pytest.raises(Forbidden):
        memory.app.transfer.importer.load(
            Scope("local", frozenset({READ, WRITE})), Import(lines=[]), resurrect=True
        )


def set_name(profile, value):
    profile["statements"]["name"][0]["value"] = value


def name_another(run):
    change = run["changes"][0]
    change["before"] = {"0" * 32: next(each for each in change["before"].values() if each)}


def change_many(run):
    """More at once than the transaction of an undo has room for."""
    run["changes"][0]["before"] = {f"c{number}": None for number in range(86)}


@pytest.mark.parametrize(
    ("kind", "spoils", "told"),
    [
        ("profile", lambda line: set_name(line, {"a": 1}), "name"),
        ("profile", lambda line: set_name(line, ["Ann"]), "name"),
        ("profile", lambda line: set_name(line, "n" * 201), "name"),
        ("profile", lambda line: set_name(line, None), "name"),
        ("profile", lambda line: line["statements"].update(patterns=line["statements"]["name"]), "patterns"),
        ("past_profile", lambda line: line["changes"][0].update(value={"a": {"b": 1}}), "should be"),
        ("conclusion", lambda line: line.update(quotes=[]), "quotes"),
        ("consolidation", name_another, "before"),
        ("consolidation", change_many, "85"),
        ("consolidation", lambda line: line.update(undone=1), "undone"),
    ],
)
def test_a_line_whose_values_do_not_fit_is_refused_and_changes_nothing(source, copy, kind, spoils, told):
    ann = Person(source.api, "ann")
    ann("PUT", PROFILE, json={"userId": "ann", "name": "Ann", "communicationStyle": "short"})
    lines = source.lines(kinds="all")
    of_ann = [each for each in lines if each["kind"] == kind and each["user_id"] == "ann"]
    line = next((each for each in of_ann if "changes" not in each or is_rich(each)), None)
    assert line is not None
    spoils(line)
    ((where, reason),) = copy.skips([line])
    assert (where, told in reason, "Value error" in reason) == (kind, True, False), reason
    assert copy.lines(kinds="all")[1:] == []
    copy.load([each for each in lines if each is not line])
    there = Person(copy.api, "ann")
    for path in (PROFILE, "/api/memory/conclusions", "/api/memory/consolidations", "/export?kinds=all"):
        there("GET", path, params={} if "?" in path else {"userId": "ann"})
    there("GET", "/context", params={"layers": "profile,conclusions", "user_id": "ann", "query": "who?"})


def is_rich(line):
    """Whether a line of changes has one with something before it, or a value."""
    return any(each.get("value") or any(each.get("before", {}).values()) for each in line["changes"])
