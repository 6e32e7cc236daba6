"""The imports of a function before its first request on AWS, and before a snapshot."""

import json
import os
import subprocess
import sys

from benchmarks.cold import DEPLOYED
from benchmarks.server import ROOT

LATER = {"numpy", "tokenizers", "opensearchpy", "boto3"}
"""Packages of which a request that searches nothing needs none."""

BEHIND_THE_STREAM = {
    "strata.domain.worth",
    "strata.services.facts.orders",
    "strata.services.knowledge.orders",
}

SCRIPT = """
import json, sys, types
registered = []
runtime = types.ModuleType("snapshot_restore_py")
runtime.register_before_snapshot = registered.append
sys.modules["snapshot_restore_py"] = runtime
sys.path.insert(0, sys.argv[1])
import app
at_first = set(sys.modules)
for load in registered:
    load()
print(json.dumps([sorted(at_first), sorted(sys.modules)]))
"""


COLLECTING = """
import gc, json, sys
import strata.cold_start
sys.path.insert(0, sys.argv[1])
gc.collect()
before = sum(each["collections"] for each in gc.get_stats())
import app
after = sum(each["collections"] for each in gc.get_stats())
kept = gc.get_freeze_count() > 1000
print(json.dumps({"collections": after - before, "enabled": gc.isenabled(), "kept": kept}))
"""


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "AWS_"))}
    return kept | DEPLOYED


def imported(function: str) -> tuple[set[str], set[str]]:
    """The modules after a function's import, and after what Lambda calls before a snapshot."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(ROOT / "functions" / function)],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    first, before_snapshot = map(set, json.loads(done.stdout.splitlines()[-1]))
    return first, before_snapshot


def test_a_search_loads_its_numbers_words_and_engine_before_a_snapshot_and_else_at_its_first_request():
    first, before_snapshot = imported("search")
    assert first & LATER == set()
    assert before_snapshot >= LATER


def test_a_search_loads_nothing_that_only_the_stream_needs():
    first, _ = imported("search")
    assert first & BEHIND_THE_STREAM == set()


def test_a_cold_start_looks_for_no_garbage_and_requests_do():
    looked = subprocess.run(
        [sys.executable, "-c", COLLECTING, str(ROOT / "functions" / "save")],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(looked.stdout.splitlines()[-1]) == {"collections": 0, "enabled": True, "kept": True}


def test_the_authorizer_loads_nothing_that_answers_requests_or_searches():
    first, _ = imported("authorizer")
    assert "aws_lambda_powertools.event_handler" not in first
    assert first & LATER == set()
