"""An application with its API, which lines of every kind are exported from and imported into."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx

from support.api import ClaimsFromHeader, client
from support.clocks import HandClock
from support.memory import Memory, application

Line = dict[str, Any]


class Side:
    """An application with its API."""

    def __init__(self, folder: Path, clock: HandClock) -> None:
        self.app = application(folder, clock, AUTH="required", ERASURE_SETTLE="0")
        self.api = client(self.app, ClaimsFromHeader())
        self.memory = Memory(self.app)

    def export(self, tenant: str = "local", **asked: str) -> list[list[Line]]:
        """The lines of an export, page by page."""
        cursor: dict[str, str] = {}
        found: list[list[Line]] = []
        while True:
            answer = self.get(tenant, **asked, **cursor)
            assert answer.status_code == 200, answer.text
            *page, last = map(json.loads, answer.text.splitlines())
            found.append(page)
            if last["kind"] == "end":
                return found
            cursor = {"cursor": last["cursor"]}

    def get(self, tenant: str = "local", scopes: str = "read write admin", **asked: str) -> httpx.Response:
        headers = {"x-tenant": tenant, "x-scopes": scopes}
        return self.api.get("/export", params={"format": "jsonl"} | asked, headers=headers)

    def lines(self, tenant: str = "local", **asked: str) -> list[Line]:
        return [line for page in self.export(tenant, **asked) for line in page]

    def load(
        self,
        lines: Iterable[Line | str],
        tenant: str = "local",
        scopes: str = "read write admin",
        **asked: str,
    ) -> httpx.Response:
        text = "\n".join(json.dumps(line) if isinstance(line, dict) else line for line in lines)
        headers = {"x-tenant": tenant, "x-scopes": scopes, "content-type": "application/x-ndjson"}
        return self.api.post("/import", content=text.encode(), params=asked, headers=headers)

    def skips(self, lines: Iterable[Line | str], **asked: str) -> set[tuple[str, str]]:
        """The kinds and reasons of the lines that an import does not take."""
        answer = self.load(lines, **asked)
        assert answer.status_code == 200, answer.text
        return {(each["kind"], each["reason"]) for each in answer.json().get("skipped", [])}
