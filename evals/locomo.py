"""Retrieval quality on LoCoMo, turn level, through HTTP: `python -m evals.locomo PATH`.

Each turn is one observation, each session a session, each conversation a project; every question is asked
through GET /search. Prints the recall of the evidence at 5, 10 and 20, by category.
"""

import argparse
import json
import secrets
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.engines import stores
from benchmarks.server import Client, running

from evals.dataset import Conversation, TurnId, load
from evals.recall import DEPTHS, Asked, by_category

LIMIT = 20
CLIENTS = 4
"""Conversations that are saved at the same time; the turns of one are saved in order."""

Saved = Mapping[int, Sequence[TurnId]]
"""The turns that an observation's id stands for: two, when one was said twice in the same words."""


def save(url: str, project: str, conversation: Conversation) -> Saved:
    """Save a conversation's turns."""
    client = Client(url)
    saved: dict[int, list[TurnId]] = defaultdict(list)
    for session in dict.fromkeys(turn.id[0] for turn in conversation.turns):
        client.post("/sessions", {"id": f"{project}-{session}", "project": project})
    for turn in conversation.turns:
        observation = {
            "session_id": f"{project}-{turn.id[0]}",
            "project": project,
            "type": "discovery",
            "title": turn.speaker,
            "content": turn.memory,
        }
        saved[client.post("/observations", observation)["id"]].append(turn.id)
    client.close()
    return saved


def ask(
    url: str, project: str, conversation: Conversation, saved: Saved, how: Mapping[str, str | None]
) -> Iterator[Asked]:
    """Ask every question about a conversation, one after the other; `how` has further parameters."""
    client = Client(url)
    for question in conversation.questions:
        started = time.perf_counter()
        hits = client.get("/search", q=question.text, project=project, limit=LIMIT, **how)
        seconds = time.perf_counter() - started
        yield Asked(question, [saved.get(hit["id"], ()) for hit in hits], seconds)
    client.close()


def evaluate(
    url: str, conversations: Sequence[Conversation], mode: str | None, *, rerank: bool = False
) -> dict[str, Any]:
    """Save, ask, and sum up. Projects get names of their own, so that a store may hold others."""
    run = secrets.token_hex(3)
    projects = [f"{conversation.name}-{run}" for conversation in conversations]
    started = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        saved = list(pool.map(save, [url] * len(projects), projects, conversations))
    loading = time.perf_counter() - started
    client = Client(url)
    for project in projects:
        client.wait_for_vectors(project)
    client.close()
    indexing = time.perf_counter() - started
    how = {"mode": mode, "rerank": "true" if rerank else None}
    answers = [
        asked
        for project, conversation, ids in zip(projects, conversations, saved, strict=True)
        for asked in ask(url, project, conversation, ids, how)
    ]
    times = sorted(asked.seconds * 1000 for asked in answers)
    return {
        "mode": mode or "default",
        "conversations": len(conversations),
        "memories": sum(len(conversation.turns) for conversation in conversations),
        "questions": len(answers),
        "recall": by_category(answers),
        "search_ms": {
            "median": statistics.median(times),
            "p99": times[min(len(times) - 1, len(times) * 99 // 100)],
        },
        "loading_seconds": loading,
        "indexing_seconds": indexing,
    }


def show(result: Mapping[str, Any]) -> str:
    """The result as people read it."""
    lines = [f"{'recall at':12}" + "".join(f"{depth:>8}" for depth in DEPTHS)]
    for name, recalls in result["recall"].items():
        lines.append(f"{name:12}" + "".join(f"{recalls[depth]:8.3f}" for depth in DEPTHS))
    times = result["search_ms"]
    return "\n".join(
        [
            *lines,
            f"{result['questions']} questions over {result['memories']} memories in "
            f"{result['conversations']} projects; mode {result['mode']}",
            f"search: median {times['median']:.1f} ms, p99 {times['p99']:.1f} ms; "
            f"saved in {result['loading_seconds']:.1f} s, indexed after {result['indexing_seconds']:.1f} s",
        ]
    )


@contextmanager
def _service(url: str | None, embedder: str, *, engines: bool = False) -> Iterator[str]:
    if url is not None:
        yield url
        return
    if engines:
        with (
            stores() as settings,
            tempfile.TemporaryDirectory(prefix="strata-evals-") as folder,
            running(Path(folder), **settings, EMBEDDER=embedder) as server,
        ):
            yield server.url
        return
    with (
        tempfile.TemporaryDirectory(prefix="strata-evals-") as folder,
        running(Path(folder), EMBEDDER=embedder) as server,
    ):
        yield server.url


def main() -> int:
    """Run from the command line; the exit code is 1 when the recall at 10 is under the floor."""
    parser = argparse.ArgumentParser(prog="python -m evals.locomo", description=(__doc__ or "").split(":")[0])
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file")
    parser.add_argument(
        "--mode", choices=("hybrid", "bm25", "vector"), help="how to search; the server's default"
    )
    parser.add_argument("--embedder", choices=("static", "e5"), default="static", help="what makes vectors")
    parser.add_argument("--url", help="ask this server instead of one that is started over an empty store")
    parser.add_argument(
        "--engines", action="store_true", help="store in DynamoDB Local and OpenSearch, started for it"
    )
    parser.add_argument("--rerank", action="store_true", help="let the reranker read the best hits")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures into this file too")
    parser.add_argument(
        "--at-least", type=float, default=0.0, metavar="R", help="fail under this recall at 10"
    )
    options = parser.parse_args()
    conversations = load(options.path)
    with _service(options.url, options.embedder, engines=options.engines) as url:
        result = evaluate(url, conversations, options.mode, rerank=options.rerank)
    print(show(result))
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")
    reached = result["recall"]["overall"][10]
    if reached < options.at_least:
        print(f"recall at 10 is {reached:.3f}, under the floor of {options.at_least}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
