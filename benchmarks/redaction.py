"""The time that the redaction of secrets takes, of a save and of large texts."""

import base64
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.measure import Figure
from benchmarks.text import Writer
from strata.domain.redaction import redact as code_of_it
from strata.domain.redaction.redact import redact

ROUNDS = 5


def run() -> list[Figure]:
    """Measure saves of 300 bytes, and megabytes a second, in processor time."""
    writer, chance = Writer(3), Random(1)
    saves = [writer.memory()[:300] for _ in range(300)]
    noted = [
        f"{save[:220]} token_budget: 2000, see https://example.com/a/b?x=1 (request_id=7f3a)"
        for save in saves
    ]
    code = Path(code_of_it.__file__).read_text(encoding="utf-8") * 300
    return [
        Figure("a save of 300 bytes of prose", _seconds(saves) / len(saves) * 1e6, "us"),
        Figure("the same with an address and names of values", _seconds(noted) / len(noted) * 1e6, "us"),
        *(
            Figure(name, len(text) / 1e6 / _seconds([text]), "MB/s", higher_is_better=True)
            for name, text in (
                ("prose", " ".join(writer.memory() for _ in range(4_000))),
                ("code", code),
                ("base64", base64.b64encode(chance.randbytes(600_000)).decode()),
                ("the word curl, repeated", "curl " * 200_000),
            )
        ),
    ]


def _seconds(texts: Sequence[str]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for text in texts:
            redact(text)
        times.append(time.process_time() - started)
    return min(times)
