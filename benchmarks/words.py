"""The cost of a search over memories of English, of ids, of log lines and of words that nobody knows."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

from benchmarks.measure import Figure
from benchmarks.server import Server, running
from benchmarks.text import Writer

MEMORIES, CHARACTERS = 200, 10_000
QUESTIONS = (
    "how do we deploy the service",
    "rollback of a failed release",
    "database timeouts",
    "who is on call",
)
LETTERS = str.maketrans("0123456789", "ghijklmnop")


def run() -> list[Figure]:
    """Measure each kind of text in a store of its own; the ratios are to English."""
    writer, chance = Writer(5), Random(11)

    def hex_id() -> str:
        return f"{chance.getrandbits(64):016x}"

    def word() -> str:
        return f"{chance.getrandbits(4 * chance.randint(6, 10)):x}".translate(LETTERS)

    def log_line() -> str:
        number = chance.randrange(10_000)
        return f"08:14:{number % 60:02} INFO id={hex_id()}-{hex_id()} path=/items/{word()} ms={number}\n"

    english = _milliseconds(writer.memory)
    kinds = {"hex ids": hex_id, "unknown words": word, "log lines": log_line}
    return [
        Figure(f"processor time, a search of {MEMORIES} x 10 KB of English", english, "ms"),
        *(
            Figure(f"the same of {name}, times English", _milliseconds(piece) / english, "x", 3)
            for name, piece in kinds.items()
        ),
    ]


def _milliseconds(piece: Callable[[], str]) -> float:
    """Processor milliseconds of the server for each search, the first with empty caches among them."""
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        with running(Path(folder)) as server:
            _load(server, piece)
        with running(Path(folder)) as server:
            client = server.client()
            before = server.processor_seconds()
            for question in QUESTIONS:
                client.get("/search", q=question, project="bench")
            used = server.processor_seconds() - before
            client.close()
    return used / len(QUESTIONS) * 1000


def _load(server: Server, piece: Callable[[], str]) -> None:
    client = server.client()
    for page in range(0, MEMORIES, 50):
        rows = []
        for number in range(page, page + 50):
            text = "deploy release "
            while len(text) < CHARACTERS:
                text += piece() + " "
            rows.append(
                {
                    "session_id": "bench",
                    "project": "bench",
                    "type": "note",
                    "title": f"note {number}",
                    "content": text[:CHARACTERS],
                    "created_at": f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z",
                }
            )
        client.post("/import", {"observations": rows})
    client.close()
