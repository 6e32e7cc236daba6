"""The fixtures, opened: copies of what earlier versions left, and what those versions answered."""

import gzip
import json
import re
import uuid
from pathlib import Path
from typing import Any

import httpx

from servers.tables import dynamodb_client, table_settings
from strata.local.template.dynamodb import create_table

FOLDER = Path(__file__).parent
VERSIONS = sorted(path.name for path in FOLDER.glob("v*") if path.is_dir())


def told(version: str, store: str) -> Any:
    """The time of a fixture, its keys and erasures, and what its own version answered."""
    return json.loads(_text(FOLDER / version / store / "answers.json.gz"))


def lines(version: str, name: str) -> list[Any]:
    """The rows, bodies or documents of a deployment."""
    return [
        json.loads(line) for line in _text(FOLDER / version / "deployed" / f"{name}.jsonl.gz").splitlines()
    ]


def export(version: str, tenant: str) -> Any:
    return json.loads((FOLDER / version / "export" / f"{tenant}.json").read_text())


def unpack(version: str, folder: Path) -> Path:
    """Put a copy of the SQLite file into a folder; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "strata.db"
    file.write_bytes(gzip.decompress((FOLDER / version / "sqlite" / "strata.db.gz").read_bytes()))
    return file


def deploy(version: str, folder: Path, dynamodb: str, opensearch: str) -> dict[str, str]:
    """Load rows, bodies and documents into a table and an index of their own; the settings that name them."""
    name = f"kept-{uuid.uuid4().hex}"
    client = dynamodb_client(dynamodb)
    create_table(client, name)
    for row in lines(version, "items"):
        client.put_item(TableName=name, Item=row)
    for body in lines(version, "bodies"):
        path = folder / body["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body["body"])
    made = json.loads((FOLDER / version / "deployed" / "index.json").read_text())
    bulk = [
        json.dumps(line)
        for document in lines(version, "documents")
        for line in (
            {"index": {part: value for part, value in document.items() if part != "_source"}},
            document["_source"],
        )
    ]
    with httpx.Client(
        base_url=opensearch, timeout=60, headers={"content-type": "application/json"}
    ) as engine:
        engine.put(f"/{name}-v1", json=made | {"aliases": {name: {}}}).raise_for_status()
        answer = engine.post(f"/{name}/_bulk?refresh=true", content="".join(f"{line}\n" for line in bulk))
        assert not answer.raise_for_status().json()["errors"]
    rows = table_settings(dynamodb, name)
    index = {"INDEX": "opensearch", "OPENSEARCH_URL": opensearch, "OPENSEARCH_ALIAS": name}
    patient = {"OPENSEARCH_TIMEOUT": "60", "OPENSEARCH_WRITE_TIMEOUT": "60"}
    return rows | index | patient | {"OPENSEARCH_REFRESH": "true"}  # a busy machine is no outage


def kinds(document: str) -> dict[str, list[tuple[re.Pattern[str], re.Pattern[str]]]]:
    """The kinds of rows that docs/data-model.md lists, each with the keys that its rows may have."""
    table = document.split("## Rows", 1)[1].split("\n- **", 1)[0]
    found = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) < 3 or "`" not in cells[1]:
            continue
        partitions, (sort_key,) = re.findall("`([A-Z][^`]*)`", cells[1]), re.findall("`([^`]+)`", cells[2])
        found[cells[0]] = [(_pattern(each), _pattern(sort_key)) for each in partitions]
    return found


def _pattern(key: str) -> re.Pattern[str]:
    """The form of a document's key in the table, behind the tenant."""
    parts = re.split(r"(\{\w+\})", key)
    return re.compile("".join("[^#]+" if part.startswith("{") else re.escape(part) for part in parts))


def _text(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()
