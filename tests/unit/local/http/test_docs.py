"""The page at /docs: whole by itself, and no other page's to show or to read."""

import json
import re
from importlib.resources import files

import pytest

from strata.entrypoints.http.api.openapi import document
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


@pytest.mark.parametrize("path", ["/", "/docs/"])
def test_the_root_and_a_slash_at_the_end_lead_to_the_page(served, path):
    for method in ("GET", "HEAD"):
        answer = served.handle(Request(method, path, query="q=tea"))
        assert (answer.status, dict(answer.headers)["location"]) == (307, "/docs?q=tea")
    assert dict(served.handle(Request("GET", path)).headers)["location"] == "/docs"
    assert served.handle(Request("POST", path)).status == 404
    assert Guard("127.0.0.1").answer("GET", path, {"host": "127.0.0.1:7437"} | LINK) is None


def test_the_page_names_the_code_of_an_error_in_either_form():
    text = docs.page().body.decode()
    assert "example.code ?? example.error.code" in text
    described = json.loads(document())
    told = [
        content["example"]
        for each in described["components"]["responses"].values()
        for content in each.get("content", {}).values()
        if "example" in content
    ]
    for example in told:
        assert example.get("code") or example["error"]["code"]


def _contrast(one: str, other: str) -> float:
    """The ratio of two colours' luminances, as WCAG 2 has it."""

    def luminance(colour: str) -> float:
        parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
        return sum(share * each for share, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_quiet_text_can_be_read_on_light_and_dark():
    light, dark = re.findall(r"--quiet: (#\w{6});", docs.page().body.decode())
    assert _contrast(light, "#f0f0f0") > 4.5
    assert _contrast(dark, "#2b2b2b") > 4.5


@pytest.mark.parametrize("path", ["/docs", "/", "/health", "/nowhere", "/search", "/api/rgpd/audit-log"])
def test_no_answer_is_taken_for_another_type_than_it_declares(served, path):
    answer = served.handle(Request("GET", path))
    assert path == "/" or dict(answer.headers)["x-content-type-options"] == "nosniff"


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
