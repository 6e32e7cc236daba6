"""The form of a line in the tables of patterns."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from strata.domain.facts.found import Category
from strata.domain.facts.patterns.turns import Reader


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to state a fact.

    Attributes:
        category: category of the fact.
        pattern: matches folded text from the beginning of a clause (see `reading.clauses`). The value begins at
            group `v`, or at the end of the match. Occasions have the groups `what` and `date`.
        read: reads the value from there; None if group `v` is the value.
        says: the sentence that is stored, with braces in place of the value.
        flags: `marked`: the clause must begin the sentence or follow a mark. `request`: it may be a question.
            `standing`: the sentence must say that it holds for good.
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
