"""Patterns that show in messages of other words each time: groups of messages become conclusions."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from strata.domain.knowledge import wording
from strata.domain.knowledge.recurrence import DAYS, confidence, days
from strata.domain.knowledge.statements import Proposal, Sighting

FEWEST = 30
"""So many messages must be there; of fewer, words that recur tell as much."""
MOST = 300
"""The newest messages that are compared: their vectors take some seconds of a processor."""

_MENTIONS = "mentions:"
_AGAINST = 3
"""Support must be this many times the counter-examples."""
_WORDS = 3
"""The most words that a conclusion names."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a person, as far as its sightings tell it.

    Attributes:
        at: when it was said, in microseconds since 1970 (UTC).
        source: the id of its session's episode, or of the session.
        text: its sentences that were sighted.
        words: the telling words in it, by their stems, as they were written.
        against: the stems of those that it speaks against, or that only name who is spoken to.
        stated: how likely it is that it states a value, 0 to 1.
        seen: its sightings.
    """

    at: int
    source: str
    text: str
    words: Mapping[str, str]
    against: frozenset[str]
    stated: float
    seen: tuple[Sighting, ...]


Grouping = Callable[[Sequence[Message]], list[tuple[int, ...]]]
"""From messages, oldest first, to groups of three or more (by their places) of which each shows one pattern."""


def messages(sightings: Iterable[Sighting]) -> list[Message]:
    """A person's newest messages that tell of anything, oldest first.

    Args:
        sightings: in the order of time.
    """
    of_one = itertools.groupby(sightings, key=lambda each: (each.at, each.source))
    read = [_message(at, source, tuple(seen)) for (at, source), seen in of_one]
    return [each for each in read if each.words or each.stated][-MOST:]


def _message(at: int, source: str, seen: tuple[Sighting, ...]) -> Message:
    told = [each for each in seen if each.subject.startswith(_MENTIONS)]
    return Message(
        at,
        source,
        " ".join(dict.fromkeys(each.quote for each in seen)),
        {_stem(each): each.value for each in told if not each.against},
        frozenset(_stem(each) for each in told if each.against),
        max((each.sure for each in seen if each.stated and each.single), default=0.0),
        seen,
    )


def patterns(
    said: Sequence[Message], grouping: Grouping, by_subject: Mapping[str, Sequence[Sighting]]
) -> list[Proposal]:
    """The conclusions from groups of messages; groups that share their most telling word make one.

    Args:
        said: the messages.
        grouping: puts them into groups.
        by_subject: all sightings of the person, among which counter-examples are.
    """
    spoken_of = Counter(stem for each in said for stem in each.words)
    of_subject: dict[str, list[Message]] = {}
    for places in grouping(said):
        group = [said[place] for place in places]
        shared = Counter(stem for each in group for stem in each.words)
        subject = min(shared, key=lambda stem: (-shared[stem], spoken_of[stem], stem), default="")
        if subject:
            of_subject.setdefault(subject, []).extend(group)
    found = (
        _proposal(
            subject, group, [each for each in by_subject.get(f"{_MENTIONS}{subject}", ()) if each.against]
        )
        for subject, group in sorted(of_subject.items())
    )
    return [each for each in found if each is not None]


def _proposal(subject: str, group: Sequence[Message], against: Sequence[Sighting]) -> Proposal | None:
    group = sorted((one for one in group if subject not in one.against), key=lambda one: (one.at, one.source))
    shared = Counter(stem for one in group for stem in one.words)
    stems = sorted(shared, key=lambda stem: (stem != subject, -shared[stem], stem))[:_WORDS]
    written = {stem: word for one in reversed(group) for stem, word in one.words.items()}
    told = ", ".join(written[stem] for stem in stems)
    support = tuple(_sighting(subject, told, one, stems) for one in group)
    if (
        len(against) * _AGAINST > len(support)
        or len(days(support)) < DAYS
        or len({each.source for each in support}) < DAYS
    ):
        return None
    quotes = [each.quote for each in support]
    text = wording.recurring(told, len(days(support)), quotes)
    sure = confidence(len(support), len(against), 1)
    return Proposal(f"{_MENTIONS}{subject}", "inductive", text, sure, support, tuple(against))


def _sighting(subject: str, told: str, message: Message, stems: Sequence[str]) -> Sighting:
    """The sentence of a message that tells most of what its group shares."""
    quotes = Counter(each.quote for each in message.seen if _stem(each) in stems)
    quotes.update(dict.fromkeys((each.quote for each in message.seen), 0))
    quote = max(quotes, key=lambda each: (quotes[each], len(each), each))
    return Sighting(f"{_MENTIONS}{subject}", told, False, False, False, quote, message.at, message.source)


def _stem(sighting: Sighting) -> str:
    return sighting.subject.removeprefix(_MENTIONS)
