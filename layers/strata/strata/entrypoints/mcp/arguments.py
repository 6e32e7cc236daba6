"""The arguments of the tools: validated here, and described to models by the resulting schemas.

Unlike in bodies of the HTTP API, unknown arguments are errors: a model that invents one is told.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from strata.domain.errors import FieldProblem, InvalidRequest
from strata.domain.wire.contexts import CONTEXT_QUERY_RUNES
from strata.domain.wire.entities import EntityName
from strata.domain.wire.fields import (
    MAX_NUMBER,
    MAX_QUERY,
    Clamped,
    Content,
    Ident,
    Label,
    Metadata,
    NewProject,
    OptionalLabel,
    OptionalNewIdent,
    OptionalTopicKey,
    Project,
    Summary,
    Tags,
    Title,
    plain,
)
from strata.domain.wire.filters import OwnedFilters
from strata.domain.wire.questions import MAX_FORGOTTEN, Asked

MAX_HITS = 50
MAX_NEIGHBOURS = 20
MAX_PROBLEMS = 20

_SENTENCES = {"missing": "must be given", "extra_forbidden": "is not an argument of this tool"}

_Id = Annotated[
    int, Field(ge=1, le=MAX_NUMBER, description="The memory's id, as mem_search and mem_context give it.")
]
_Clamped = Annotated[int, Clamped(MAX_HITS, declared=True)]
_ClampedOrNone = Annotated[int, Clamped(MAX_HITS, least=0, declared=True)]
_Neighbours = Annotated[int, Clamped(MAX_NEIGHBOURS, least=0, declared=True)]
_Relevance = Annotated[
    float | None,
    Field(
        ge=0,
        le=1,
        description="Leave out what is less likely to be relevant than this, 0 to 1. Give 0 when nothing "
        "close was found and you want to see what comes nearest.",
    ),
]
_Type = Annotated[OptionalLabel, Field(description="Only memories of this type, such as decision or bugfix.")]


class Arguments(BaseModel):
    """The arguments of a tool."""

    model_config = ConfigDict(extra="forbid")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Validate the given arguments.

        Raises:
            InvalidRequest: some are invalid; the message names each.
        """
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            problems = [
                FieldProblem(
                    ".".join(str(part) for part in found["loc"])[:100],
                    _SENTENCES.get(found["type"], plain(found["msg"])),
                )
                for found in error.errors(include_url=False)[:MAX_PROBLEMS]
            ]
            sentence = "; ".join(f"{problem.field}: {problem.message}" for problem in problems)
            raise InvalidRequest(sentence, problems) from None


class SaveArguments(Arguments):
    """Of `mem_save`."""

    type: Label = Field(
        "discovery",
        description="What kind of knowledge it is: decision, discovery, bugfix, pattern, architecture, "
        "config, learning or preference; a word of your own where none of these fits.",
    )
    title: Title = Field(
        description="One line that says what it is, so specific that it is recognised among hundreds: "
        "'SQLite runs in WAL mode', not 'Database change'."
    )
    content: Content = Field(
        description="What was learnt, why it is so, and how to use it, in full sentences that are understood "
        "without this conversation: with names, paths, commands, numbers and dates. One subject a memory."
    )
    tags: Tags | None = Field(None, description="A few words to find it by, such as component names.")
    project: NewProject | None = Field(
        None, description="What it belongs to: the repository's or product's name."
    )
    scope: Literal["project", "global", "personal"] | None = Field(
        None,
        description="'global' for what holds in every project, such as a preference of the user; "
        "'project' (the default) for everything else; 'personal' is found as 'project' is.",
    )
    topic_key: OptionalTopicKey = Field(
        None,
        description="A stable name of the subject, such as 'architecture/auth' or 'config/ci', for what "
        "changes over time: saving the same topic_key again replaces what was known of it. Leave it out "
        "for what happened once.",
    )
    metadata: Metadata | None = Field(
        None,
        description="What to filter by later, as a small map of texts, numbers and booleans, such as "
        '{"env": "prod"}; it is not searched.',
    )
    session_id: OptionalNewIdent = Field(
        None, description="The session it belongs to, if you were given one. Don't make one up."
    )


class SearchArguments(Arguments, OwnedFilters):
    """Of `mem_search`."""

    query: str = Field(
        min_length=1,
        max_length=MAX_QUERY,
        description="What you want to know, as a question or in key words; it is matched by words and by "
        "meaning.",
    )
    project: Project | None = Field(None, description="The project to search.")
    type: _Type = None
    scope: Literal["project", "global"] | None = Field(
        None, description="'global' for what holds everywhere only; by default both are searched."
    )
    limit: _Clamped = Field(10, ge=1, le=MAX_HITS, description="At most so many.")
    min_relevance: _Relevance = None
    include_superseded: bool = Field(
        False, description="Whether to find memories too that a newer one has superseded."
    )


class ContextArguments(Arguments, OwnedFilters):
    """Of `mem_context`."""

    query: str = Field(
        "",
        max_length=MAX_QUERY,
        description="What you are about to do, in a sentence: what matters for it is given, which may be "
        f"nothing. Without it, the newest. Over {CONTEXT_QUERY_RUNES} characters both ends count.",
    )
    project: Project | None = Field(None, description="The project you work on.")
    limit: _ClampedOrNone = Field(5, ge=0, le=MAX_HITS, description="At most so many memories.")
    min_relevance: _Relevance = None


class GetArguments(Arguments):
    """Of `mem_get`."""

    id: _Id


class TimelineArguments(Arguments):
    """Of `mem_timeline`."""

    id: _Id
    before: _Neighbours = Field(3, ge=0, le=MAX_NEIGHBOURS, description="How many saved just before it.")
    after: _Neighbours = Field(3, ge=0, le=MAX_NEIGHBOURS, description="How many saved just after it.")


class UpdateArguments(Arguments):
    """Of `mem_update`."""

    id: _Id
    type: Label | None = Field(None, description="Another kind.")
    title: Title | None = Field(None, description="Another title.")
    content: Content | None = Field(None, description="The whole of the new text, not only what is added.")
    tags: Tags | None = Field(None, description="All of the new tags; an empty list takes them away.")


class DeleteArguments(Arguments):
    """Of `mem_delete`."""

    id: _Id


class AskArguments(Arguments):
    """Of `memory_ask_about_user`."""

    question: Asked = Field(description="What you want to know about the person, as one question.")
    user_id: Ident | None = Field(None, description="The person; leave it out for the user you speak with.")
    project: Project | None = Field(None, description="Only what may be known in this project.")


class ForgetArguments(Arguments):
    """Of `mem_forget`."""

    query: str = Field(
        "",
        max_length=MAX_QUERY,
        description="What the person wants forgotten, in their words: it is shown with its ids.",
    )
    ids: list[str] = Field(
        [],
        max_length=MAX_FORGOTTEN,
        description="The ids of what is deleted, as this tool showed them, once the person has agreed to it.",
    )
    user_id: Ident | None = Field(None, description="The person; leave it out for the user you speak with.")
    project: Project | None = Field(None, description="Only what may be known in this project.")


class EntityArguments(Arguments):
    """Of `mem_entity`."""

    entity: EntityName = Field(description="Its name, or the id that this tool gave.")
    user_id: Ident | None = Field(
        None, description="Whose memories name it; leave it out for the user you speak with."
    )
    project: Project | None = Field(None, description="Only what may be known in this project.")


class SessionSummaryArguments(Arguments):
    """Of `mem_session_summary`."""

    content: Summary = Field(
        description="What the goal was, what was decided and why, what was done, what is left open, and the "
        "files that matter, in full sentences that are understood without this conversation."
    )
    project: NewProject | None = Field(None, description="The project that you worked on.")
    session_id: OptionalNewIdent = Field(
        None, description="The session that ends, if you were given one. Don't make one up."
    )
