"""What a line of the tables is."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from strata.domain.facts.found import Category
from strata.domain.facts.patterns.turns import Reader


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to tell a fact.

    Attributes:
        category: of the fact.
        pattern: matches folded text from the beginning of a clause on (see `reading.clauses`). The thing begins
            at its group `v`, or where it ends. It may name groups `what` and `date` for occasions.
        read: how the thing is read from there; None: the group `v` is the thing.
        says: the sentence that is stored; braces stand for the thing.
        flags: `marked`: the clause must begin the sentence, or follow a mark. `request`: it may be a question.
            `standing`: the sentence must say that it is meant for good.
    """

    category: Category
    pattern: re.Pattern[str]
    read: Reader | None
    says: str
    flags: frozenset[str]


Line = tuple[Category, str, Reader | None, str] | tuple[Category, str, Reader | None, str, str]


def rules(lines: Iterable[Line]) -> tuple[Rule, ...]:
    """The rules of a table."""
    return tuple(
        Rule(
            line[0],
            re.compile(line[1]),
            line[2],
            line[3],
            frozenset(line[4].split() if len(line) == 5 else ()),
        )
        for line in lines
    )
