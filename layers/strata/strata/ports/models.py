"""Language models, asked for answers of a known shape."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from pydantic import BaseModel

from strata.domain.model_costs import Usage

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Question:
    """The request to a model.

    Attributes:
        instructions: what to do; never made of what a caller wrote.
        text: what to do it with. It may try to give orders of its own.
        most_tokens: of one answer.
        seconds: until the answer is of no use any more; None for the adapter's own deadline.
    """

    instructions: str
    text: str
    most_tokens: int = 2_000
    seconds: float | None = None


class LanguageModel(Protocol):
    """A model that answers in JSON of a given schema."""

    @property
    def name(self) -> str:
        """Of the model."""

    def ask(self, question: Question, shape: type[Shape], usage: Usage) -> Shape:
        """A valid instance of `shape`. An answer that does not validate is given back once, to be mended.

        `usage` is told the tokens of every try, also of those that came to nothing. Neither question nor
        answer is logged or stands in an error.

        Raises:
            ModelFailed: the model refuses, or its answers don't validate.
            Unavailable, Throttled: the deadline came first.
        """
