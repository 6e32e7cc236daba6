"""Run benchmarks and print their figures: `python -m benchmarks [name ...] [--json FILE]`."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import (
    beside,
    chats,
    client,
    cold,
    contexts,
    emulator,
    engines,
    entities,
    erasure,
    hooks,
    indexing,
    layers,
    redaction,
    retrieval,
    saves,
    startup,
    structure,
    sweeps,
    tenants,
    trimming,
    words,
)
from benchmarks.measure import Figure

BENCHMARKS: dict[str, Callable[[], list[Figure]]] = {
    "startup": startup.run,
    "saves": saves.run,
    "saves-long": saves.run_long,
    "beside": beside.run,
    "retrieval": retrieval.run,
    "cold": cold.run,
    "chats": chats.run,
    "hooks": hooks.run,
    "client": client.run,
    "emulator": emulator.run,
    "engines": engines.run,
    "entities": entities.run,
    "layers": layers.run,
    "contexts": contexts.run,
    "erasure": erasure.run,
    "redaction": redaction.run,
    "trimming": trimming.run,
    "words": words.run,
    "structure": structure.run,
    "sweeps": sweeps.run,
    "indexing": indexing.run,
    "indexing-engines": indexing.run_engines,
    "tenants": tenants.run,
    "tenants-large": tenants.run_large,
}
_MARKS = {True: "reached", False: "missed", None: ""}


def show(figures: Sequence[Figure]) -> str:
    """A table, one figure a line."""
    width = max(len(figure.name) for figure in figures)
    lines = []
    for figure in figures:
        sign = ">=" if figure.higher_is_better else "<="
        goal = f"  {sign} {figure.goal:g}: {_MARKS[figure.reached]}" if figure.goal is not None else ""
        value = f"{figure.value:10.0f}" if figure.value >= 100 else f"{figure.value:10.2f}"
        lines.append(
            f"{figure.name:{width}} {value} {figure.unit:3}{goal}{'  ' + figure.note if figure.note else ''}"
        )
    return "\n".join(line.rstrip() for line in lines)


def main() -> int:
    """Run from the command line. A missed goal is shown, and is no failure: machines differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed and memory here.")
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures into this file too")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    machine = f"{os.cpu_count()} processors, {platform.machine()}, Python {platform.python_version()}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}, load {os.getloadavg()[0]:.1f}", flush=True)
    results: dict[str, list[Figure]] = {}
    for name in options.names or BENCHMARKS:
        results[name] = BENCHMARKS[name]()
        print(f"\n{name}\n{show(results[name])}", flush=True)
    if options.json:
        figures = {name: [asdict(figure) for figure in of_one] for name, of_one in results.items()}
        options.json.write_text(json.dumps({"machine": machine, "figures": figures}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
