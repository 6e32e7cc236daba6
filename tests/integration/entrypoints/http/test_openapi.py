"""The API's description: true to the code, and kept by the server whatever is sent to it."""

import json
import os
import re
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from openapi.document import merged
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    positive_data_acceptance,
    unsupported_method,
)

from strata.entrypoints.http.api.openapi import document
from strata.local.template import declarations
from support.memory import application

pytestmark = pytest.mark.xdist_group("openapi")

DESCRIPTION = json.loads(document())
MAX_HEAD = 64 * 1024
ENCODED = {"tags_any", "tags_all", "metadata", "kinds"}
"""Texts that hold a list or an object, which no schema describes."""
schema = schemathesis.openapi.from_dict(DESCRIPTION)


def test_the_document_that_ships_is_the_one_that_the_routes_make(tmp_path):
    assert merged(application(tmp_path).handlers.requests()) == DESCRIPTION, "run make openapi"


def test_the_server_serves_that_document(address):
    assert httpx.get(f"{address}/openapi.json", trust_env=False).json() == DESCRIPTION


def test_the_document_and_the_template_name_the_same_routes():
    declared = {
        (route.method, route.path)
        for function in declarations.load().functions.values()
        for route in function.routes
    }
    described = {
        (method.upper(), path) for path, operations in DESCRIPTION["paths"].items() for method in operations
    }
    assert described == declared


@schema.parametrize()
@settings(
    max_examples=200 if os.environ.get("STRATA_TEST_SIZE") == "full" else 8,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_sent_is_answered_as_described(case, address):
    """Every check of schemathesis."""
    query = case.query or {}
    query.pop("cursor", None)  # one that no answer gave is refused
    for parameter in case.operation.definition.raw.get("parameters", ()):
        if parameter["name"] in query and parameter["name"] in ENCODED:
            query[parameter["name"]] = parameter.get("example", "")
    if case.path == "/export" and query.keys() & {"kinds", "user_id"}:
        query["format"] = "jsonl"  # the only one that they go with
    if query.get("format") == "jsonl":
        query.pop("project", None)
    if not str(query.get("conversation_id") or "").strip():
        query.pop("turn_id", None)  # the turn of a conversation
    if case.path == "/api/memory/forget":
        _either_words_or_ids(case.body)
    if len(quote(str(query))) > MAX_HEAD // 2:
        return  # a head over 64 KB is refused, however short its texts are in characters
    excluded: list[Any] = []
    if "405" in case.operation.definition.raw["responses"]:  # a route that only says so
        excluded.append(positive_data_acceptance)
    if shadowed(case.path):
        excluded += [unsupported_method, allow_header_conformance]
    case.call_and_validate(base_url=address, excluded_checks=excluded)


def _either_words_or_ids(body):
    """Of a well-formed body, leave what goes together: words to show what they mean, ids to delete."""
    if not isinstance(body, dict):
        return
    words, ids = body.get("query", ""), body.get("ids", [])
    words = "" if words is None else words
    if not (isinstance(words, str) and len(words) <= 2000 and isinstance(ids, list)):
        return
    if ids:
        body.pop("query", None)
        return
    body["query"] = words or "where I live"
    if body.get("dry_run") is False:
        body["dry_run"] = True


def shadowed(path):
    """Whether another path with a variable part takes the methods that this one lacks, as on API Gateway:
    `PATCH /observations/recent` is a request to `/observations/{id}`."""
    others = (re.sub(r"\{\w+\}", "[^/]+", each) for each in DESCRIPTION["paths"] if each != path)
    return any(re.fullmatch(each, path) for each in others)
