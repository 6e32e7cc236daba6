"""The cost of importing the client, and its dependencies."""

import subprocess
import sys

import pytest

from strata import client as client_package

SERVERS = ["numpy", "aws_lambda_powertools", "Stemmer", "sqlite3", "yaml", "typer", "opentelemetry"]
NEEDED = ["httpx", "httpcore", "h11", "certifi", "idna", "anyio", "sniffio", "pydantic", "pydantic_core"]
NEEDED += ["annotated_types", "typing_extensions", "typing_inspection"]

_ALONE = f"""
import sys
from importlib.abc import MetaPathFinder

class NothingElse(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top.startswith("_sysconfigdata") or top in sys.stdlib_module_names or top in {["strata", *NEEDED]}:
            return None
        raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, NothingElse())
"""

_CALLS = """
import asyncio, httpx
from strata.client import AsyncClient, Client

def answer(request):
    return httpx.Response(200, json=[])

transport = httpx.MockTransport(answer)
with Client(transport=transport) as client:
    assert client.recent() == []

async def talk():
    async with AsyncClient(transport=transport) as client:
        assert await client.recent() == []

asyncio.run(talk())
"""


_EVERYTHING = """
import pkgutil
from importlib import import_module
import strata.client
from strata.client.calls.parts import Later

for name in strata.client.__all__:
    getattr(strata.client, name)
for module in pkgutil.walk_packages(strata.client.__path__, "strata.client."):
    for value in list(vars(import_module(module.name)).values()):
        if isinstance(value, Later):
            import_module(value._module)
"""


def run(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_client_works_where_only_httpx_and_pydantic_are_installed():
    run(_ALONE + _CALLS)
    run(_ALONE + _EVERYTHING)


def test_importing_the_client_loads_nothing_of_the_server():
    loaded = "import sys, strata.client as c; c.Client, c.AsyncClient; print(*sys.modules, sep='\\n')"
    modules = run(loaded).splitlines()
    ours = {name for name in modules if name.startswith("strata.")}
    assert {name for name in ours if not name.startswith("strata.client")} == set()
    assert {name.partition(".")[0] for name in modules}.isdisjoint([*SERVERS, "pydantic"])


def test_importing_the_package_alone_loads_nothing_at_all():
    loaded = "import sys, strata.client; print(*sys.modules, sep='\\n')"
    assert "httpx" not in run(loaded).splitlines()


def test_every_public_name_is_there_and_no_other():
    assert all(getattr(client_package, name) for name in client_package.__all__)
    assert set(client_package.__all__) <= set(dir(client_package))
    with pytest.raises(AttributeError):
        client_package.Nothing  # noqa: B018
