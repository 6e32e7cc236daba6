"""Processor time of importing each function in a new process, against a bare boto3 and powertools handler.

They are wired as deployed, over DynamoDB and OpenSearch, of which none is asked, and compiled like the layer.
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks.measure import Figure, median
from benchmarks.server import ROOT

ROUNDS = 9

DEPLOYED = {
    "PYDANTIC_DISABLE_PLUGINS": "__all__",
    "STRATA_AUTH": "required",
    "STRATA_STORE": "dynamodb",
    "STRATA_TABLE": "strata-cold",
    "STRATA_INDEX": "opensearch",
    "STRATA_OPENSEARCH_URL": "https://engine.invalid",
    "STRATA_OPENSEARCH_SERVICE": "es",
    "STRATA_LOG_FORMAT": "json",
    "STRATA_METRICS": "emf",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "none",
    "AWS_SECRET_ACCESS_KEY": "none",
}

BARE = """
import boto3
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

client = boto3.client("dynamodb", region_name="eu-central-1")
resolver = APIGatewayHttpResolver()


@resolver.get("/health")
def health():
    return {"status": "ok"}


def lambda_handler(event, context):
    return resolver.resolve(event, context)
"""

_TIMED = """
import sys, time
started = time.process_time()
sys.path.insert(0, sys.argv[1])
import app
print(time.process_time() - started)
"""


def run() -> list[Figure]:
    """The median of alternating rounds, so that what else the machine does hits all alike."""
    functions = sorted(path.parent for path in ROOT.glob("functions/*/app.py"))
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        bare = Path(folder) / "bare"
        bare.mkdir()
        (bare / "app.py").write_text(BARE)
        times: dict[Path, list[float]] = defaultdict(list)
        for number in range(ROUNDS + 1):
            for function in (bare, *functions):
                seconds = _import(function, Path(folder) / "data")
                if number:  # the first round compiles, and makes the store
                    times[function].append(seconds)
    yardstick = median(times[bare])
    return [Figure("cold import, bare boto3 + powertools", yardstick * 1000, "ms")] + [
        Figure(
            f"cold import, {function.name}",
            median(times[function]) * 1000,
            "ms",
            note=f"{median(times[function]) / yardstick:.2f} of the bare one",
        )
        for function in functions
    ]


def _import(function: Path, data: Path) -> float:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "MEMORY_"))}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    given = DEPLOYED | {"STRATA_DATA": str(data), "PYTHONPYCACHEPREFIX": str(data / "compiled")}
    found = subprocess.run(
        [sys.executable, "-c", _TIMED, str(function)],
        env=kept | given,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(found.stdout)
