"""The context of every layer over HTTP on one machine, with 10 000 memories of each layer that grows.

Each call is a turn of a conversation: it names the user and the agent, keeps the conversation's
injection ledger, and asks for 2 000 tokens.
"""

import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, latencies
from benchmarks.server import Client, running
from benchmarks.text import Writer

SIZE = 10_000
WARM_UP, CALLS = 30, 300
TURNS = 10
"""Turns of one conversation: its ledger grows, and what it holds is left out."""
GOAL = 60.0
"""Milliseconds, of the median."""

PROJECT, USER, AGENT = "bench", "ann", "guide"
_PAGE = 5_000
_BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def run() -> list[Figure]:
    """Fill a store, then measure the plain context and the one of every layer, both unread and read."""
    writer = Writer(11)
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder, running(Path(folder)) as server:
        client = server.client()
        fill(client, writer)
        unread = _measured(client, writer, "unread", GOAL)
        read = _measured(client, writer, "read by the reranker", None)
        client.close()
    return [*unread, *read]


def _measured(client: Client, writer: Writer, how: str, goal: float | None) -> list[Figure]:
    questions = iter(writer.questions(2 * (WARM_UP + CALLS)))
    floor = {} if goal is None else {"min_relevance": 0}  # nothing is read for it, and everything is given
    plain = _timed(client, list(islice(questions, WARM_UP + CALLS)), floor, every_layer=False)
    whole = _timed(client, list(islice(questions, WARM_UP + CALLS)), floor, every_layer=True)
    return [
        *latencies(f"context, plain, {how}", plain),
        *latencies(f"context of every layer, {how}", whole, goal),
    ]


def fill(client: Client, writer: Writer) -> None:
    """`SIZE` observations, summarised sessions and episodes."""
    observations = writer.observations(PROJECT, SIZE)
    for start in range(0, SIZE, _PAGE):
        client.post("/import", {"observations": observations[start : start + _PAGE]})
        client.post("/import", {"sessions": [_session(writer, n) for n in range(start, start + _PAGE)]})
    for number in range(SIZE):
        episode = {
            "conversation_id": f"talk-{number}",
            "agent_id": AGENT,
            "user_id": USER,
            "summary": writer.memory(),
        }
        client.post("/episodic/store", episode)


def _session(writer: Writer, number: int) -> dict[str, Any]:
    started = _BEGAN + timedelta(minutes=number)
    return {
        "id": f"session-{number}",
        "project": PROJECT,
        "started_at": started.isoformat(),
        "ended_at": (started + timedelta(minutes=5)).isoformat(),
        "summary": f'Session with 14 messages. Started: "{writer.question()}" — Ended: "{writer.question()}"',
        "message_count": 14,
    }


def _timed(
    client: Client, questions: list[str], floor: Mapping[str, int], *, every_layer: bool
) -> list[float]:
    times = []
    for number, question in enumerate(questions):
        asked: dict[str, object] = {"project": PROJECT, "query": question, **floor}
        if every_layer:
            asked |= {
                "agent_id": AGENT,
                "user_id": USER,
                "conversation_id": f"conversation-{number // TURNS}",
                "turn_id": str(number),
                "token_budget": 2000,
            }
        started = time.perf_counter()
        answer = client.get("/context", **asked)
        if number >= WARM_UP:
            times.append(time.perf_counter() - started)
        if floor:  # a reader finds invented words irrelevant
            assert answer["items"] if every_layer else answer["recent_observations"]
    return times
