"""Precision and recall of a decision over labelled pairs, and what it would mark over conversations."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from evals.dataset import Conversation, Turn
from evals.interval import share
from evals.supersession.examples import LANGUAGES, Pair

Note = tuple[str, str]
"""A note's title and content."""
Decision = Callable[[Note, Note], object | None]
"""Measured is the decision: an older and a newer note in, the reason or None out."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled pair with the reason that was given for it; None where the older note stands."""

    pair: Pair
    reason: object | None


def judge(decide: Decision, pairs: Iterable[Pair]) -> list[Judged]:
    """Decide every pair; the notes of pairs have no titles."""
    return [Judged(pair, decide(("", pair.older), ("", pair.newer))) for pair in pairs]


def table(judged: Sequence[Judged]) -> str:
    """Pairs, marks, wrong marks, precision and recall with intervals of 95 %, by language and in all."""
    lines = [f"{'':5}{'pairs':>7}{'marked':>8}{'wrong':>7}{'precision':>21}{'recall':>21}"]
    for language in (*LANGUAGES, "all"):
        these = [each for each in judged if language in (each.pair.language, "all")]
        marked = [each for each in these if each.reason is not None]
        right = sum(each.pair.supersedes for each in marked)
        due = sum(each.pair.supersedes for each in these)
        lines.append(
            f"{language:5}{len(these):7}{len(marked):8}{len(marked) - right:7}"
            f"{share(right, len(marked)):>21}{share(right, due):>21}"
        )
    return "\n".join(lines)


def wrong(judged: Iterable[Judged]) -> str:
    """The pairs that were marked and should stand."""
    return "\n".join(
        f"{each.pair.id} ({each.pair.about}): {each.pair.older} | {each.pair.newer} -> {each.reason}"
        for each in judged
        if each.reason is not None and not each.pair.supersedes
    )


def over_turns(
    conversations: Iterable[Conversation], decide: Decision
) -> Iterator[tuple[Turn, Turn, object]]:
    """Every pair of turns of a conversation of which the newer would mark the older one, with the reason.

    A turn is titled by its speaker, as it is where retrieval is measured.
    """
    for conversation in conversations:
        for place, newer in enumerate(conversation.turns):
            for older in conversation.turns[:place]:
                reason = decide((older.speaker, older.memory), (newer.speaker, newer.memory))
                if reason is not None:
                    yield older, newer, reason
