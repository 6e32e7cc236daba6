"""The API's description has texts for everything, and examples that work."""

import json
import re

import jsonschema_rs
import openapi.document
import pytest
from openapi.document import merged
from openapi.texts import EXAMPLES, PARAMETERS, TAGS

from strata.domain.entities.shapes import Mention, Relationship
from strata.domain.wire.envelope import has_envelope
from strata.entrypoints.http.api.openapi import document
from strata.services.entities.recording import Source
from support.api import client
from support.api_calls import data
from support.memory import LOCAL, application, learn

DESCRIPTION = json.loads(document())
OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, operations in DESCRIPTION["paths"].items()
    for method, operation in operations.items()
}
OPEN = {
    "get_personal_data",
    "health",
    "health_or_503",
    "maintain",
    "maintenance_history",
    "maintenance_report",
}
"""Operations that answer with more services, steps and kinds than an example needs."""
REFUSED = {"listen_for_messages", "end_protocol_session"}
"""Operations that answer an error only."""


@pytest.fixture
def app(tmp_path):
    app = application(tmp_path)
    yield app
    app.close()


def test_every_operation_has_a_tag_that_is_described():
    described = {tag["name"] for tag in DESCRIPTION["tags"]}
    assert all(tag["description"] for tag in DESCRIPTION["tags"])
    for name, (_, _, operation) in OPERATIONS.items():
        assert set(operation["tags"]) <= described, name


def test_a_module_of_routes_without_a_tag_is_named(app, monkeypatch):
    others = {module: tag for module, tag in TAGS.items() if module != "http.context"}
    monkeypatch.setattr(openapi.document, "TAGS", others)
    with pytest.raises(ValueError, match=r"http\.context have no tag: add one to openapi/texts\.yaml"):
        merged(app.handlers.requests())


def test_every_parameter_has_a_description():
    silent = [
        f"{name}.{parameter['name']}"
        for name, (_, _, operation) in OPERATIONS.items()
        for parameter in operation.get("parameters", ())
        if not re.match(r"\S.*[.]$", parameter["description"].removeprefix("Above "))
        or parameter["description"].startswith("Above ")
    ]
    assert not silent, (
        f"{silent} need a sentence: Query(description=...) at the route, or an entry in openapi/texts.yaml"
    )


def test_no_text_describes_a_parameter_that_is_gone():
    names = {
        spelled
        for name, (_, _, operation) in OPERATIONS.items()
        for parameter in operation.get("parameters", ())
        for spelled in (parameter["name"], f"{name}.{parameter['name']}")
    }
    assert set(PARAMETERS) <= names, "in openapi/texts.yaml"
    assert set(EXAMPLES) <= set(OPERATIONS)


def test_every_operation_that_takes_or_gives_a_body_has_an_example():
    lacking = {
        name
        for name, (_, _, operation) in OPERATIONS.items()
        for taken in [operation.get("requestBody"), next(iter(operation["responses"].values()))]
        if taken and "content" in taken and "example" not in next(iter(taken["content"].values()))
    }
    assert lacking - REFUSED - {"openapi_document"} == set(), "add them to openapi/examples.yaml"


def test_errors_are_described_one_by_one():
    for name, (_, _, operation) in OPERATIONS.items():
        assert "default" not in operation["responses"], name
    statuses = set(OPERATIONS["save_observation"][2]["responses"])
    assert statuses == {"201", "400", "401", "403", "409", "413", "415", "429", "431", "500", "503"}
    assert "404" in OPERATIONS["change_observation"][2]["responses"]
    assert set(OPERATIONS["health"][2]["responses"]) == {"200", "429", "500"}


def test_a_server_that_requires_keys_says_so(tmp_path):
    app = application(tmp_path, AUTH="required")
    with client(app) as api:
        said = api.get("/openapi.json").json()
    app.close()
    assert said["paths"]["/search"]["get"]["security"] == [{"bearer": ["read"]}]
    assert OPERATIONS["search_observations"][2]["security"] == [{}, {"bearer": ["read"]}]
    assert OPERATIONS["health"][2]["security"] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_of_the_described_shapes(name):
    request, answer = EXAMPLES[name]
    _, path, operation = OPERATIONS[name]
    if request is not None:
        _validate(request, operation["requestBody"])
    if answer is not None:
        whole = {"success": True, "data": answer} if has_envelope(path) else answer
        _validate(whole, next(iter(operation["responses"].values())))


OF_A_RUN = {"delete_conclusion", "undo_consolidation"}
"""Operations on what a run of the dreamer makes, and there was none here."""
MERGES = {"merge_entities", "undo_merge"}


def test_examples_work(app):
    api = client(app)
    (fact,) = learn(app, LOCAL, ("place", "Ann lives in Oslo."), agent="support")
    ana, acme = Mention("Ana Ruiz", "person", 0, 1, role="sister"), Mention("Acme", "organization", 0, 1)
    named = Source("ep-1", "ann", "s1", None, None, False, 1)
    works = Relationship("Ana Ruiz", "works-at", "Acme", "")
    app.entities.recorder.record(LOCAL, named, [Mention("Ana", "person", 0, 1), acme, ana], [works])
    ids = {
        each["name"]: each["id"]
        for each in api.get("/api/entities", params={"userId": "ann"}).json()["entities"]
    }
    real = {
        "f-1": fact,
        "5f0c2d8e41b96a37f2d05c1e7b84a69f": ids["Ana Ruiz"],
        "77d0aa3c5e1f48b29d60a7c4e8135f2b": ids["Ana"],
    }
    for name, (request, answer) in EXAMPLES.items():
        method, path, operation = OPERATIONS[name]
        values = {each["name"]: each.get("example") for each in operation.get("parameters", ())}
        required = {
            each["name"]: real.get(values[each["name"]], values[each["name"]])
            for each in operation.get("parameters", ())
            if each["required"] or each["name"] == "userId"
        }
        url = path.format_map(required)
        query = {key: value for key, value in required.items() if f"{{{key}}}" not in path}
        body = request | {"sourceId": real["77d0aa3c5e1f48b29d60a7c4e8135f2b"]} if name in MERGES else request
        response = api.request(method, url, params=query, json=body)
        if name in OF_A_RUN:
            assert response.status_code == 404
            continue
        assert response.is_success, (name, response.text)
        assert str(response.status_code) in operation["responses"]
        if answer is not None and not response.headers["content-type"].startswith("text/"):
            said = data(response)
            _compare(said, answer, name)
            real |= _renamed(said, answer)


def _compare(said, example, name):
    """The same fields, in an answer and in the first rows of its lists, where it has some."""
    if isinstance(example, list) and example and said:
        _compare(said[0], example[0], name)
    elif isinstance(example, dict) and name not in OPEN:
        assert set(said) == set(example), (name, said)
        for key, value in example.items():
            _compare(said[key], value, name)


def _renamed(said, example):
    """The ids by which the server knows the things that the example names."""
    if not isinstance(example, dict):
        return {}
    return {
        example[key]: said[key]
        for key in ("id", "erasure_id", "timestamp")
        if isinstance(example.get(key), str | int)
    }


def _validate(value, described):
    schema = next(iter(described["content"].values()))["schema"]
    jsonschema_rs.Draft202012Validator(schema | {"components": DESCRIPTION["components"]}).validate(value)


def test_text_is_described_under_its_own_media_type():
    described = {
        name: list(operation["responses"]["200"].get("content", ()))
        for name, (_, _, operation) in OPERATIONS.items()
        if "200" in operation["responses"]
    }
    assert described["entity_page"] == ["text/markdown"]
    assert described["metrics"] == ["text/plain"]
    assert described["fetch_context"] == ["application/json", "text/plain"]
    assert described["export_memories"] == ["application/json", "application/x-ndjson"]
