"""Diaries made of an author's single messages: five values that change, among messages that state none."""

import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time, timedelta

from evals.conclusions.diaries import EACH, Conflict, Diary, Line
from evals.conclusions.stated import Block, Message, Part

_BEGIN = date(2026, 1, 1)


def diaries(written: Iterable[Part]) -> Iterator[Diary]:
    """Every block of every author in one diary, with the noise shared out; in an order that stays."""
    for part in written:
        draw = random.Random(part.name)
        blocks, noise = draw.sample(part.blocks, len(part.blocks)), draw.sample(part.noise, len(part.noise))
        number = len(blocks) // EACH
        for place in range(number):
            some = blocks[place * EACH : (place + 1) * EACH]
            yield _diary(part, place, some, noise[place::number], draw)


def _diary(
    part: Part, place: int, blocks: Sequence[Block], noise: Sequence[Message], draw: random.Random
) -> Diary:
    conflicts = [
        Conflict(f"c{number}", each.attribute, (_value(each.older),), _value(each.newer))
        for number, each in enumerate(blocks, 1)
    ]
    half = len(noise) // 2
    told = [
        *_mixed([(f"c{number}-", each.older) for number, each in enumerate(blocks, 1)], noise[:half], draw),
        *_mixed([(f"c{number}+", each.newer) for number, each in enumerate(blocks, 1)], noise[half:], draw),
    ]
    lines = [
        Line(_BEGIN + timedelta(days=day), time(9), label, message.text, day + 1)
        for day, (label, message) in enumerate(told)
    ]
    return Diary(f"{part.name}-{place}", "", part.name[:2], (), tuple(conflicts), tuple(lines))


def _mixed(
    values: Sequence[tuple[str, Message]], noise: Sequence[Message], draw: random.Random
) -> list[tuple[str, Message]]:
    every = [*values, *(("n", each) for each in noise)]
    return draw.sample(every, len(every))


def _value(message: Message) -> str:
    start, end, _ = next(each for each in message.values if each[2] != "old")
    return message.text[start:end]
