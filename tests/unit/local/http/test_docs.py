"""The page at /docs: whole by itself, and no other page's to show or to read."""

import re
from importlib.resources import files

import pytest

from strata.local.http import docs
from strata.local.http.guard import Guard
from strata.local.http.messages import Request
from support.api import gateway
from support.memory import application

LINK = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    app = application(tmp_path_factory.mktemp("store"))
    yield gateway(app)
    app.close()


def test_the_page_is_served_to_get_and_head_only(served):
    page = served.handle(Request("GET", "/docs"))
    head = served.handle(Request("HEAD", "/docs"))
    assert (page.status, head.status, head.body) == (200, 200, b"")
    assert dict(page.headers) == dict(head.headers)
    refused = served.handle(Request("POST", "/docs"))
    assert (refused.status, dict(refused.headers)["allow"]) == (405, "GET, HEAD, OPTIONS")


def test_the_page_is_small_and_asks_nobody_else():
    page = docs.page()
    text = page.body.decode()
    assert len(page.body) < 100_000
    assert set(re.findall(r'(?:href|src|fetch)[=(]"([^"]+)"', text)) == {"openapi.json"}
    assert "innerHTML" not in text


def test_its_policy_runs_its_own_script_and_style_and_nothing_else():
    headers = dict(docs.page().headers)
    policy = dict(each.split(" ", 1) for each in headers["content-security-policy"].split("; "))
    assert policy.pop("connect-src") == "'self'"
    assert re.fullmatch(r"'sha256-\S+='", policy.pop("script-src"))
    assert re.fullmatch(r"'sha256-\S+='", policy.pop("style-src"))
    assert set(policy.values()) == {"'none'"}
    assert headers["cross-origin-resource-policy"] == "same-origin"
    page = files("strata.local.http").joinpath("docs.html").read_text()
    assert not re.search(r"\son\w+=|style=", page.partition("<script>")[0])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, None),
        (LINK, None),
        (LINK | {"sec-fetch-dest": "iframe"}, 403),
        (LINK | {"sec-fetch-mode": "no-cors"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:7437"}, None),
    ],
)
def test_links_open_it_and_no_other_origin_reads_it(headers, status):
    answer = Guard("127.0.0.1").answer("GET", "/docs", {"host": "127.0.0.1:7437"} | headers)
    assert (answer and answer.status) == status
