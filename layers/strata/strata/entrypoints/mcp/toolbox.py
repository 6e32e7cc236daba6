"""The tools over the services, for one caller."""

import logging
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from strata.domain.errors import InvalidRequest, StrataError, Unavailable
from strata.domain.filters import Filters
from strata.domain.scope import Scope
from strata.domain.text.recalled import without_recalled
from strata.domain.times import rfc3339
from strata.domain.wire.observations import NewObservation, Observation, ObservationChange
from strata.domain.wire.sessions import NewSession, SessionEnd
from strata.entrypoints.mcp import arguments as args
from strata.entrypoints.mcp import texts
from strata.entrypoints.mcp.person import Naming, PersonTools, as_named
from strata.entrypoints.mcp.protocol import Outcome, Tool
from strata.entrypoints.mcp.shelf import Shelf
from strata.entrypoints.mcp.tools import Preset, chosen, described, instructions
from strata.services.context.remembering import of_observation
from strata.services.search.elsewhere import search_or_elsewhere
from strata.services.search.filters import ObservationFilter

_log = logging.getLogger("strata.mcp")

_LONGEST_IN_SESSION = 150
"""Characters of a project's name in the id of its session."""


class MemoryToolbox:
    """The tools for one caller.

    Args:
        shelf: the services.
        caller: the tenant and its permissions.
        preset: the model's presets.
        naming: decides whose memories a tool reaches that names a user.
    """

    def __init__(self, shelf: Shelf, caller: Scope, preset: Preset, naming: Naming = as_named) -> None:
        self._shelf = shelf
        self._caller = caller
        self._preset = preset
        self._person = PersonTools(shelf, caller, preset, naming)
        self._chosen = chosen(preset)

    @property
    def instructions(self) -> str:
        """Instructions for a model about the tools as a whole."""
        return instructions(self._preset)

    def offered(self) -> Sequence[Tool]:
        """The tools that the preset allows; missing permissions are reported on use."""
        return [described(spec, self._preset) for spec in self._chosen.values()]

    def call(self, name: str, arguments: Mapping[str, Any]) -> Outcome:
        """Call a tool. Never raises: a failure is one sentence in the outcome."""
        spec = self._chosen[name]
        try:
            self._caller.require(spec.permission)
            return self._used(spec.arguments.of(arguments))
        except Unavailable as error:
            _log.warning("%s: %s", error.code, error.message)
            return Outcome(f"{error.message}; try again in {error.retry_after} s", failed=True)
        except StrataError as error:
            return Outcome(error.message, failed=True)
        except Exception:
            _log.exception("%s failed", name)
            return Outcome("something went wrong on our side", failed=True)

    def _used(self, given: args.Arguments) -> Outcome:
        uses: dict[type[args.Arguments], Callable[[Any], Outcome]] = {
            args.SaveArguments: self._save,
            args.SearchArguments: self._search,
            args.ContextArguments: self._context,
            args.GetArguments: self._get,
            args.TimelineArguments: self._timeline,
            args.UpdateArguments: self._update,
            args.DeleteArguments: self._delete,
            args.SessionSummaryArguments: self._summarize,
            args.AskArguments: self._person.ask,
            args.ForgetArguments: self._person.forget,
            args.EntityArguments: self._person.entity,
        }
        return uses[type(given)](given)

    def _save(self, given: args.SaveArguments) -> Outcome:
        project, content = self._named(given.project), _new_words(given.content)
        new = NewObservation(
            session_id=given.session_id or self._preset.session_id or self._session(project),
            type=given.type,
            title=given.title,
            content=content,
            project=project,
            tags=given.tags,
            scope=given.scope,
            topic_key=given.topic_key,
            metadata=given.metadata,
            user_id=self._preset.user_id,
        )
        with self._shelf.observing.operation("add_observation", project=project) as operation:
            done = self._shelf.saver.save(self._caller, new)
            operation.saved(done.action)
        return Outcome(texts.saved(done), done.model_dump(mode="json"))

    def _update(self, given: args.UpdateArguments) -> Outcome:
        change = given.model_dump(exclude={"id"}, exclude_none=True)
        if not change:
            raise InvalidRequest.of("content", "or type, title or tags must be given: nothing is changed")
        if given.content is not None:
            change["content"] = _new_words(given.content)
        wanted = ObservationChange.model_validate(change)
        self._own(given.id)
        return Outcome(texts.changed(self._shelf.editor.change(self._caller, given.id, wanted)))

    def _delete(self, given: args.DeleteArguments) -> Outcome:
        self._own(given.id)
        self._shelf.editor.delete(self._caller, given.id, hard=False)
        return Outcome(f"Deleted {given.id}.")

    def _summarize(self, given: args.SessionSummaryArguments) -> Outcome:
        """End the named session with the summary; without one, a session of this summary's own."""
        project, summary = self._named(given.project), _new_words(given.content)
        own = f"{self._session(project)}-{sha256(summary.encode()).hexdigest()[:12]}"
        session, user = given.session_id or self._preset.session_id or own, self._preset.user_id
        self._shelf.sessions.start(self._caller, NewSession(id=session, project=project, user_id=user))
        self._shelf.ender.end(self._caller, session, SessionEnd(summary=summary, user_id=user))
        return Outcome(f"Kept as the summary of the session {session}.")

    def _named(self, project: str | None) -> str:
        """The project that a call writes to."""
        project = project or self._preset.project
        if project is None:
            raise InvalidRequest.of("project", "must name what this belongs to, such as the repository")
        return project

    def _session(self, project: str) -> str:
        """The id of the session: one a day for each project and user, because a session has one owner."""
        day = rfc3339(self._shelf.clock.now_us())[:10]
        user = self._preset.user_id
        owner = "" if user is None else f"-{sha256(user.encode()).hexdigest()[:16]}"
        return f"mcp-{project[:_LONGEST_IN_SESSION]}-{day}{owner}"

    def _search(self, given: args.SearchArguments) -> Outcome:
        project = given.project or self._preset.project
        wanted = ObservationFilter(
            project=project,
            type=given.type,
            scope=given.scope,
            user=self._preset.user_id,
            superseded=given.include_superseded,
            only=given.at(self._shelf.clock.now_us()),
        )
        with self._shelf.observing.operation("search", project=project, query=given.query) as operation:
            result = search_or_elsewhere(
                self._shelf.searcher,
                self._caller,
                given.query,
                wanted,
                limit=given.limit,
                mode=self._shelf.mode,
                min_relevance=_or(given.min_relevance, self._shelf.floors.search),
            )
            operation.found(result.hits, degraded=result.degraded)
        items = map(of_observation, result.hits)
        hits = self._shelf.assembler.text(items, given.query, project)
        away = texts.AWAY if result.degraded else ""
        return Outcome(
            away + (hits or f"Nothing close to that is remembered.{texts.elsewhere(result.elsewhere)}")
        )

    def _context(self, given: args.ContextArguments) -> Outcome:
        project = given.project or self._preset.project
        only = given.at(self._shelf.clock.now_us())
        with self._shelf.observing.operation(
            "fetch_context", project=project, query=given.query
        ) as operation:
            assembled = self._shelf.assembler.assemble(
                self._caller,
                project=project,
                scope_name=None,
                query=given.query,
                limit=given.limit,
                min_relevance=_or(given.min_relevance, self._shelf.floors.context),
                fill=False,
                only=only,
                user_id=self._preset.user_id,
            )
            operation.found(assembled.hits, degraded=assembled.degraded)
        known = self._shelf.assembler.text(assembled.items, given.query, project)
        away = texts.AWAY if assembled.degraded else ""
        return Outcome(away + (known or _nothing(given, only)))

    def _get(self, given: args.GetArguments) -> Outcome:
        return Outcome(texts.whole(self._own(given.id)))

    def _timeline(self, given: args.TimelineArguments) -> Outcome:
        entries = self._shelf.reader.timeline(
            self._caller, given.id, before=given.before, after=given.after, user_id=self._preset.user_id
        )
        return Outcome(texts.around(entries, given.id))

    def _own(self, observation_id: int) -> Observation:
        """The observation with this id; another user's than the preset one is not found."""
        return self._shelf.reader.get(self._caller, observation_id, self._preset.user_id)


def _new_words(content: str) -> str:
    """The content without what was recalled."""
    words = without_recalled(content)
    if not words.strip():
        raise InvalidRequest.of("content", "is recalled memory, which is known already")
    return words


def _nothing(given: args.ContextArguments, only: Filters) -> str:
    """The words of a context that has nothing, as far as the call alone tells why."""
    if given.limit == 0:
        return "No memories are given with a limit of 0."
    if given.query.strip():
        return "Nothing close to that is remembered."
    return (
        "Nothing that these filters let through is remembered."
        if given.at(0)
        else "Nothing is remembered yet."
    )


def _or(given: float | None, default: float) -> float:
    return default if given is None else given
