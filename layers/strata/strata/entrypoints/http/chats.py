"""Other tools' chats: imports in agtOS's shapes, and what engram's clients send, in engram's."""

from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.scope import READ, WRITE, Scope
from strata.domain.text.strings import cut, project_name
from strata.domain.wire.chats import ChatImport, ImportedChats, Sources
from strata.domain.wire.engram import (
    Captured,
    CurrentProject,
    KeptPrompt,
    MovedProject,
    NewPrompt,
    ProjectMove,
    ToldLearnings,
)
from strata.domain.wire.fields import MAX_IDENT
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.observing import Observing
from strata.services.chats.captures import Captures
from strata.services.chats.imports import ChatImports
from strata.services.transfer.moving import ProjectMover


def chats_handler(
    identify: Caller,
    observing: Observing,
    imports: ChatImports,
    captures: Captures,
    mover: ProjectMover,
    checkout: Callable[[Path], Path | None],
) -> Handler:
    """Routes to list and import what other tools keep on this machine, and for engram's clients."""
    api = Api(identify, observing)

    @api.route("GET", "/api/memory/sources", READ, answer=Sources)
    def list_sources(caller: Scope) -> Sources:
        """List the tools whose conversations can be imported; none where the service is not on a machine."""
        return imports.available()

    @api.route("POST", "/api/memory/import", WRITE, answer=ImportedChats)
    def import_chats(caller: Scope, asked: Annotated[ChatImport | None, Body()] = None) -> ImportedChats:
        """Import from the named tools, or all, for some seconds; what is there already is left as it is."""
        return imports.run(caller, asked.sources if asked else None)

    @api.route("POST", "/prompts", WRITE, answer=KeptPrompt, status=201, errors=(404,))
    def save_prompt(caller: Scope, new: Annotated[NewPrompt, Body()]) -> KeptPrompt:
        """Keep a prompt as an event of its session."""
        return captures.prompt(caller, new)

    @api.route("POST", "/observations/passive", WRITE, answer=Captured, errors=(404,))
    def capture_learnings(caller: Scope, report: Annotated[ToldLearnings, Body()]) -> Captured:
        """Save the learnings that an agent's report lists, those that its project does not have yet."""
        return captures.report(caller, report)

    @api.route("POST", "/projects/migrate", WRITE, answer=MovedProject)
    def move_project(caller: Scope, asked: Annotated[ProjectMove, Body()]) -> MovedProject:
        """Move the sessions and observations of one project to another, for some seconds."""
        return mover.move(caller, asked.old_project, asked.new_project)

    @api.route("GET", "/project/current", READ, answer=CurrentProject)
    def current_project(
        caller: Scope, cwd: Annotated[str, Query(min_length=1, max_length=4096)]
    ) -> CurrentProject:
        """Name the project of a folder: its checkout on this machine, else the folder itself."""
        root = checkout(Path(cwd))
        path = str(root or cwd)
        return CurrentProject(
            project=cut(project_name(PureWindowsPath(path).name), MAX_IDENT) or "default",
            project_source="git_root" if root else "dir_basename",
            project_path=path,
            cwd=cwd,
        )

    return api
