"""Profiles of people over the API: stated by people and agents, for those who may see them."""

from itertools import product

import pytest

from strata.domain.scope import Scope
from strata.ports.rows import Put
from strata.services.records.profiles import past_profile_key, profile_key

PROFILE = "/api/memory/profile"
UNKNOWN = {"name": None, "communicationStyle": None, "patterns": [], "preferences": {}}


def put(ask, tenant, person, status=None, **fields):
    return ask(tenant, "PUT", PROFILE, json={"userId": person, **fields}, status=status)


def get(ask, tenant, person, **seen_by):
    return ask(tenant, "GET", PROFILE, params={"userId": person, **seen_by})["profile"]


def test_each_person_of_each_tenant_has_a_profile_of_their_own(ask):
    people = list(product(("acme", "globex"), ("ann", "bob")))
    for tenant, person in people:
        stated = {
            "name": f"{person} of {tenant}",
            "patterns": [f"{tenant} first"],
            "preferences": {"tea": person},
        }
        assert put(ask, tenant, person, **stated) == {"updated": True}
    for tenant, person in people:
        assert get(ask, tenant, person) == {
            "name": f"{person} of {tenant}",
            "communicationStyle": None,
            "patterns": [f"{tenant} first"],
            "preferences": {"tea": person},
        }
    assert get(ask, "acme", "zoe") == UNKNOWN


def test_absent_fields_stay_and_null_takes_a_value_away(ask):
    put(ask, "acme", "ann", name="Ann", communicationStyle="in brief")
    put(ask, "acme", "ann", name=None, patterns=["asks twice"])
    assert get(ask, "acme", "ann") == UNKNOWN | {
        "communicationStyle": "in brief",
        "patterns": ["asks twice"],
    }


@pytest.mark.parametrize("preferences", [{"units": "metric", "n": 2, "dark": True}, ["tea", "jazz"], "tea"])
def test_preferences_come_back_in_the_form_in_which_they_were_sent(ask, preferences):
    put(ask, "acme", "ann", preferences=preferences)
    assert get(ask, "acme", "ann")["preferences"] == preferences


@pytest.mark.parametrize(
    ("field", "most", "too_much"),
    [
        ("name", "n" * 200, "n" * 201),
        ("communicationStyle", "s" * 500, "s" * 501),
        ("patterns", ["p" * 500] * 50, ["p" * 501]),
        ("patterns", [], ["p"] * 51),
        ("preferences", {"n" * 200: "v" * 500}, {"n": "v" * 501}),
        ("preferences", {str(n): n for n in range(50)}, {str(n): n for n in range(51)}),
        ("preferences", "v" * 500, "v" * 501),
    ],
)
def test_each_limit_is_named_and_a_refused_change_changes_nothing(ask, field, most, too_much):
    put(ask, "acme", "ann", **{field: most})
    answer = put(ask, "acme", "ann", status=400, **{field: too_much})
    assert field in answer["details"][0]["field"]
    assert get(ask, "acme", "ann")[field] == most


def test_a_change_says_something_and_of_one_user(ask):
    assert "is needed" in put(ask, "acme", "ann", status=400)["error"]
    both = {"params": {"userId": "bob"}, "json": {"userId": "ann", "name": "A"}}
    assert "userId" in ask("acme", "PUT", PROFILE, **both, status=409)["error"]
    assert get(ask, "acme", "ann") == get(ask, "acme", "bob") == UNKNOWN


def test_without_a_user_the_profile_is_that_of_default(ask):
    ask("acme", "PUT", PROFILE, json={"name": "Nobody"})
    assert ask("acme", "GET", PROFILE)["profile"]["name"] == "Nobody"
    assert get(ask, "acme", "default")["name"] == "Nobody"
    assert get(ask, "acme", "ann") == UNKNOWN


def test_an_agent_alone_is_given_what_it_stated_and_in_its_project_alone(ask):
    cells = list(product(("helper", "scout"), ("demo", "web")))
    for agent, project in cells:
        put(ask, "acme", "ann", agent_id=agent, project=project, communicationStyle=f"{agent} in {project}")
    for agent, project in cells:
        seen = get(ask, "acme", "ann", agent_id=agent, project=project)
        assert seen["communicationStyle"] == f"{agent} in {project}"
    for seen_by in (
        {},
        {"project": "demo"},
        {"agent_id": "third"},
        {"agent_id": "helper", "project": "third"},
    ):
        assert get(ask, "acme", "ann", **seen_by) == UNKNOWN
    assert get(ask, "acme", "bob", agent_id="helper", project="demo") == UNKNOWN
    assert get(ask, "globex", "ann", agent_id="helper", project="demo") == UNKNOWN


@pytest.mark.parametrize("named", ["Shop", " shop ", "SHOP"])
def test_the_project_of_a_statement_is_known_in_any_case_and_with_outer_blanks(ask, named):
    put(ask, "acme", "ann", agent_id="helper", project=named, name="Annie")
    put(ask, "acme", "ann", agent_id="helper", project="Web", name="Anna")
    put(ask, "acme", "bob", agent_id="helper", project="Web", name="Bobby")
    for project in ("shop", "Shop", named):
        assert get(ask, "acme", "ann", agent_id="helper", project=project)["name"] == "Annie"
        assert get(ask, "acme", "bob", agent_id="helper", project=project)["name"] is None
    assert get(ask, "acme", "ann", agent_id="helper", project="web")["name"] == "Anna"
    put(ask, "acme", "ann", agent_id="helper", project="shop", name=None)
    assert get(ask, "acme", "ann", agent_id="helper", project=named)["name"] is None


def test_a_project_that_an_earlier_version_kept_as_it_was_sent_is_known(app, ask, clock):
    stated = {"by": "agent", "agent": "helper", "agents": ["helper"], "confined": True}
    older = stated | {"value": "Annie", "at": clock.now_us() - 1, "projects": [" Shop"]}
    newer = stated | {"value": "Anna", "at": clock.now_us(), "projects": ["SHOP"]}
    elsewhere = stated | {"value": "Ann", "at": clock.now_us(), "projects": ["Web"]}
    row = {"user_id": "ann", "version": 1, "updated_at": clock.now_us()}
    past = row | {"at": clock.now_us(), "changes": [newer | {"field": "name"}]}
    row |= {"statements": {"name": [newer, elsewhere, older]}}
    puts = [Put(profile_key("ann"), row), Put(past_profile_key("ann", 1), past)]
    app.stores.table.transact(Scope("acme"), puts)
    assert get(ask, "acme", "ann", agent_id="helper", project="shop")["name"] == "Anna"
    assert get(ask, "acme", "ann", agent_id="helper", project="web")["name"] == "Ann"
    assert get(ask, "acme", "ann", agent_id="helper", project="third")["name"] is None
    seen = {"userId": "ann", "agent_id": "helper", "project": "shop"}
    (change,) = ask("acme", "GET", f"{PROFILE}/history", params=seen)["history"]
    assert change["changes"][0]["value"] == "Anna"
    (told,) = ask("acme", "GET", "/context", params=seen | {"user_id": "ann", "layers": "profile"})["items"]
    assert "Anna" in told["content"]
    # both of the project are one statement now: what the agent takes away does not bring the older one back
    put(ask, "acme", "ann", agent_id="helper", project="Shop", name=None)
    assert get(ask, "acme", "ann", agent_id="helper", project="shop")["name"] is None
    assert get(ask, "acme", "ann", agent_id="helper", project="web")["name"] == "Ann"


def test_what_the_person_states_goes_before_what_an_agent_states(ask, clock):
    put(ask, "acme", "ann", name="Ann")
    clock.forward(60)
    put(ask, "acme", "ann", agent_id="helper", name="Anna")
    answer = ask("acme", "GET", PROFILE, params={"userId": "ann", "agent_id": "helper"})
    assert answer["profile"]["name"] == "Ann"
    assert answer["provenance"]["name"][0]["by"] == "person"
    put(ask, "acme", "ann", agent_id="helper", name=None)
    assert get(ask, "acme", "ann")["name"] == "Ann", "an agent's null takes away its own statement only"


def test_secrets_are_taken_out(ask):
    secret = "AKIAIOSFODNN7EXAMPLE"
    put(ask, "acme", "ann", patterns=[f"uses {secret}"], preferences={"k": secret, f"of {secret}": 1})
    assert "AKIA" not in str(get(ask, "acme", "ann"))


def test_a_preference_whose_name_tells_that_it_is_a_secret_is_taken_out(ask):
    put(ask, "acme", "ann", preferences={"password": "tulip7garden", "tea": "green"})
    assert get(ask, "acme", "ann")["preferences"] == {"password": "[redacted:password]", "tea": "green"}


def test_a_blank_text_takes_a_value_away_as_null_does(ask):
    for person in ("ann", "bob"):
        put(ask, "acme", person, name=person, communicationStyle="short", preferences="tea")
    assert put(ask, "acme", "ann", name="", communicationStyle=" \t", preferences="") == {"updated": True}
    assert get(ask, "acme", "ann") == UNKNOWN
    for field in ("name", "communicationStyle", "preferences"):
        assert "blank" in put(ask, "acme", "bob", status=400, **{field: " " * 50})["error"]
    kept = {"name": "bob", "communicationStyle": "short", "preferences": "tea"}
    assert get(ask, "acme", "bob") == UNKNOWN | kept


@pytest.mark.parametrize("field", ["patterns", "preferences"])
def test_a_list_with_a_blank_text_is_refused_and_changes_nothing(ask, field):
    put(ask, "acme", "ann", **{field: ["tea"]})
    (told,) = put(ask, "acme", "ann", status=400, **{field: ["jazz", " "]})["details"]
    assert told["field"].startswith(field)
    assert "blank" in told["message"]
    assert get(ask, "acme", "ann")[field] == ["tea"]


def test_a_preference_that_does_not_fit_gets_one_sentence_that_names_the_limits(ask):
    for wrong in ({"n": "v" * 501}, {"n": ["list"]}, ["p" * 501], 5, {"": "v"}):
        (told,) = put(ask, "acme", "ann", status=400, preferences=wrong)["details"]
        assert told["field"] == "preferences"
        assert "50 texts of at most 500 characters" in told["message"]


def test_a_person_who_refuses_takes_back_what_stands_of_them(ask):
    for person in ("ann", "bob"):
        put(ask, "acme", person, name=person, communicationStyle="short")
    ask("acme", "PUT", "/api/rgpd/users/ann/consent", json={"persist": False})
    assert put(ask, "acme", "ann", name=None) == {"updated": True}
    assert get(ask, "acme", "ann") == UNKNOWN | {"communicationStyle": "short"}
    assert put(ask, "acme", "ann", communicationStyle=None, name="Ann") == {"updated": False}
    assert get(ask, "acme", "ann") == UNKNOWN | {"communicationStyle": "short"}
    assert get(ask, "acme", "bob") == UNKNOWN | {"name": "bob", "communicationStyle": "short"}


def test_taking_away_what_does_not_stand_leaves_no_trace(ask):
    ask("acme", "PUT", "/api/rgpd/users/ann/consent", json={"persist": False})
    ask("acme", "DELETE", "/api/rgpd/users/bob/ai-data")
    put(ask, "acme", "zoe", name="Zoe")
    for person in ("ann", "bob", "zoe"):
        assert put(ask, "acme", person, communicationStyle=None) == {"updated": True}
        assert put(ask, "acme", person, agent_id="helper", name=None) == {"updated": True}
        held = ask("acme", "GET", f"/api/rgpd/users/{person}/ai-data")["items"]
        assert len(held.get("changes_of_profiles", [])) == len(held.get("profiles", [])) == (person == "zoe")
    assert get(ask, "acme", "zoe") == UNKNOWN | {"name": "Zoe"}


def test_nothing_is_kept_of_a_person_who_opted_out(ask):
    ask("acme", "PUT", "/api/rgpd/users/ann/consent", json={"persist": False})
    assert put(ask, "acme", "ann", name="Ann") == {"updated": False}
    assert get(ask, "acme", "ann") == UNKNOWN
    assert put(ask, "acme", "bob", name="Bob") == {"updated": True}
