"""The shapes of engram's HTTP API that others of the service do not have."""

from typing import Annotated, Literal

from pydantic import Field

from strata.domain.wire.base import Wire
from strata.domain.wire.fields import BLANK_IS_ABSENT, NewIdent, NewProject

SESSIONS_PROJECT = Annotated[NewProject | None, BLANK_IS_ABSENT]
"""The project; by default the session's."""


class NewPrompt(Wire):
    """A person's question to an agent. It becomes an event of the session; 50 000 characters are kept."""

    session_id: NewIdent
    content: Annotated[str, Field(min_length=1)]
    project: SESSIONS_PROJECT = None


class KeptPrompt(Wire):
    """The id of the event; empty where the prompt held nothing but recalled memory."""

    id: str
    status: Literal["saved"] = "saved"


class ToldLearnings(Wire):
    """An agent's report. Its sections "Key Learnings", "Learnings" and "Aprendizajes" list what to keep."""

    session_id: NewIdent
    content: str = ""
    project: SESSIONS_PROJECT = None
    source: str = ""


class Captured(Wire):
    """The numbers of learnings in a report: all, those that became observations, those that were known."""

    extracted: int
    saved: int
    duplicates: int


class CurrentProject(Wire):
    """The project of a folder. `available_projects` is empty: the project of a folder is never in doubt."""

    project: str
    project_source: Literal["git_root", "dir_basename"]
    project_path: str
    cwd: str
    available_projects: list[str] = Field(default_factory=list)


class ProjectMove(Wire):
    """A request to move everything of one project to another."""

    old_project: NewProject
    new_project: NewProject


class MovedProject(Wire):
    """The result of a move: `partial` where time ran out, and the same call goes on.

    `skipped`, with the reason, where there is nothing to move.
    """

    status: Literal["migrated", "partial", "skipped"]
    reason: str | None = None
    old_project: str | None = None
    new_project: str | None = None
    observations: int | None = None
    sessions: int | None = None
    prompts: int | None = None
