"""A fact about a person as it was found in what they said."""

from dataclasses import dataclass
from typing import Literal, get_args

Category = Literal["name", "role", "place", "preference", "dislike", "contact_language", "date"]
CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact that somebody told of themselves.

    Attributes:
        category: what it is about.
        value: its essential words, as they were said.
        fact: the same in one plain sentence that stands for itself.
        basis: the words that it rests on, exactly as they stand in the user's turn.
    """

    category: Category
    value: str
    fact: str
    basis: str
