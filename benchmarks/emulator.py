"""The cost of a cold start in Lambda's runtime emulator, against a bare boto3 and powertools handler.

Needs what `make build .servers/lambda/runtime` makes. Two figures a function, from the start of the process:
`init`, until a request is refused for want of claims (imports and wiring), and `first answer`, until the
function's sample event is answered from DynamoDB Local and OpenSearch (connections and word vectors too).
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.cold import BARE
from benchmarks.measure import Figure, median
from benchmarks.server import ROOT

ROUNDS = 7
GOALS = {"save": 1.5, "search": 2.0, "context": 2.0}
"""At most so many times the bare handler's init."""

LAYER = ROOT / ".aws-sam" / "build" / "StrataLayer" / "python"
RUNTIME = ROOT / ".servers" / "lambda" / "runtime"
EMULATOR = ROOT / ".venv-tools/sam/lib/python3.11/site-packages/samcli/local/rapid" / "aws-lambda-rie-x86_64"
_STORE = """
    client.describe_table(TableName="strata-bench")
"""


def run() -> list[Figure]:
    """Medians of alternating rounds, so that what else the machine does hits all alike."""
    absent = [str(path.relative_to(ROOT)) for path in (LAYER, RUNTIME, EMULATOR) if not path.exists()]
    if absent:
        return [Figure(f"not measured, missing: {', '.join(absent)}", 0, "")]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="strata-bench-")))
        environment = stack.enter_context(_stores())
        codes = {"bare": folder / "bare"} | {name: ROOT / "functions" / name for name in GOALS}
        codes["bare"].mkdir()
        (codes["bare"] / "app.py").write_text(
            BARE.replace('    return {"status"', f'{_STORE}    return {{"status"')
        )
        emulator = Path(shutil.copy(EMULATOR, folder / "rie"))
        emulator.chmod(0o755)
        times: dict[tuple[str, str], list[float]] = defaultdict(list)
        for number in range(ROUNDS + 1):
            for name, code in codes.items():
                for what, event in _events(name).items():
                    seconds = _first(emulator, code, event, environment)
                    if number:  # the first round fills the page cache
                        times[name, what].append(seconds)
    return list(_figures(times))


def _figures(times: Mapping[tuple[str, str], list[float]]) -> Iterator[Figure]:
    for what in ("init", "first answer"):
        bare = median(times["bare", what])
        yield Figure(f"{what}, bare boto3 + powertools", bare * 1000, "ms")
        for name, goal in GOALS.items():
            yield Figure(f"{what}, {name}", median(times[name, what]) * 1000, "ms")
            ratio = median(times[name, what]) / bare
            yield Figure(
                f"{what}, {name}: times the bare one",
                ratio,
                "x",
                goal=goal if what == "init" else None,
                higher_is_better=False,
            )


def _events(name: str) -> dict[str, dict[str, Any]]:
    event = json.loads((ROOT / "events" / f"{'health' if name == 'bare' else name}.json").read_text())
    refused = json.loads(json.dumps(event))
    if name == "bare":
        refused["rawPath"] = refused["requestContext"]["http"]["path"] = "/nowhere"
    else:
        del refused["requestContext"]["authorizer"]
    return {"init": refused, "first answer": event}


def _first(emulator: Path, code: Path, event: Mapping[str, Any], given: Mapping[str, str]) -> float:
    """Seconds from the start of the runtime to its first answer."""
    port, other = _free_port(), _free_port()
    addresses = ["--runtime-interface-emulator-address", f"127.0.0.1:{port}"]
    addresses += ["--runtime-api-address", f"127.0.0.1:{other}"]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{code}:{LAYER}:{RUNTIME}",
        "LAMBDA_TASK_ROOT": str(code),
        "_HANDLER": "app.lambda_handler",
        "AWS_LAMBDA_FUNCTION_NAME": code.name,
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "1024",
        "AWS_REGION": "eu-west-1",
        "AWS_DEFAULT_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "anything",
        "AWS_SECRET_ACCESS_KEY": "anything",
        **given,
    }
    python = str(Path(sys.base_prefix) / "bin" / "python3.11")
    command = [
        str(emulator),
        "--log-level",
        "error",
        *addresses,
        python,
        "-m",
        "awslambdaric",
        "app.lambda_handler",
    ]
    process = subprocess.Popen(
        command, env=environment, cwd=code, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait_for(port)
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/2015-03-31/functions/function/invocations",
            data=json.dumps(event).encode(),
        )
        started = time.perf_counter()  # the emulator starts the runtime with the first invocation
        with urllib.request.urlopen(request, timeout=60) as response:
            answer = json.load(response)
        seconds = time.perf_counter() - started
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    expected = {401, 404} if "authorizer" not in event["requestContext"] else {200, 201}
    if event["rawPath"] == "/health":
        expected = {200}
    if answer.get("statusCode") not in expected:
        raise RuntimeError(f"{code.name} answered {answer}")
    return seconds


@contextmanager
def _stores() -> Iterator[dict[str, str]]:
    sys.path.insert(0, str(ROOT / "tests"))
    from servers.dynamodb import dynamodb
    from servers.opensearch import opensearch
    from servers.tables import dynamodb_client
    from strata.local.template.dynamodb import create_table

    with dynamodb() as table, opensearch() as index:
        create_table(dynamodb_client(table), "strata-bench")
        yield {
            "STRATA_AUTH": "required",
            "PYDANTIC_DISABLE_PLUGINS": "__all__",  # as the template says
            "STRATA_STORE": "dynamodb",
            "STRATA_TABLE": "strata-bench",
            "STRATA_DYNAMODB_ENDPOINT": table,
            "AWS_ENDPOINT_URL_DYNAMODB": table,
            "STRATA_INDEX": "opensearch",
            "STRATA_OPENSEARCH_URL": index,
        }


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.01)
    raise RuntimeError("the emulator did not start")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
