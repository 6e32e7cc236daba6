"""Run every test; the few that failed beside the others run once more, alone, and are named.

A busy machine may keep a real server from answering in time, which says nothing about the code. A test that
fails alone too fails the run, and so do more than `FEW` failures.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FEW = 5
PYTEST = [sys.executable, "-m", "pytest"]
BESIDE = ["-n", "logical", "--dist", "loadgroup", "--no-loadscope-reorder"]
ALONE = ["-n", "0"]
_GROUP = re.compile(r"@[\w-]+\Z")
"""The group that a test ran in, which is no part of its name when it runs alone."""
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Hundreds of processes import the same modules: compiled once, they start in two thirds of the time."""
SOME_FAILED = 1
"""pytest's exit code for a run that ended and had failures."""


def main(chosen: list[str]) -> int:
    """The exit code of the last run of pytest; `chosen` are arguments for the first one."""
    with tempfile.TemporaryDirectory(prefix="strata-tests-") as folder:
        kept = ["-o", f"cache_dir={folder}"]
        code = _run([*kept, *BESIDE, *chosen])
        failed = _failed(Path(folder))
        if code != SOME_FAILED or not 0 < len(failed) <= FEW:
            return code
        named = "".join(f"  {each}\n" for each in failed)
        sys.stderr.write(f"\nFAILED BESIDE THE OTHERS, once more alone:\n{named}")
        return _run([*kept, *ALONE, *(_GROUP.sub("", each) for each in failed)])


def _run(arguments: list[str]) -> int:
    return subprocess.run([*PYTEST, *arguments], env=ENVIRONMENT, check=False).returncode


def _failed(cache: Path) -> list[str]:
    file = cache / "v" / "cache" / "lastfailed"
    return sorted(json.loads(file.read_text())) if file.exists() else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
