"""Questions about people, over HTTP: `python -m evals.questions PATH`, with LoCoMo's JSON file.

Every turn is an event of its speaker, in sessions of theirs alone; every question is put to the one speaker
whom it names. Prints the share of the evidence among the sources of the answer, and how well its confidence
tells questions about what that speaker said from the others. No language model is set.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.server import Client, running

from evals.dataset import CATEGORIES, TurnId, conversation, evidence

UNANSWERABLE = 5
"""LoCoMo's category of questions about what the other speaker said, or nobody."""
_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was put to a person.

    Attributes:
        category: LoCoMo's.
        gold: the turns with its evidence.
        own: whether one of them is the person's.
        confidence: of the answer.
        sources: the turns that its sources are.
    """

    category: int
    gold: frozenset[TurnId]
    own: bool
    confidence: float
    sources: Sequence[TurnId]

    @property
    def recall(self) -> float:
        """The share of the evidence among the sources."""
        return len(self.gold & {*self.sources}) / len(self.gold)


def put(url: str, sample: Mapping[str, Any]) -> Iterator[Asked]:
    """Save a conversation, and put its questions to the speakers whom they name."""
    client, spoken = Client(url), conversation(sample)
    turns: dict[str, dict[int, list[TurnId]]] = defaultdict(lambda: defaultdict(list))
    speakers = {turn.id: turn.speaker for turn in spoken.turns}
    events: dict[tuple[str, int], list[dict[str, Any]]] = defaultdict(list)
    for turn in spoken.turns:
        when, said = turn.memory.split("] ", 1)
        at = datetime.strptime(when, "[%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).isoformat()
        words = said.removeprefix(f"{turn.speaker}: ")
        turns[turn.speaker][turn.id[0]].append(turn.id)
        event = {"event_type": "user_message", "content": words, "timestamp": at}
        events[turn.speaker, turn.id[0]].append(event)
    for (speaker, number), said_in in events.items():
        session, user = _session(spoken.name, speaker, number), f"{spoken.name}-{speaker}"
        client.post("/memory/sessions", {"session_id": session, "app_name": "locomo", "user_id": user})
        for start in range(0, len(said_in), _AT_ONCE):
            client.post(f"/memory/sessions/{session}/events", said_in[start : start + _AT_ONCE])
    for asked in sample["qa"]:
        gold = evidence(asked.get("evidence") or ()) & speakers.keys()
        named = [each for each in turns if each.lower() in asked["question"].lower()]
        if not gold or len(named) != 1:
            continue
        (who,) = named
        body = {"question": asked["question"], "userId": f"{spoken.name}-{who}"}
        answer = client.post("/api/memory/ask", body)
        places = {_session(spoken.name, who, number): ids for number, ids in turns[who].items()}
        yield Asked(
            asked["category"],
            gold,
            any(speakers[each] == who for each in gold),
            answer["confidence"],
            [_turn(source["id"], places) for source in answer["statements"]],
        )
    client.close()


def _session(name: str, speaker: str, number: int) -> str:
    return f"{name}-{speaker}-{number}"


def _turn(source: str, places: Mapping[str, Sequence[TurnId]]) -> TurnId:
    session, _, place = source.removeprefix("events:").rsplit("~", 2)
    return places[session][int(place)]


def auroc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """The probability that a true one has the higher score; ties count half."""
    pairs = [
        (yes > no) + (yes == no) / 2
        for yes, own in zip(scores, truth, strict=True)
        if own
        for no, other in zip(scores, truth, strict=True)
        if not other
    ]
    return fmean(pairs)


def report(answers: Sequence[Asked]) -> dict[str, float]:
    """The figures by their names."""
    answerable = [each for each in answers if each.category != UNANSWERABLE]
    found: dict[str, float] = {"questions": len(answers), "answerable": len(answerable)}
    found |= {
        f"evidence at 5, {name}": fmean(some)
        for number, name in CATEGORIES.items()
        if (some := [each.recall for each in answerable if each.category == number])
    }
    confidences = [each.confidence for each in answers]
    known = [bool(each.sources) for each in answers]
    return found | {
        "evidence at 5": fmean(each.recall for each in answerable),
        "some evidence at 5": fmean(each.recall > 0 for each in answerable),
        "AUROC by whose the evidence is": auroc([each.own for each in answers], confidences),
        "AUROC by category 5": auroc([each.category != UNANSWERABLE for each in answers], confidences),
        "answered, evidence their own": fmean(
            one for one, each in zip(known, answers, strict=True) if each.own
        ),
        "answered, evidence another's": fmean(
            one for one, each in zip(known, answers, strict=True) if not each.own
        ),
        "mean confidence, evidence their own": fmean(each.confidence for each in answers if each.own),
        "mean confidence, evidence another's": fmean(each.confidence for each in answers if not each.own),
    }


def main() -> int:
    """Run from the command line; the exit code is 1 where a figure is under the floors that are given."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.questions", description=(__doc__ or "").split(":")[0]
    )
    parser.add_argument("path", type=Path, help="LoCoMo's JSON file")
    parser.add_argument("--evidence", type=float, default=0.0, help="fail under this share of the evidence")
    parser.add_argument(
        "--auroc", type=float, default=0.0, help="fail under this AUROC by whose the evidence is"
    )
    options = parser.parse_args()
    samples = json.loads(options.path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="strata-evals-") as folder, running(Path(folder)) as server:
        found = report([each for sample in samples for each in put(server.url, sample)])
    for name, figure in found.items():
        print(f"{name:40}{figure:8.3f}" if figure <= 1 else f"{name:40}{figure:8.0f}")
    reached = found["evidence at 5"] >= options.evidence
    return 0 if reached and found["AUROC by whose the evidence is"] >= options.auroc else 1


if __name__ == "__main__":
    sys.exit(main())
