"""Questions about a person and their answers as they go over the wire (agtOS)."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from strata.domain.wire.base import Wire
from strata.domain.wire.fields import EMPTY_IS_ABSENT, Content, OptionalIdent, Project

MAX_QUESTION = 2_000
MAX_FORGOTTEN = 50

Asked = Annotated[Content, StringConstraints(max_length=MAX_QUESTION)]
OptionalProject = Annotated[Project | None, EMPTY_IS_ABSENT]


class Question(Wire):
    """A question about a person: the caller's own, else `default`, where none is named."""

    question: Asked
    userId: OptionalIdent = None  # noqa: N815 - the wire's own name
    agent_id: OptionalIdent = None
    project: OptionalProject = None


class Statement(Wire):
    """A statement that an answer rests on; `id` is its layer, a colon, and its id there."""

    id: str
    layer: str
    text: str
    at: str


class Sentence(Wire):
    """A sentence of an answer, and the ids of the statements that it rests on."""

    text: str
    sources: list[str]


class Answer(Wire):
    """An answer; one that says that nothing is known has no sources.

    `sources` are the ids of its statements in their own layers: those of episodes are the episodes' own.
    `confidence` is the probability, 0 to 1, that the statements hold the answer.
    """

    answer: str
    confidence: Annotated[float, Field(ge=0, le=1)]
    sources: list[str]
    statements: list[Statement]
    sentences: list[Sentence]
    by: Literal["rules", "model"]


class Forget(Wire):
    """The memories to forget about a person: those that a text means, or the ids that were shown for it.

    A text alone never deletes: with `dry_run` false, the ids are needed.
    """

    query: Annotated[Asked | None, EMPTY_IS_ABSENT] = None
    ids: list[Annotated[str, StringConstraints(max_length=1000)]] = Field(
        default=[], max_length=MAX_FORGOTTEN
    )
    userId: OptionalIdent = None  # noqa: N815 - the wire's own name
    agent_id: OptionalIdent = None
    project: OptionalProject = None
    dry_run: bool = True

    @model_validator(mode="after")
    def _says_what(self) -> Self:
        if (self.query is None) == (not self.ids):
            raise ValueError("needs either query or ids")
        if not self.dry_run and not self.ids:
            raise ValueError("ids must name what is deleted: those that the query was shown")
        return self


class Forgotten(Wire):
    """The memories that were forgotten, or with `dry_run` would be."""

    dry_run: bool
    forgotten: list[Statement]
