"""Preferences of users: fields are kept and given back, and the opt-out of transcripts is one of storage."""

from contextlib import closing

import pytest

from support.api import ClaimsFromHeader, client
from support.api_calls import data
from support.clocks import HandClock
from support.memory import application, observation


@pytest.fixture
def ask(tmp_path):
    app = application(tmp_path, HandClock(), AUTH="required")
    api = client(app, ClaimsFromHeader())

    def asked(tenant, method, path, status=200, **sent):
        answer = api.request(method, path, headers={"x-tenant": tenant}, **sent)
        assert answer.status_code == status, answer.text
        return data(answer) if status < 400 else answer.json()

    yield asked
    app.close()


def put(ask, tenant, person, status=200, **fields):
    return ask(tenant, "PUT", f"/api/users/{person}/preferences", status, json={"preferences": fields})


def get(ask, tenant, person):
    return ask(tenant, "GET", f"/api/users/{person}/preferences")["preferences"]


PRIVATE = {"storeTranscripts": True, "storeAudio": False}


def test_fields_are_kept_for_each_user_of_each_tenant_until_null_takes_them_away(ask):
    assert get(ask, "acme", "ann") == {"privacySettings": PRIVATE}
    for tenant in ("acme", "globex"):
        for person in ("ann", "bob"):
            put(ask, tenant, person, voice={"of": f"{person} {tenant}", "rate": 1.5}, list=[1, None, "ñ"])
    put(ask, "acme", "ann", list=None, theme="dark", privacySettings={"storeAudio": True})
    assert get(ask, "acme", "ann") == {
        "voice": {"of": "ann acme", "rate": 1.5},
        "theme": "dark",
        "privacySettings": PRIVATE | {"storeAudio": True},
    }
    assert get(ask, "globex", "bob") == {
        "voice": {"of": "bob globex", "rate": 1.5},
        "list": [1, None, "ñ"],
        "privacySettings": PRIVATE,
    }


def test_a_body_without_the_field_preferences_is_the_preferences_themselves(ask):
    sent = {"ttsVoice": "nova", "ttsSpeed": 1.2, "language": "en"}
    for tenant, person, stored in (("acme", "ann", False), ("acme", "bob", True), ("globex", "ann", True)):
        private = {"storeTranscripts": stored, "storeAudio": not stored}
        body = sent | {"privacySettings": private}
        answer = ask(tenant, "PUT", f"/api/users/{person}/preferences", json=body)
        assert answer["preferences"] == get(ask, tenant, person) == sent | {"privacySettings": private}
    for tenant, person, action in (("acme", "ann", "skipped"), ("acme", "bob", "created")):
        body = observation(content=f"of {person}", user_id=person, session_id=f"s-{person}")
        assert ask(tenant, "POST", "/observations", 201, json=body)["action"] == action
    assert ask("globex", "GET", "/api/rgpd/users/ann/consent")["persist"] is True


@pytest.mark.parametrize("name", ["userId", "user_id"])
def test_the_user_in_such_a_body_is_no_preference_and_no_other_one_than_that_of_the_path(ask, name):
    path = "/api/users/ann/preferences"
    for user in ("ann", "", None):
        ask("acme", "PUT", path, json={name: user, "theme": "dark", "of": {name: "zed"}})
    assert get(ask, "acme", "ann") == {"theme": "dark", "of": {name: "zed"}, "privacySettings": PRIVATE}
    for sent, status in ({name: "zed"}, 409), ({"userId": "ann", "user_id": "zed"}, 409), ({name: 7}, 400):
        assert "user" in ask("acme", "PUT", path, status, json={"theme": "light"} | sent)["error"]
    assert get(ask, "acme", "ann")["theme"] == "dark"
    assert get(ask, "acme", "zed") == {"privacySettings": PRIVATE}
    put(ask, "acme", "ann", **{name: "zed"})
    assert get(ask, "acme", "ann")[name] == "zed", "of preferences in their field each is one"


def test_of_a_body_with_that_field_the_fields_beside_it_are_ignored_and_named(tmp_path):
    with closing(application(tmp_path, HandClock())) as app, client(app) as api:
        for body, ignored in (
            ({"theme": "dark"}, None),
            ({"preferences": {"theme": "light"}, "voice": "nova"}, "voice"),
        ):
            answer = api.put("/api/users/ann/preferences", json=body)
            assert (answer.status_code, answer.headers.get("strata-ignored")) == (200, ignored)
        kept = api.get("/api/users/ann/preferences").json()["preferences"]
        assert kept == {"theme": "light", "privacySettings": PRIVATE}


@pytest.mark.parametrize(
    ("body", "meant"),
    [
        ({"storeTranscripts": False}, "preferences.privacySettings.storeTranscripts"),
        ({"language": "en", "privacy_settings": {"storeTranscripts": False}}, "preferences.privacySettings"),
        ({"preference": {"privacySettings": {"storeTranscripts": False}}}, "preferences.privacySettings"),
        ({"privacySettings": {"store_transcripts": False}}, "storeTranscripts"),
        ({"note": "x" * 20_000}, "20000 bytes"),
    ],
)
def test_such_a_body_is_held_to_the_same_rules(ask, body, meant):
    assert meant in ask("acme", "PUT", "/api/users/ann/preferences", 400, json=body)["error"]
    assert get(ask, "acme", "ann") == {"privacySettings": PRIVATE}


def test_half_a_surrogate_pair_is_given_back_as_it_was_sent(ask):
    body = r'{"preferences": {"theme": "\ud800", "of": {"\udfff": 1}}}'
    ask("acme", "PUT", "/api/users/ann/preferences", content=body)
    assert get(ask, "acme", "ann") == {"theme": "\ud800", "of": {"\udfff": 1}, "privacySettings": PRIVATE}
    assert get(ask, "acme", "bob") == {"privacySettings": PRIVATE}


def test_an_opt_out_of_transcripts_is_the_refusal_of_persistence(ask):
    put(ask, "acme", "ann", theme="dark", privacySettings={"storeTranscripts": False})
    consent = ask("acme", "GET", "/api/rgpd/users/ann/consent")
    assert (consent["persist"], len(consent["history"])) == (False, 1)
    for person, action in (("ann", "skipped"), ("bob", "created")):
        body = observation(content=f"of {person}", user_id=person, session_id=f"s-{person}")
        assert ask("acme", "POST", "/observations", 201, json=body)["action"] == action
    put(ask, "acme", "ann", privacySettings={"storeTranscripts": False})
    assert len(ask("acme", "GET", "/api/rgpd/users/ann/consent")["history"]) == 1, "said once"
    ask("acme", "PUT", "/api/rgpd/users/ann/consent", json={"persist": True})
    assert get(ask, "acme", "ann") == {"theme": "dark", "privacySettings": PRIVATE}
    put(ask, "acme", "ann", privacySettings={"storeTranscripts": False})
    put(ask, "acme", "ann", privacySettings={"storeTranscripts": True})
    assert ask("acme", "GET", "/api/rgpd/users/ann/consent")["persist"] is True


@pytest.mark.parametrize(
    ("fields", "meant"),
    [
        ({"privacySettings": {"store_transcripts": False}}, "storeTranscripts"),
        ({"privacySettings": {"storeTranscript": False}}, "storeTranscripts"),
        ({"privacySettings": {"storeTranscripts": True, "shareAudio": False}}, "storeAudio"),
        ({"storeTranscripts": False}, "privacySettings.storeTranscripts"),
        ({"store_transcripts": False}, "privacySettings.storeTranscripts"),
        ({"privacy": {"storeTranscripts": False}}, "privacySettings.storeTranscripts"),
        ({"privacy_settings": {"storeTranscripts": False}}, "privacySettings"),
        ({"storeAudio": "always"}, "privacySettings.storeAudio"),
        ({"privcaySettings": {"storeTranscripts": False}}, "preferences.privacySettings"),
        ({"storeTranscirpts": False}, "privacySettings.storeTranscripts"),
        ({"apps": {"recorder": [{"storeTranscripts": False}]}}, "privacySettings.storeTranscripts"),
    ],
)
def test_a_privacy_setting_that_is_misspelt_or_misplaced_is_refused_and_the_right_one_named(
    ask, fields, meant
):
    put(ask, "acme", "ann", theme="dark", privacySettings={"storeAudio": True})
    assert meant in put(ask, "acme", "ann", 400, theme="light", **fields)["error"]
    kept = {"theme": "dark", "privacySettings": PRIVATE | {"storeAudio": True}}
    assert (get(ask, "acme", "ann"), get(ask, "acme", "bob")) == (kept, {"privacySettings": PRIVATE})


@pytest.mark.parametrize("beside", ["privacySettings", "privacy_settings", "storeTranscripts"])
def test_a_privacy_setting_beside_the_preferences_is_refused_and_the_right_place_named(ask, beside):
    body = {"preferences": {"theme": "light"}, beside: {"storeTranscripts": False}}
    answer = ask("acme", "PUT", "/api/users/ann/preferences", 400, json=body)
    assert "preferences.privacySettings" in answer["error"]
    assert get(ask, "acme", "ann") == {"privacySettings": PRIVATE}


def test_a_value_whose_name_tells_that_it_is_a_secret_is_taken_out(ask):
    told = {"password": "tulip7garden", "mail": {"apiKey": "a8f5f167f44f4964e6c998dee827110c"}}
    put(ask, "acme", "ann", accounts=[told], password="tulip7garden", theme="dark", key="F5")
    kept = get(ask, "acme", "ann")
    assert (kept["theme"], kept["key"], kept["password"]) == ("dark", "F5", "[redacted:password]")
    assert kept["accounts"] == [
        {"password": "[redacted:password]", "mail": {"apiKey": "[redacted:password]"}}
    ]


def test_settings_of_a_user_who_is_being_erased_are_refused_but_for_their_refusal(ask):
    ask("acme", "DELETE", "/api/rgpd/users/ann/ai-data", 202)
    assert "being erased" in put(ask, "acme", "ann", 409, theme="dark")["error"]
    put(ask, "acme", "ann", privacySettings={"storeTranscripts": False})
    put(ask, "acme", "bob", theme="light")
    assert get(ask, "acme", "ann") == {"privacySettings": PRIVATE | {"storeTranscripts": False}}
    assert get(ask, "acme", "bob") == {"theme": "light", "privacySettings": PRIVATE}


def test_secrets_are_taken_out_of_names_and_values(ask):
    secret = "AKIAIOSFODNN7EXAMPLE"
    put(ask, "acme", "ann", **{secret: 1}, token=f"use {secret}", tools={secret: [f"{secret} too"]})
    put(ask, "acme", "ann", theme="dark")
    assert "AKIA" not in str(get(ask, "acme", "ann"))
    assert get(ask, "acme", "ann")["theme"] == "dark"


def test_settings_of_a_person_who_refuses_storage_are_kept(ask):
    put(ask, "acme", "ann", privacySettings={"storeTranscripts": False})
    put(ask, "acme", "ann", theme="dark")
    assert get(ask, "acme", "ann") == {
        "theme": "dark",
        "privacySettings": PRIVATE | {"storeTranscripts": False},
    }


def test_what_is_no_setting_or_too_much_is_refused_and_changes_nothing(ask):
    put(ask, "acme", "ann", theme="dark")
    answer = put(ask, "acme", "ann", 400, theme="light", privacySettings={"storeTranscripts": "no"})
    assert "storeTranscripts" in answer["error"]
    assert "20000 bytes" in put(ask, "acme", "ann", 400, note="x" * 20_000)["error"]
    put(ask, "acme", "ann", note="x" * 15_000)
    assert "20000 bytes" in put(ask, "acme", "ann", 400, more="x" * 15_000)["error"]
    assert get(ask, "acme", "ann") == {"theme": "dark", "note": "x" * 15_000, "privacySettings": PRIVATE}
