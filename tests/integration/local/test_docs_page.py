"""The page at /docs in a real browser, and what a page of another port gets of it."""

import json
import os
import re
from pathlib import Path

import pytest

from servers import browser
from strata.entrypoints.http.api.openapi import document
from support.http_server import Answering, listening
from support.served_api import served

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

FOREIGN = """<!doctype html><title>waits</title><script>
fetch("TARGET/docs").then(() => "read", () => "blocked").then((said) => { document.title = said; });
</script><iframe src="TARGET/docs"></iframe>"""


def shown(html: str) -> list[str]:
    """The ids of the operations that are not hidden."""
    return [
        re.search(r'id="(\w+)"', tag)[1]
        for tag in re.findall(r"<details[^>]*>", html)
        if " hidden" not in re.sub(r'data-text="[^"]*"', "", tag)
    ]


def test_the_page_shows_every_operation_and_no_other_origin_reads_it(tmp_path: Path) -> None:
    reason = browser.missing()
    if reason and os.environ.get("CI") == "true":
        pytest.fail(reason)
    if reason:
        pytest.skip(f"NOT TESTED in a real browser: {reason}")

    class Foreign(Answering):
        def do_GET(self) -> None:
            self.tell(200, {"content-type": "text/html"}, FOREIGN.replace("TARGET", target).encode())

    with served(tmp_path, STRATA_AUTH="required") as api, listening(Foreign) as foreign:
        target = str(api.base_url).rstrip("/")
        assert api.get("/search", params={"q": "tea"}).status_code == 401  # yet the page needs no key
        whole = browser.document(f"{target}/docs#save_observation")
        found = browser.document(f"{target}/docs?q=working+fields")
        blocked = browser.document(f"{foreign}/")

    operations = [
        operation
        for operations in json.loads(document())["paths"].values()
        for operation in operations.values()
    ]
    assert sorted(shown(whole)) == sorted(each["operationId"] for each in operations)
    body = whole.partition('id="save_observation"')[2].partition("</details>")[0]
    for part in ("topic_key", "No deploys on Fridays", "owned_by_another", "Authorization: Bearer", target):
        assert part in body
    assert set(shown(found)) >= {"get_working_memory", "delete_working_memory"}
    assert "search_observations" not in shown(found)
    assert "<title>blocked</title>" in blocked
    assert "save_observation" not in blocked
