"""Makes the fixtures of this version, over the servers of `python -m servers`; see README.md.

`PYTHONPATH=tests python -m compatibility.make v2 DYNAMODB_URL OPENSEARCH_URL`
"""

import gzip
import json
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx

from compatibility.questions import recorded
from compatibility.store import opened, pages
from compatibility.story import TENANTS, tell
from servers.tables import REGION, dynamodb_client
from strata.adapters.opensearch.connection import Connection
from strata.cli.export_files import writing
from strata.local.template.dynamodb import create_table

TABLE = ALIAS = "fixture"
REFRESH: dict[str, Any] = {"INDEX_REFRESH": "60"}
"""So that applied changes are kept for a while."""


def main(folder: Path, dynamodb: str, opensearch: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        _sqlite(Path(place, "sqlite"), folder / "sqlite", folder / "export")
        _deployed(Path(place, "deployed"), folder / "deployed", dynamodb, opensearch)


def _sqlite(place: Path, kept: Path, export: Path) -> None:
    with opened(place, **REFRESH) as store:
        told = tell(store)
        now = store.clock.us
        with sqlite3.connect(store.folder / "strata.db") as file:
            file.execute("VACUUM INTO ?", (str(place / "copy.db"),))
        file.close()
        _keep(kept / "strata.db.gz", (place / "copy.db").read_bytes())
        _keep_json(
            kept / "answers.json.gz", {"now": now, **told, "answers": recorded(store, told["erasures"])}
        )
        export.mkdir(parents=True, exist_ok=True)
        for tenant in TENANTS:
            with writing(str(export / f"{tenant}.json")) as document:
                for page in pages(store, tenant, "/export"):
                    document.add(page)


def _deployed(place: Path, kept: Path, dynamodb: str, opensearch: str) -> None:
    client = dynamodb_client(dynamodb)
    create_table(client, TABLE)
    stores: dict[str, Any] = {
        "STORE": "dynamodb",
        "TABLE": TABLE,
        "DYNAMODB_ENDPOINT": dynamodb,
        "DYNAMODB_REGION": REGION,
    }
    engine: dict[str, Any] = {"INDEX": "opensearch", "OPENSEARCH_URL": opensearch, "OPENSEARCH_ALIAS": ALIAS}
    with opened(place, **stores, **engine, **REFRESH, OPENSEARCH_REFRESH="true") as store, _Sent() as sent:
        told = tell(store)
        now = store.clock.us
        rows = [
            row for page in client.get_paginator("scan").paginate(TableName=TABLE) for row in page["Items"]
        ]
        _keep_lines(
            kept / "items.jsonl.gz",
            sorted(map(_plain, rows), key=lambda row: (row["pk"]["S"], row["sk"]["S"])),
        )
        bodies = sorted((place / "bodies").rglob("*"))
        named = [
            {"path": str(each.relative_to(place)), "body": each.read_text()}
            for each in bodies
            if each.is_file()
        ]
        _keep_lines(kept / "bodies.jsonl.gz", named)
        documents = sorted(sent.documents.values(), key=lambda each: each["_id"])
        _keep_lines(kept / "documents.jsonl.gz", documents)
        _keep_json(
            kept / "answers.json.gz", {"now": now, **told, "answers": recorded(store, told["erasures"])}
        )
        with httpx.Client(base_url=opensearch, timeout=60) as engine_client:
            ((_, index),) = engine_client.get(f"/{ALIAS}").json().items()
        settings = index["settings"]["index"]
        for own in ("creation_date", "provided_name", "uuid", "version"):
            settings.pop(own)
        made = {"settings": {"index": settings}, "mappings": index["mappings"]}
        (kept / "index.json").write_text(json.dumps(made, indent=1) + "\n")


class _Sent:
    """The documents as they are sent: the engine does not give back words and vectors."""

    def __init__(self) -> None:
        self.documents: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> "_Sent":
        self._request = request = Connection.request

        def recording(connection: Connection, method: str, path: str, body: Any = None, **rest: Any) -> Any:
            if path.endswith("/_bulk"):
                self._record([json.loads(line) for line in body.splitlines()])
            return request(connection, method, path, body, **rest)

        Connection.request = recording  # type: ignore[method-assign, assignment]
        return self

    def __exit__(self, *_: object) -> None:
        Connection.request = self._request  # type: ignore[method-assign]

    def _record(self, lines: list[dict[str, Any]]) -> None:
        left = iter(lines)
        for line in left:
            ((action, about),) = line.items()
            self.documents.pop(about["_id"], None)
            if action == "index":
                self.documents[about["_id"]] = about | {"_source": next(left)}


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row in DynamoDB's JSON, where a set has no order."""
    return {
        name: {kind: sorted(value) if kind == "SS" else value for kind, value in each.items()}
        for name, each in sorted(row.items())
    }


def _keep_lines(path: Path, documents: list[Any]) -> None:
    _keep(path, "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in documents).encode())


def _keep_json(path: Path, document: Any) -> None:
    _keep(path, json.dumps(document, ensure_ascii=False, indent=0).encode())


def _keep(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    version, *servers = sys.argv[1:]
    target = Path(__file__).parent / version
    shutil.rmtree(target, ignore_errors=True)
    main(target, *servers)
