"""Statements in the order in which people tell them: examples of links, and a control of what stays."""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from evals.conclusions.stated import Block, Message, Part
from strata.domain.knowledge.induction import RECENT, conclude
from strata.domain.knowledge.links import READ, SURE, Compare, link_features
from strata.domain.knowledge.statements import Sighting
from strata.domain.knowledge.succession import odds

TOLD, CHANGED = 10, 5
"""The number of values that a person of the control tells, and the number of these that change."""

Row = tuple[dict[str, float], bool]
"""The features of a link, and whether the newer statement takes the older one's place."""
About = tuple[Sighting, str]
"""A statement, and the attribute that it gives a value of; "" if a person may have several values at once."""


def rows(told: Iterable[About], compare: Compare | None = None) -> Iterator[Row]:
    """Yield every possible link from a person's statement to an older one, and whether it is right.

    Statements are read in the order of telling; each replaces the older ones about the same attribute.

    Args:
        told: the statements.
        compare: reads two of them; None for links by their words alone.
    """
    standing: list[About] = []
    for newer, about in told:
        alone = [(each, of, odds(each, newer)) for each, of in standing[-RECENT:]]
        older = [each for each in alone if math.isfinite(each[2])]
        found = link_features(newer, [(each, chance) for each, _, chance in older], compare)
        for (_, of, _), each in zip(older, found, strict=True):
            yield each, about != "" and of == about
        standing = [each for each in standing if not about or each[1] != about]
        if about or newer.sure >= SURE:
            standing.append((newer, about))


def doubtful_rows(told: Iterable[About], compare: Compare) -> Iterator[Row]:
    """Yield the links that are read from doubtful statements to earlier ones, and whether each is right.

    Args:
        told: the statements in the order of telling, doubtful ones, too.
        compare: reads two of them.
    """
    earlier: list[About] = []
    for newer, about in told:
        if newer.sure < SURE:
            alone = [(each, of, odds(each, newer)) for each, of in earlier[-RECENT:]]
            older = [each for each in alone if math.isfinite(each[2])]
            older = sorted(older, key=lambda each: -each[2])[:READ]
            found = link_features(newer, [(each, chance) for each, _, chance in older], compare)
            for (_, of, _), each in zip(older, found, strict=True):
                yield each, about != "" and of == about
        earlier.append((newer, about))


def people(
    part: Part, sighting: Callable[[Message], Sighting], number: int, seed: int
) -> Iterator[list[About]]:
    """People who tell ten values of ten attributes of an author, each on a day, and then newer ones of five.

    Args:
        part: the author's blocks.
        sighting: finds the statement in a message.
        number: the number of people.
        seed: of the draw.
    """
    draw = random.Random(f"{part.name} {seed}")
    for _ in range(number):
        blocks: list[Block] = []
        for block in draw.sample(part.blocks, len(part.blocks)):
            if len(blocks) < TOLD and all(differ(block, other) for other in blocks):
                blocks.append(block)
        told = [(block.older, block) for block in blocks] + [(each.newer, each) for each in blocks[:CHANGED]]
        yield [
            (replace(sighting(message), at=day, source=f"day {day}"), block.attribute)
            for day, (message, block) in enumerate(told)
        ]


def differ(one: Block, other: Block) -> bool:
    """Whether two blocks are about different attributes."""
    return one.attribute.split()[0] != other.attribute.split()[0]


def orders(block: Block) -> Iterator[tuple[Message, Message]]:
    """Yield the orders in which two values may be told; one if the newer message names the older value."""
    yield block.older, block.newer
    if all(tense != "old" for _, _, tense in block.newer.values):
        yield block.newer, block.older


def steady(everybody: Iterable[Sequence[About]], compare: Compare | None = None) -> str:
    """Count the unchanged, older and newer values that stand or are gone in the end, as shares.

    Args:
        everybody: the statements of each person, as `people` gives them.
        compare: reads two of them; None where their words alone decide.
    """
    counted = {
        "unchanged values that stand": 0,
        "older values that are gone": 0,
        "newer values that stand": 0,
    }
    of = 0
    for told in everybody:
        standing = {
            each.support[-1].at for each in conclude([sighting for sighting, _ in told], compare=compare)
        }
        stands = [sighting.at in standing for sighting, _ in told]
        stand, gone, newer = stands[CHANGED:TOLD], stands[:CHANGED], stands[TOLD:]
        for name, found in zip(counted, (sum(stand), CHANGED - sum(gone), sum(newer)), strict=True):
            counted[name] += found
        of += CHANGED
    return "\n".join(f"{name:28}{found / of:.3f}  ({found} of {of})" for name, found in counted.items())
