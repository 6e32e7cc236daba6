"""The documents are true: every shell and Python block in them is run.

A block that needs another machine (an AWS account, say) stands under `<!-- not run: why -->`.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.server import running

pytestmark = pytest.mark.xdist_group("docs")

ROOT = Path(__file__).parents[2]
GUIDES = [ROOT / "docs" / "guides" / f"{name}.md" for name in ("claude-code", "claude-mem", "engram", "mem0")]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *GUIDES]
AT = "2025-05-06 09:00:00"
FILES = {
    "engram-export.json": {
        "sessions": [{"id": "s1", "project": "shop", "started_at": AT}],
        "observations": [{"id": 1, "type": "config", "title": "Staging", "content": "x", "created_at": AT}],
        "prompts": [{"id": 1, "session_id": "s1", "content": "Why?", "created_at": AT}],
    },
    "mem0.json": {"results": [{"id": "m1", "memory": "Likes tea", "created_at": AT}]},
}
"""Exports that guides import."""
SERVERS_OWN = ("make run", "make test")


def blocks():
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for place, match in enumerate(re.finditer(r"```(bash|python)\n(.*?)```", text, re.DOTALL)):
            before = text[: match.start()].rstrip().rpartition("\n")[2].lstrip()
            if before.startswith("<!-- not run:") or match[2].strip() in SERVERS_OWN:
                continue
            yield pytest.param(match[1], match[2], id=f"{document.name}-{place}")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data):
    with running(data) as server:
        yield server


@pytest.mark.parametrize(("language", "code"), list(blocks()))
def test_a_block_runs(language, code, server, data, tmp_path):
    address = server.url.removeprefix("http://")
    code = code.replace("127.0.0.1:7437", address).replace("localhost:7437", address)
    command = (
        [sys.executable, "-c", code] if language == "python" else ["bash", "-euo", "pipefail", "-c", code]
    )
    for name, document in FILES.items():
        (tmp_path / name).write_text(json.dumps(document))
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "STRATA_DATA": str(data),
        "STRATA_PORT": address.rpartition(":")[2],
    }
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert '"code"' not in done.stdout, done.stdout  # no answer was an error
    for answer in re.findall(r"/search\?\S*", code):
        assert "[]" not in done.stdout, f"{answer} finds nothing"


def anchors(document):
    """The anchors of its headings."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_lead_somewhere():
    broken = []
    for document in [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        prose = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)", prose):
            path, _, anchor = target.partition("#")
            place = document.parent / path if path else document
            if path.startswith("http"):
                continue
            if not place.exists() or (anchor and anchor not in anchors(place)):
                broken.append(f"{document.name}: {target}")
    assert not broken


def test_every_decision_is_in_the_index():
    decisions = ROOT / "docs" / "decisions"
    listed = re.findall(r"^(\d+)\. \[(.*)\]\((.*)\)$", (decisions / "README.md").read_text(), re.MULTILINE)
    headings = [(f"# {number}. {title}", name) for number, title, name in listed]
    there = [(page.read_text().partition("\n")[0], page.name) for page in sorted(decisions.glob("0*.md"))]
    assert headings == there
