"""Working memory and injection ledger over HTTP, route by route: statuses, shapes, exactness, errors."""

import json
from urllib.parse import quote

import pytest

from strata.domain.wire.working_memory import MAX_TTL
from strata.domain.working_memory import MAX_BYTES
from support.api_calls import refused, start
from support.memory import unique
from support.secret_forms import filled

JSON = {"content-type": "application/json"}


@pytest.fixture
def conversation() -> str:
    return unique("conversation-")


def memory_of(conversation: str) -> str:
    return f"/working-memory/{quote(conversation, safe='')}"


def ledger_of(conversation: str, action: str = "") -> str:
    return f"/ledger/{quote(conversation, safe='')}{action and '/'}{action}"


def test_a_secret_is_no_identifier_to_write_under(api, conversation):
    secret, _ = filled("ghp_{N36}")
    named = f"{memory_of(conversation)}?user_id={secret}"
    for path, field in ((memory_of(secret), "conversation_id"), (named, "user_id")):
        assert refused(api.put(path, json={"a": 1}), 400, "invalid_request") == [field]
    for path, body, field in (
        (ledger_of(secret, "mark"), {"item": "i"}, "conversation_id"),
        (ledger_of(conversation, "mark"), {"item": secret}, "item"),
        (ledger_of(conversation, "mark"), {"item": "i", "value": secret}, "value"),
        (f"/memory/sessions/{secret}/events", {"event_type": "error", "content": "x"}, "id"),
    ):
        assert refused(api.post(path, json=body), 400, "invalid_request") == [field]
    assert api.get(memory_of(secret)).json() == {}, "what was stored before can be read"


# --- working memory -------------------------------------------------------------------------------


def test_fields_are_merged_and_read_and_deleted(api, conversation):
    path = memory_of(conversation)
    assert (api.get(path).status_code, api.get(path).json()) == (200, {})
    first = api.put(path, json={"scratchpad": "one", "entities": [{"id": 1}], "ttl_seconds": 60})
    assert (first.status_code, first.json()) == (200, {"scratchpad": "one", "entities": [{"id": 1}]})
    assert first.headers["content-type"] == "application/json"
    assert api.put(path, json={"scratchpad": None}).json() == {"scratchpad": None, "entities": [{"id": 1}]}
    assert api.get(path).json() == {"scratchpad": None, "entities": [{"id": 1}]}
    deleted = api.delete(path, params={"fields": ["scratchpad", "unknown"]})
    assert (deleted.status_code, deleted.json()) == (200, {"deleted": 1})
    assert api.delete(path).json() == {"deleted": 1}
    assert api.delete(path).json() == {"deleted": 0}
    assert api.get(path).json() == {}


def test_what_comes_back_is_the_text_that_went_in(api, conversation):
    """Compared as text: a client's own decoder might hide what was lost."""
    values = [
        *("1.0", "0.1", "-0.0", "1e-07", "5e-324", "1.7976931348623157e+308", "9007199254740993", "0", "-1"),
        *(
            "1" * 400,
            '""',
            '"é漢😀"',
            '"\\ud800"',
            '"\\u0000"',
            "null",
            "true",
            "[]",
            "{}",
            '[[1.0],{"a":null}]',
        ),
        '{"deep":' * 200 + "1.0" + "}" * 200,
    ]
    path = memory_of(conversation)
    for number, value in enumerate(values):
        body = f'{{"f{number}":{value}}}'.encode()
        assert api.put(path, content=body, headers=JSON).status_code == 200
    kept = api.get(path).text
    for number, value in enumerate(values):
        assert f'"f{number}":{value}' in kept
    assert len(json.loads(kept)) == len(values)


def test_of_a_field_that_is_named_twice_the_last_one_counts(api, conversation):
    path = memory_of(conversation)
    api.put(path, content=b'{"a": 1, "b": {"x": 1, "x": 2}, "a": 3}', headers=JSON)
    assert api.get(path).json() == {"a": 3, "b": {"x": 2}}


@pytest.mark.parametrize(
    "name", ["a,b", "fields", "user_id", "a b+c", "é漢😀", "a/b", "\x00\n", "&=#%41", " ", "x" * 200]
)
def test_a_field_of_any_name_is_set_and_deleted(api, conversation, name):
    path = memory_of(conversation)
    assert api.put(path, json={name: 1, "other": 2}).json() == {name: 1, "other": 2}
    assert api.delete(path, params={"fields": name}).json() == {"deleted": 1}
    assert api.get(path).json() == {"other": 2}


def test_one_of_two_fields_whose_names_look_like_a_list_is_deleted(api, conversation):
    path = memory_of(conversation)
    api.put(path, json={"a": 1, "b": 2, "a,b": 3})
    assert api.delete(path, params={"fields": "a,b"}).json() == {"deleted": 1}
    assert api.get(path).json() == {"a": 1, "b": 2}
    assert api.delete(path, params=[("fields", "a"), ("fields", "b"), ("fields", "a")]).json() == {
        "deleted": 2
    }


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_a_name_that_no_field_can_have_deletes_nothing(api, conversation, name):
    path = memory_of(conversation)
    api.put(path, json={"a": 1})
    response = api.delete(path, params=[("fields", "a"), ("fields", name)])
    assert refused(response, 400, "invalid_request") == ["fields"]
    assert api.get(path).json() == {"a": 1}


def test_sixty_four_kilobytes_are_taken_and_a_byte_more_changes_nothing(api, conversation):
    path = memory_of(conversation)
    full = "x" * (MAX_BYTES - len('{"a":"","b":1}'))
    assert api.put(path, json={"a": full, "b": 1}).status_code == 200
    assert len(api.get(path).content) == MAX_BYTES
    refused(api.put(path, json={"b": 22, "ttl_seconds": 60}), 413, "too_large")
    refused(api.put(memory_of(unique("c")), json={"a": full, "b": 12}), 413, "too_large")
    refused(api.put(path, json={"c": "x" * 1024 * 1024}), 413, "too_large")
    assert api.get(path).json() == {"a": full, "b": 1}
    assert api.put(path, json={"a": "", "b": full[1:]}).status_code == 200


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ('{"a": 1e400, "": 1, "ttl_seconds": 0}', ["a", "body", "ttl_seconds"]),
        ('{"a": -1e400}', ["a"]),
        ('{"a": [{"b": 1e999}]}', ["a"]),
        (f'{{"{"x" * 201}": 1}}', ["x" * 200]),
        ('{"ttl_seconds": true}', ["ttl_seconds"]),
        (f'{{"ttl_seconds": {MAX_TTL + 1}}}', ["ttl_seconds"]),
        ('{"ttl_seconds": "soon"}', ["ttl_seconds"]),
        ('{"\\ud800": 1}', ["body"]),
        *((body, ["body"]) for body in ("[]", "[" * 100_000, "1", '"text"', "null", "")),
        *(
            (body, [])
            for body in ("{", '{"a": NaN}', '{"a": Infinity}', '{"a": 1,}', '{"a": ' + "[" * 100_000)
        ),
    ],
)
def test_what_can_be_no_field_is_refused_and_changes_nothing(api, conversation, body, fields):
    path = memory_of(conversation)
    api.put(path, json={"kept": 1})
    named = refused(api.put(path, content=body.encode(), headers=JSON), 400, "invalid_request")
    assert named == fields
    assert api.get(path).json() == {"kept": 1}


def test_a_name_of_a_megabyte_gets_a_short_refusal(api, conversation):
    response = api.put(memory_of(conversation), json={"😀" * 200_000: 1})
    refused(response, 400, "invalid_request")
    assert len(response.content) < 10_000


@pytest.mark.parametrize("name", ["a/b", "é漢😀", "a#b", "%41", "x" * 200, "a b"])
def test_a_conversation_of_any_name_has_its_own_memory(api, name):
    name = unique(name)[-200:]
    assert api.put(memory_of(name), json={"name": name}).status_code == 200
    assert api.get(memory_of(name)).json() == {"name": name}
    assert api.post(ledger_of(name, "mark"), json={"item": name}).json() == {"item": name, "marked": True}
    assert api.get(ledger_of(name)).json() == {name: "injected"}


@pytest.mark.parametrize("name", ["x" * 201, "%20", "a%00b"])
def test_a_name_that_no_conversation_can_have_is_refused(api, name):
    for method, path in (("GET", "/working-memory/"), ("DELETE", "/working-memory/"), ("GET", "/ledger/")):
        response = api.request(method, path + name)
        assert refused(response, 400, "invalid_request") == ["conversation_id"]


def test_a_conversation_belongs_to_whom_it_was_given_first(api, project, conversation):
    path = memory_of(conversation)
    assert api.put(path, params={"user_id": "ann"}, json={"a": 1}).json() == {"a": 1}
    refused(api.put(path, params={"user_id": "bob"}, json={"a": 2}), 409, "owned_by_another")
    refused(api.delete(path, params={"user_id": "bob"}), 409, "owned_by_another")
    body = {"item": "x", "user_id": "bob"}
    refused(api.post(ledger_of(conversation, "mark"), json=body), 409, "owned_by_another")
    refused(api.post(ledger_of(conversation, "evict"), json=body), 409, "owned_by_another")
    started = {"id": conversation, "project": project, "user_id": "bob"}
    refused(api.post("/sessions", json=started), 409, "owned_by_another")
    assert api.post("/sessions", json=started | {"user_id": ""}).json()["user_id"] == "ann"
    assert api.put(path, params={"user_id": ""}, json={"b": 2}).json() == {"a": 1, "b": 2}
    assert api.get(ledger_of(conversation)).json() == {}


def test_a_session_that_keeps_nothing_keeps_no_working_memory_and_no_ledger(api, project):
    conversation = start(api, project, persist=False)
    assert api.put(memory_of(conversation), json={"a": 1}).json() == {"a": 1}
    assert api.get(memory_of(conversation)).json() == {}
    for _ in range(2):
        assert api.post(ledger_of(conversation, "mark"), json={"item": "x"}).json()["marked"] is True
    assert api.get(ledger_of(conversation)).json() == {}


# --- ledger ---------------------------------------------------------------------------------------


def test_an_item_is_marked_once_until_it_is_evicted(api, conversation):
    def ask(action, **body):
        response = api.post(ledger_of(conversation, action), json={"item": "skill:a"} | body)
        assert response.status_code == 200
        return response.json()

    assert api.get(ledger_of(conversation)).json() == {}
    assert ask("check") == {"item": "skill:a", "injected": False}
    assert ask("evict") == {"item": "skill:a", "evicted": False}
    assert ask("mark") == {"item": "skill:a", "marked": True}
    assert ask("mark", value="again") == {"item": "skill:a", "marked": False}
    assert ask("check") == {"item": "skill:a", "injected": True}
    assert ask("mark", item="skill:b", value="1") == {"item": "skill:b", "marked": True}
    assert api.get(ledger_of(conversation)).json() == {"skill:b": "1", "skill:a": "again"}
    assert ask("evict") == {"item": "skill:a", "evicted": True}
    assert ask("check") == {"item": "skill:a", "injected": False}
    assert ask("mark") == {"item": "skill:a", "marked": True}


@pytest.mark.parametrize("action", ["check", "mark", "evict"])
def test_what_can_be_no_item_is_refused(api, conversation, action):
    path = ledger_of(conversation, action)
    for item in ("", "x" * 201, "a\nb", None, 1, ["x"]):
        assert refused(api.post(path, json={"item": item}), 400, "invalid_request") == ["item"]
    assert refused(api.post(path, json={}), 400, "invalid_request") == ["item"]
    assert refused(api.post(path, content=b"", headers=JSON), 400, "invalid_request") == ["body"]
    assert api.get(ledger_of(conversation)).json() == {}


def test_a_value_is_a_text_of_two_hundred_characters(api, conversation):
    path = ledger_of(conversation, "mark")
    for value in ("x" * 201, 1, None, {}):
        body = {"item": "", "value": value, "user_id": "x" * 201}
        assert refused(api.post(path, json=body), 400, "invalid_request") == ["item", "user_id", "value"]
    assert api.post(path, json={"item": "x", "value": "漢" * 200}).json()["marked"] is True
    assert api.get(ledger_of(conversation)).json() == {"x": "漢" * 200}


def test_deleting_the_working_memory_leaves_the_ledger(api, conversation):
    api.put(memory_of(conversation), json={"a": 1})
    api.post(ledger_of(conversation, "mark"), json={"item": "x"})
    assert api.delete(memory_of(conversation)).json() == {"deleted": 1}
    assert api.get(ledger_of(conversation)).json() == {"x": "injected"}


def stored(api, conversation):
    return api.get(memory_of(conversation)).json()


@pytest.mark.parametrize(
    "request_of_a",
    [
        {"params": {"fields": "a"}},
        {"params": {"fields[]": "a"}},
        {"json": {"fields": ["a"]}},
    ],
)
def test_a_deletion_deletes_what_it_names_in_any_form(api, conversation, request_of_a):
    api.put(memory_of(conversation), json={"a": 1, "b": 2, "c": 3})
    assert api.request("DELETE", memory_of(conversation), **request_of_a).json() == {"deleted": 1}
    assert stored(api, conversation) == {"b": 2, "c": 3}
    assert api.delete(memory_of(conversation), params={"fields": "b,c"}).json() == {"deleted": 2}


@pytest.mark.parametrize(
    "strange",
    [
        {"json": ["a"]},
        {"json": {"field": ["a"]}},
        {"json": {"fields": "a"}},
        {"json": {"fields": []}},
        {"json": {"fields": [1]}},
        {"params": {"field": "a"}},
        {"params": {"fields": ""}},
        {"content": b"a", "headers": {"content-type": "application/json"}},
    ],
)
def test_a_deletion_that_is_not_understood_deletes_nothing(api, conversation, strange):
    api.put(memory_of(conversation), json={"a": 1, "b": 2})
    response = api.request("DELETE", memory_of(conversation), **strange)
    assert response.status_code == 400, response.text
    assert stored(api, conversation) == {"a": 1, "b": 2}
