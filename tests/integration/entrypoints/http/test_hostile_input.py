"""Anything at all in every field: kept and found again, or refused with our error, never a failure."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.api_calls import refused, save, start
from support.memory import observation, unique

JSON = {"content-type": "application/json"}
SUPPRESSED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
hard = settings(
    max_examples=60, deadline=None, database=None, derandomize=True, suppress_health_check=SUPPRESSED
)

NASTY = [
    *(
        '"',
        "*",
        "NEAR(a b)",
        "a AND b",
        "NOT",
        "OR",
        "^a",
        "col:a",
        "a + b",
        "{a b}:c",
        "-a",
        "(",
        '""',
        "a*b",
        "'",
    ),
    *(
        "'; DROP TABLE items; --",
        "1 OR 1=1",
        "%s",
        "%00",
        "../../etc/passwd",
        "${7*7}",
        "{{7*7}}",
        "<script>",
        "\\",
    ),
    *(
        "\0",
        "a\0b",
        "\x1b[31m",
        "\r\nSet-Cookie: a=b",
        "\u202eabc",
        "\ufeff",
        "\u200b",
        "a\u0301" * 50,
        "🏳️‍🌈",
        "\N{MATHEMATICAL DOUBLE-STRUCK CAPITAL S}",
    ),
    *(
        "PROJECT#x",
        "%23",
        "OBS#0000000000000001",
        "\x1f",
        "ﷺ" * 100,
        "שלום עולם",
        "مرحبا",
        "你好世界",
        "ไทย",
        "ß",
        "İ",
    ),
]
texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=60),
    st.lists(st.sampled_from(NASTY), max_size=4).map(" ".join),
    st.text(alphabet=st.characters(categories=["Cs", "Lu"]), max_size=8),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["session_id", "type", "title", "content", "project", "scope", "topic_key", "user_id", "tags"]


def send(api, method, path, body):
    """A body as Python writes it: with NaN, infinities and lone surrogates, which are no JSON."""
    return api.request(method, path, content=json.dumps(body).encode(), headers=JSON)


def answered(response):
    """Whether it was taken; what was refused has our error."""
    if response.is_success:
        return True
    refused(response, response.status_code, response.json()["code"])
    assert 400 <= response.status_code < 500
    return False


@hard
@given(fields=st.dictionaries(st.sampled_from(FIELDS), texts | st.lists(texts, max_size=3), max_size=5))
def test_any_text_in_any_field_is_kept_as_it_is_or_refused(api, fields):
    body = observation(session_id=unique("session-"), project=unique("project-")) | fields
    response = send(api, "POST", "/observations", body)
    if not answered(response):
        return
    body = json.loads(json.dumps(body))  # two halves of a surrogate pair are one character in JSON
    kept = api.get(f"/observations/{response.json()['id']}").json()
    assert kept["title"] == body["title"]
    assert kept["content"].split() == body["content"].split()
    assert kept["type"] == body["type"]
    assert kept.get("tags", []) == body.get("tags", [])
    listed = api.get("/observations/recent", params={"project": body["project"], "limit": 1000}).json()
    assert kept["id"] in [row["id"] for row in listed]


@hard
@given(body=values)
def test_any_json_is_answered(api, body):
    for method, path in (
        ("POST", "/sessions"),
        ("POST", "/observations"),
        ("PATCH", "/observations/1"),
        ("POST", "/import"),
        ("POST", "/sessions/x/end"),
        ("PUT", "/working-memory/hostile"),
        ("POST", "/ledger/hostile/mark"),
        ("POST", "/ledger/hostile/evict"),
    ):
        answered(send(api, method, path, body))


@hard
@given(field=st.sampled_from([*FIELDS, "id", "created_at", "revision_count"]), value=values)
def test_any_value_in_an_import_is_answered(api, field, value):
    row = observation(project=unique("project-"), content=unique("fact ")) | {field: value}
    session = {"id": unique("session-"), "project": "p", "started_at": "2025-01-01T00:00:00Z"} | {
        field: value
    }
    answered(send(api, "POST", "/import", {"sessions": [session], "observations": [row]}))


@hard
@given(content=values, role=texts)
def test_any_message_is_answered(api, content, role):
    session_id = start(api, unique("project-"))
    messages = [{"role": role, "content": content}, {"role": "user", "content": content}]
    answered(send(api, "POST", f"/sessions/{session_id}/end", {"messages": messages}))


@hard
@given(
    query=texts, path=st.sampled_from(["/search", "/context", "/export", "/observations/recent", "/timeline"])
)
def test_any_parameter_is_answered(api, query, path):
    query = query.encode(errors="replace").decode()
    names = ("q", "query", "project", "type", "scope", "cursor", "observation_id", "mode", "limit")
    for name in names:
        answered(api.get(path, params={"q": "x", name: query}))


@pytest.mark.parametrize("text", NASTY)
def test_what_is_hostile_is_found_by_its_own_words(api, project, text):
    save(api, project, "something else entirely")
    saved = save(api, project, f"the heron said {text} to the otter")
    for mode in ("hybrid", "bm25", "vector"):
        asked = {"q": f"{text} heron", "project": project, "mode": mode}
        response = api.get("/search", params=asked)
        assert response.status_code == 200
        assert response.json()[0]["id"] == saved["id"]
    assert api.get("/search", params={"q": text, "project": project}).status_code == 200
    assert api.get("/context", params={"query": text, "project": project}).status_code == 200


def test_the_longest_content_of_any_script_is_kept_and_found(api, project):
    for character in ("x", "字", "😀", "\0", "\u202e"):
        content = "heron " + character * 49_994
        saved = save(api, project, content)
        assert api.get(f"/observations/{saved['id']}").json()["content"] == content
        found = api.get("/search", params={"q": "heron", "project": project, "limit": 100}).json()
        assert saved["id"] in [hit["id"] for hit in found]


@pytest.mark.parametrize("depth", [100, 500, 900, 980, 1000, 5000, 200_000])
def test_json_of_any_depth_is_answered(api, project, depth):
    session_id = start(api, project)
    nested = "[" * depth + "]" * depth
    for path, body in (
        (f"/sessions/{session_id}/end", f'{{"messages": [{{"role": "user", "content": {nested}}}]}}'),
        ("/observations", f'{{"title": {nested}}}'),
        ("/import", f'{{"ignored": {nested}}}'),
    ):
        answered(api.post(path, content=body, headers=JSON))
    path = f"/working-memory/{session_id}"
    if answered(api.put(path, content=f'{{"deep": {nested}}}', headers=JSON)):
        assert api.put(path, json={"other": 1}).status_code == 200
        assert f'"deep":{nested}' in api.get(path).text


@pytest.mark.parametrize(
    "value",
    ['{"a": "\\ud800"}', *(f'{{"a":{"[" * levels}{"]" * levels}}}' for levels in (200, 215, 300, 900))],
    ids=["surrogate", 200, 215, 300, 900],
)
def test_what_was_taken_is_given_out_by_every_answer_that_holds_it(api, value):
    person = unique("person-")
    api.post("/memory/sessions", json={"session_id": person, "user_id": person})
    episode = f'"conversation_id": "{person}", "agent_id": "{person}", "summary": "x", "entities": [{value}]'
    for method, path, body in (
        ("PUT", f"/working-memory/{person}", f'{{"plan": {value}}}'),
        (
            "POST",
            f"/memory/sessions/{person}/events",
            f'{{"event_type": "user_message", "content": {value}}}',
        ),
        ("POST", "/episodic/store", f"{{{episode}}}"),
    ):
        answered(api.request(method, path, content=body, headers=JSON))
    for path in (
        f"/working-memory/{person}",
        f"/memory/sessions/{person}",
        f"/memory/sessions/{person}/context",
        f"/episodic/{person}",
        f"/api/memory/episodes?userId={person}",
        f"/api/memory/search?q=x&userId={person}",
        f"/api/rgpd/users/{person}/ai-data",
    ):
        assert api.get(path).status_code == 200, path
    similar = api.post("/episodic/search", json={"query": "x", "agent_id": person})
    assert (similar.status_code, api.post(f"/sessions/{person}/end").status_code) == (200, 200)


@pytest.mark.parametrize(
    "number", ["1" * 4300, "1" * 4301, "-" + "9" * 400, "1e400", "1E-400", "0." + "1" * 5000]
)
def test_numbers_of_any_size_are_answered(api, number):
    answered(api.post("/import", content=f'{{"observations": [{{"id": {number}}}]}}', headers=JSON))
    answered(api.post("/sessions", content=f'{{"id": {number}, "project": {number}}}', headers=JSON))
