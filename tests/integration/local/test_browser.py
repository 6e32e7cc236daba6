"""Web pages in a real browser, and the server on the same machine: only allowed pages may use it.

A page of another local port and one of a foreign site try every way that a browser offers; a page of an
allowed origin shows that the same calls work where they may.
"""

import json
import os
import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from servers import browser
from support.http_server import Answering, listening
from support.served_api import served

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

RULE = "Never deploy on a Friday"

PAGE = (Path(__file__).parents[2] / "support" / "attacking_page.html").read_text()
WAYS = ("image", "script", "frame", "opaque", "opened", "read")


class Pages:
    """Serves the pages and receives what they report."""

    def __init__(self) -> None:
        self.html: dict[str, str] = {}
        self.reports: queue.Queue[dict[str, object]] = queue.Queue()

    @contextmanager
    def served(self) -> Iterator[str]:
        pages = self

        class Handler(Answering):
            def do_GET(self) -> None:
                html = pages.html.get(self.headers["host"].partition(":")[0], "")
                self.tell(200, {"content-type": "text/html"}, html.encode())

            def do_POST(self) -> None:
                pages.reports.put(json.loads(self.body()))
                self.tell(200, {"content-type": "application/json"}, b"{}")

        with listening(Handler) as url:
            yield url.rpartition(":")[2]


def saved(api: httpx.Client) -> list[str]:
    return [found["content"] for found in api.get("/observations/recent", params={"project": "p"}).json()]


def ledgers(api: httpx.Client, page: str) -> dict[str, bool]:
    return {way: bool(api.get(f"/ledger/{page}-{way}").json()) for way in WAYS}


def test_pages_can_use_the_server_only_from_allowed_origins(tmp_path: Path) -> None:
    reason = browser.missing()
    if reason and os.environ.get("CI") == "true":
        pytest.fail(reason)
    if reason:
        pytest.skip(f"NOT TESTED in a real browser: {reason}")
    pages = Pages()
    with (
        pages.served() as port,
        served(tmp_path, STRATA_ALLOWED_ORIGINS=f"http://friend.example:{port}") as api,
    ):
        rule = {"session_id": "s", "type": "rule", "title": "deploys", "content": RULE, "project": "p"}
        first = api.post("/observations", json=rule).json()["id"]
        api.post("/memory/sessions", json={"session_id": "kept"}).raise_for_status()
        hosts = ["localhost", "evil.example", "friend.example"]
        for host, after in zip(hosts, [*hosts[1:], None], strict=True):
            page = PAGE.replace("TARGET", f"http://127.0.0.1:{api.base_url.port}").replace(
                "FIRST", str(first)
            )
            pages.html[host] = page.replace("NEXT", f"http://{after}:{port}/" if after else "")

        with browser.showing(f"http://localhost:{port}/", "*.example"):
            for host in hosts[:2]:
                said = pages.reports.get(timeout=60)
                assert said["page"] == host
                assert (said["read"], said["context"]) == ("blocked", "blocked")
                assert {said[call] for call in ("saved", "changed", "refused")} == {"blocked"}
                assert (said["opened"], said["opaque"]) == ("shown", "opaque")  # they were sent
                assert ledgers(api, host.partition(".")[0]) == dict.fromkeys(WAYS, False)
                assert saved(api) == [RULE]
                assert api.get("/memory/sessions").json()["sessions"] == ["kept"]
            said = pages.reports.get(timeout=60)

        assert (said["page"], said["saved"], said["changed"], said["refused"]) == (
            "friend.example",
            201,
            200,
            400,
        )
        assert RULE in str(said["read"])
        assert RULE in str(said["context"])
        assert saved(api) == ["planted by friend.example", RULE]
        assert api.get(f"/observations/{first}").json()["tags"] == ["friend"]
        assert ledgers(api, "friend") == dict.fromkeys(WAYS, False) | {"read": True}
