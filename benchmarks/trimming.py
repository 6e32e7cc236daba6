"""The time in which a conversation is trimmed into a budget, and whether that grows with it and no faster."""

import time
from collections.abc import Iterator
from itertools import islice

from benchmarks.measure import Figure, median
from strata.client.working_memory import Message, Text, ToolCall, ToolResult, WorkingMemory

ROUNDS = 9
SMALL, LARGE = 10_000, 100_000


def run() -> list[Figure]:
    """Medians of some rounds; each trims half of the tokens away."""
    small, large = list(islice(_talk(), SMALL)), list(islice(_talk(), LARGE))
    added, trimmed = zip(*[_seconds(small) for _ in range(ROUNDS)], strict=True)
    _, trimmed_large = zip(*[_seconds(large) for _ in range(ROUNDS)], strict=True)
    growth = median(trimmed_large) / median(trimmed)
    return [
        Figure(f"trim {SMALL:,} messages", median(trimmed) * 1000, "ms", 50),
        Figure(f"add {SMALL:,} messages, which counts their tokens", median(added) * 1000, "ms"),
        Figure(f"trim {LARGE:,} messages", median(trimmed_large) * 1000, "ms", note=f"{growth:.1f} x"),
    ]


def _seconds(messages: list[Message]) -> tuple[float, float]:
    memory = WorkingMemory(max_history_tokens=None, max_messages=None)
    begun = time.perf_counter()
    memory.add(*messages)
    added = time.perf_counter()
    memory.trim_to_token_budget(memory.tokens // 2)
    return added - begun, time.perf_counter() - added


def _talk() -> Iterator[Message]:
    """Turns of a request, two tools called in parallel, one more whose id is used in each turn, an answer."""
    turn = 0
    while True:
        turn += 1
        ids = [f"{turn}-1", f"{turn}-2"]
        yield Message.of("user", f"Is service {turn} healthy, and since when? " * 3)
        yield Message("assistant", tuple(ToolCall(each, "status", '{"service": "web"}') for each in ids))
        yield from (Message("tool", (ToolResult(each, (Text("up since Monday " * 20),)),)) for each in ids)
        yield Message("assistant", (Text("One more look."), ToolCall("call_0", "uptime")))
        yield Message("tool", (ToolResult("call_0", (Text("12 days"),)),))
        yield Message.of("assistant", "It is healthy, and has been up since Monday. " * 5)
