"""Backups of a store that a real server writes, and restores of them, with two tenants and two people."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from strata import settings
from strata.bootstrap import Application
from strata.domain.scope import Scope
from strata.services.credentials.keys import NewKey
from support.served_api import served

COMMAND = [sys.executable, "-c", "from strata.cli import main; main()"]
TENANTS = ("acme", "zeta")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def strata(tmp_path: Path) -> Run:
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "MEMORY_"))
    }

    def run(*arguments: str, code: int = 0, data: str = "data", **more: str):
        result = subprocess.run(
            [*COMMAND, *arguments],
            capture_output=True,
            text=True,
            env={**inherited, "STRATA_DATA": str(tmp_path / data), "STRATA_PROJECT": "shop", **more},
            cwd=tmp_path,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in result.stderr
        assert result.returncode == code, result.stderr + result.stdout
        return result

    return run


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[Callable[..., Application]]:
    """The store in a folder, opened by this process until the next one is asked for, or the test ends."""
    opened: list[Application] = []

    def store(data: str = "data") -> Application:
        close()
        opened.append(Application(settings.load({"STRATA_DATA": str(tmp_path / data)})))
        return opened[0]

    def close() -> None:
        while opened:
            opened.pop().close()

    store.close = close  # type: ignore[attr-defined]
    yield store
    close()


@pytest.fixture
def keys(stored: Any) -> dict[str, NewKey]:
    made = stored().credentials.keys
    keys = {each: made.create(each, scopes=["admin"]) for each in TENANTS}
    keys["lost"] = made.create("acme", scopes=["read"])
    stored.close()
    return keys


@contextmanager
def serving(tmp_path: Path) -> Iterator[str]:
    """A real server that asks for keys; gives its address."""
    with served(tmp_path / "data", STRATA_AUTH="required", STRATA_ERASURE_SETTLE="0") as api:
        yield str(api.base_url).rstrip("/")


@contextmanager
def client(url: str, key: NewKey) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=url, headers={"Authorization": f"Bearer {key.key}"}, timeout=60, trust_env=False
    ) as opened:
        yield opened


def save(api: httpx.Client, content: str, **more: Any) -> int:
    body = {"session_id": "s1", "type": "note", "title": "t", "project": "shop", "content": content}
    answer = api.post("/observations", json=body | more)
    assert answer.status_code == 201, answer.text
    return int(answer.json()["id"])


def contents(app: Application, tenant: str) -> list[str]:
    """The contents of a tenant's memories, oldest first."""
    page = app.transfer.exporter.page(Scope(tenant), None, None)
    return [each.content for each in sorted(page.observations, key=lambda row: row.id)]


def test_a_backup_of_a_store_that_is_written_is_one_moment_of_it(strata, keys, stored, tmp_path):
    acknowledged = dict.fromkeys(TENANTS, 0)
    enough = threading.Event()

    def write(url: str, tenant: str) -> None:
        with client(url, keys[tenant]) as api:
            while not enough.is_set():
                save(api, f"{tenant} writes number {acknowledged[tenant]}")
                acknowledged[tenant] += 1

    with serving(tmp_path) as url:
        writers = [threading.Thread(target=write, args=(url, each)) for each in TENANTS]
        for writer in writers:
            writer.start()
        try:
            while min(acknowledged.values()) < 5:
                assert all(writer.is_alive() for writer in writers)
                time.sleep(0.01)
            before = dict(acknowledged)
            told = json.loads(strata("backup", "copy.db", "--json").stdout)
            refused = strata("restore", "copy.db", code=1)
        finally:
            enough.set()
            for writer in writers:
                writer.join()
        assert "stop the server first" in refused.stderr
        with client(url, keys["acme"]) as api:
            save(api, "the refused restore changed nothing")
    assert told["bytes"] == (tmp_path / "copy.db").stat().st_size
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600

    strata("restore", "copy.db", data="elsewhere")
    copy = stored("elsewhere")
    for tenant in TENANTS:
        kept = contents(copy, tenant)
        assert kept == [f"{tenant} writes number {each}" for each in range(len(kept))]
        assert before[tenant] <= len(kept) <= acknowledged[tenant]
    assert copy.repair.verifier.verify().differences == 0
    assert [each.name for each in (tmp_path / "elsewhere").iterdir() if "restore" in each.name] == []


def erase(api: httpx.Client, person: str) -> str:
    begun = api.delete(f"/api/rgpd/users/{person}/ai-data").json()["data"]["erasure_id"]
    deadline = time.monotonic() + 60
    while api.get(f"/api/rgpd/erasures/{begun}").json()["data"]["status"] != "done":
        assert time.monotonic() < deadline, "the erasure was not done"
        time.sleep(0.1)
    return begun


def test_a_restore_brings_nothing_back_that_was_given_up_since(strata, keys, stored, tmp_path):
    ids: dict[tuple[str, str], int] = {}
    with serving(tmp_path) as url:
        for tenant in TENANTS:
            with client(url, keys[tenant]) as api:
                for what in ("stays", "goes to the trash", "is deleted for good"):
                    ids[tenant, what] = save(api, f"what {what} in {tenant}")
                for person in ("ann", "bob"):
                    said = {"session_id": f"of {person}", "user_id": person}
                    ids[tenant, person] = save(api, f"{person} likes {tenant}", **said)
        strata("backup", "copy.db")
        with client(url, keys["acme"]) as api:
            save(api, "written after the backup")
            api.delete(f"/observations/{ids['acme', 'goes to the trash']}").raise_for_status()
            api.delete(
                f"/observations/{ids['acme', 'is deleted for good']}", params={"hard": "true"}
            ).raise_for_status()
            erasure = erase(api, "ann")
            api.put("/api/rgpd/users/bob/consent", json={"ai_consent": False}).raise_for_status()
    stored().credentials.keys.revoke(keys["lost"].info.id)
    stored.close()

    told = json.loads(strata("restore", "copy.db", "--json").stdout)
    assert {name: told[name] for name in ("erased", "refused", "deleted")} == {
        "erased": 1,
        "refused": 1,
        "deleted": 2,
    }
    kept = Path(told["kept"])
    with sqlite3.connect(f"file:{kept}?mode=ro", uri=True) as before:
        assert before.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with serving(tmp_path) as url:
        with client(url, keys["lost"]) as api:
            assert api.get("/stats").status_code == 401
        with client(url, keys["acme"]) as api:
            gone = ("goes to the trash", "is deleted for good", "ann")
            assert {api.get(f"/observations/{ids['acme', each]}").status_code for each in gone} == {404}
            assert api.get(f"/observations/{ids['acme', 'stays']}").status_code == 200
            found = api.get("/search", params={"q": "likes acme", "project": "shop"}).json()
            assert [each["id"] for each in found] == [ids["acme", "bob"]]
            assert api.get(f"/api/rgpd/erasures/{erasure}").json()["data"]["status"] == "done"
            consent = api.get("/api/rgpd/users/bob/consent").json()["data"]
            assert consent["ai_consent"] is False
            log = api.get("/api/rgpd/audit-log").json()["data"]
            assert {each["event"] for each in log} == {"data_suppressed", "consent_refused"}
            assert not any(each["externalRef"] == "ann" for each in log)
        with client(url, keys["zeta"]) as api:
            assert all(
                api.get(f"/observations/{number}").status_code == 200
                for (tenant, _), number in ids.items()
                if tenant == "zeta"
            )
    assert stored().repair.verifier.verify().differences == 0
    stored.close()
    assert "--force" in strata("restore", "copy.db", code=1).stderr
    strata("restore", "copy.db", "--resurrect", "--force")
    assert [len(contents(stored(), each)) for each in TENANTS] == [5, 5]


def test_over_a_store_that_was_emptied_only_resurrect_restores(strata, tmp_path):
    strata("save", "Herons fish at the weir")
    strata("backup", "copy.db")
    store = tmp_path / "data" / "strata.db"
    store.write_bytes(b"")
    assert "--resurrect restores it all the same" in strata("restore", "copy.db", code=1).stderr
    assert store.read_bytes() == b""
    strata("restore", "copy.db", "--resurrect")
    assert "Herons" in strata("search", "herons").stdout
