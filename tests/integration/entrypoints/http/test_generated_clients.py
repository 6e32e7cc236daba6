"""Clients that are generated from openapi.json: they compile, and save and search on a running server."""

import os
import subprocess
from pathlib import Path

import pytest

import strata
from servers import generators

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("generated clients")]

DOCUMENT = Path(strata.__file__).with_name("openapi.json")
FOUND = "No deploys on Fridays"

WITH_TYPES = """
import type { components, paths } from "./types";
declare const process: { argv: string[] };
type Body = components["schemas"]["NewObservation"];
type Query = paths["/search"]["get"]["parameters"]["query"];
type Hits = paths["/search"]["get"]["responses"][200]["content"]["application/json"];

const rule = { session_id: "s", project: "types", type: "decision", content: "Never." };
const body: Body = { ...rule, title: "No deploys on Fridays" };
// @ts-expect-error a title is needed
const untitled: Body = rule;
const query: Query = { q: "deploys", project: "types", limit: 5 };

async function main(): Promise<void> {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  const saved = await fetch(`${process.argv[2]}/observations`, request);
  const named = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const parameters = new URLSearchParams(named);
  const hits: Hits = await (await fetch(`${process.argv[2]}/search?${parameters}`)).json();
  console.log(saved.status, untitled.title, hits[0].title);
}
main();
"""
WITH_FETCH = """
import { Configuration, ObservationsApi, SessionsApi } from "./fetch";
declare const process: { argv: string[] };

async function main(): Promise<void> {
  const configuration = new Configuration({ basePath: process.argv[2] });
  const observations = new ObservationsApi(configuration);
  const newSession = { id: "fetch", project: "fetch" };
  const session = await new SessionsApi(configuration).startSession({ newSession });
  const saved = await observations.saveObservation({
    newObservation: {
      session_id: session.id, project: "fetch", type: "decision",
      title: "No deploys on Fridays", content: "Never.",
    },
  });
  const hits = await observations.searchObservations({ q: "deploys", project: "fetch" });
  console.log(saved.action, hits[0].id === saved.id, hits[0].title);
}
main();
"""
WITH_PYTHON = """
import sys
from generated import Client
from generated.api.observations import get_observation, save_observation, search_observations
from generated.models import Error, NewObservation

client = Client(base_url=sys.argv[1])
rule = {"session_id": "s", "project": "python", "type": "decision", "content": "Never."}
body = NewObservation.from_dict(rule | {"title": "No deploys on Fridays"})
saved = save_observation.sync(client=client, body=body)
hits = search_observations.sync(client=client, q="deploys", project="python")
missing = get_observation.sync(client=client, id=1)
assert isinstance(missing, Error), missing
print(saved.action, hits[0].id == saved.id, missing.code, hits[0].title)
"""


@pytest.fixture(scope="module")
def tools():
    missing = generators.missing_tools()
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"generated clients can't be tested: {missing}")
    if missing:
        pytest.skip(f"NOT TESTED with generated clients: {missing}")
    return generators.Generators()


def ran(*command: str | Path, folder: Path) -> str:
    environment = {"PATH": os.environ["PATH"], "NO_PROXY": "*"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_openapi_typescript(tools, address, tmp_path):
    tools.types(DOCUMENT, tmp_path / "types.ts")
    (tmp_path / "program.ts").write_text(WITH_TYPES)
    tools.compiled(tmp_path, "program.ts")
    assert ran("node", "program.js", address, folder=tmp_path) == f"201 undefined {FOUND}"


def test_openapi_generator(tools, address, tmp_path):
    tools.fetch(DOCUMENT, tmp_path / "fetch")
    (tmp_path / "program.ts").write_text(WITH_FETCH)
    tools.compiled(tmp_path, "program.ts")
    assert ran("node", "program.js", address, folder=tmp_path) == f"created true {FOUND}"


def test_openapi_python_client(tools, address, tmp_path):
    tools.client(DOCUMENT, tmp_path / "generated")
    said = ran(tools.python, "-W", "error", "-c", WITH_PYTHON, address, folder=tmp_path)
    assert said == f"created True not_found {FOUND}"
