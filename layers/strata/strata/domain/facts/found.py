"""A fact about a person, as it was found in their own words."""

from dataclasses import dataclass
from typing import Literal, get_args

Category = Literal["name", "role", "place", "preference", "dislike", "contact_language", "date"]
CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact that somebody stated about themselves.

    Attributes:
        category: its category.
        value: the essential words, as they were written.
        fact: one plain sentence that is clear without context.
        basis: the exact quotation from the user's turn that supports it.
    """

    category: Category
    value: str
    fact: str
    basis: str
