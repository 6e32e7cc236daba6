"""The profile of a person: what they, their agents, and what was learnt say in each field, and what is shown.

A field holds statements. A person's own goes before an agent's, and an agent's before learnt ones; of
statements by the same kind of speaker the newest goes first.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from strata.domain.knowledge.borders import Border

By = Literal["person", "agent", "learnt"]
BY: tuple[By, ...] = get_args(By)
"""The speakers of a profile, those that go first at first."""
MOST_OF: dict[By, int] = {"person": 1, "agent": 20, "learnt": 100}
"""The statements of a field that are kept of each speaker."""
MAX_SOURCES = 20
MOST_CHANGES = 100
"""Changes of a profile that its history keeps."""

NAME, STYLE, PATTERNS, PREFERENCES = "name", "communicationStyle", "patterns", "preferences"
FIELDS = (NAME, STYLE, PATTERNS, PREFERENCES)

MAX_NAME, MAX_STYLE, MAX_TEXT, MAX_TEXTS = 200, 500, 500, 50
"""Characters of a name, of a style, of a pattern or preference; the most patterns or preferences."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a profile's field.

    Attributes:
        value: a text; of patterns a list of texts, of preferences one or an object. A learnt pattern or
            preference is one text.
        by: the speaker.
        at: when it was stated or learnt, in microseconds since 1970.
        border: the agents and projects that it is from.
        subject: of a learnt pattern or preference, what it is about: a newer one replaces it.
        sources: of a learnt one, the ids of what it rests on.
        agent: the agent that stated it.
    """

    value: Any
    by: By
    at: int
    border: Border = field(default_factory=Border)
    subject: str = ""
    sources: tuple[str, ...] = ()
    agent: str | None = None

    @property
    def slot(self) -> tuple[By, str, Border]:
        """A statement replaces the one with the same slot in its field."""
        return self.by, self.subject, self.border


@dataclass(frozen=True, slots=True)
class Shown:
    """The value of a field for one reader, with the statements that it is from; None and none without any."""

    value: Any
    statements: tuple[Statement, ...]


def shown(
    field_name: str, statements: Iterable[Statement], agent_id: str | None, project: str | None
) -> Shown:
    """The value of a field for this agent in this project."""
    seen = sorted(
        (each for each in statements if each.border.admits(agent_id, project)),
        key=lambda each: (BY.index(each.by), -each.at),
    )
    if not seen:
        return Shown(None, ())
    first = seen[0]
    if first.by != "learnt" or field_name in (NAME, STYLE):
        return Shown(first.value, (first,))
    newest = {each.subject: each for each in reversed(seen)}
    kept = tuple(sorted(newest.values(), key=lambda each: -each.at)[:MAX_TEXTS])
    if field_name == PATTERNS:
        return Shown([each.value for each in kept], kept)
    return Shown({each.subject: each.value for each in kept}, kept)


def with_statement(statements: Iterable[Statement], new: Statement) -> list[Statement]:
    """The statements of a field with a new one; beyond the most of a speaker, the oldest go."""
    kept = [each for each in statements if each.slot != new.slot]
    kept.append(new)
    kept.sort(key=lambda each: (BY.index(each.by), -each.at))
    return [each for by in BY for each in [one for one in kept if one.by == by][: MOST_OF[by]]]


def learnt_over(known: Statement | None, new: Statement) -> Statement:
    """The learnt statement after a new one of the same slot: the newer value, or the sources of both."""
    if known is None:
        return new
    older, newer = sorted((known, new), key=lambda each: each.at)
    if normalized(older.value) != normalized(newer.value):
        return newer
    sources = tuple(dict.fromkeys((*newer.sources, *older.sources)))[:MAX_SOURCES]
    return replace(newer, value=known.value, sources=sources)


def normalized(value: Any) -> str:
    """A value by which the same one is known in other letters."""
    return " ".join(str(value).split()).casefold()


def from_fact(category: str, value: str, fact: str) -> tuple[str, str, str] | None:
    """The field, subject and value of a profile that a fact tells; None where it tells none."""
    match category:
        case "name":
            return NAME, "", value[:MAX_NAME]
        case "contact_language":
            return PREFERENCES, "contact_language", value[:MAX_TEXT]
        case "preference" | "dislike":
            return PREFERENCES, normalized(value)[:MAX_NAME], fact[:MAX_TEXT]
    return None
