"""Prompts, and learnings listed in reports, which engram's clients send during a conversation."""

from strata.domain.redaction.redact import redact
from strata.domain.scope import Scope
from strata.domain.text.learnings import learnings
from strata.domain.text.recalled import without_recalled
from strata.domain.text.strings import cut, shortened
from strata.domain.wire.engram import Captured, KeptPrompt, NewPrompt, ToldLearnings
from strata.domain.wire.events import USER_MESSAGE, NewEvent, NewEventSession
from strata.domain.wire.fields import MAX_CONTENT
from strata.domain.wire.sessions import NewSession
from strata.domain.wire.transfer import Import
from strata.services.events.append import EventAppender
from strata.services.events.logs import EventLogs
from strata.services.sessions.catalog import SessionCatalog
from strata.services.transfer.importer import Importer

_APP = "chats/engram"
_TITLE = 80


class Captures:
    """Keeps prompts and learnings."""

    def __init__(
        self, sessions: SessionCatalog, logs: EventLogs, appender: EventAppender, importer: Importer
    ) -> None:
        self._sessions = sessions
        self._logs = logs
        self._appender = appender
        self._importer = importer

    def prompt(self, scope: Scope, new: NewPrompt) -> KeptPrompt:
        """Append a prompt, without secrets and recalled memory, to its session, which a named project begins.

        Raises:
            NotFound: there is no such session, and no project is named.
            OwnedByAnother: the session belongs to a user.
            Conflict: concurrent writers did not let this one settle.
        """
        self._project(scope, new.session_id, new.project)
        text = cut(without_recalled(new.content).strip(), MAX_CONTENT)
        if not text:
            return KeptPrompt(id="")
        self._logs.open(scope, NewEventSession(session_id=new.session_id, app_name=_APP))
        event = NewEvent.model_validate({"event_type": USER_MESSAGE, "content": redact(text)[0]})
        (event_id,) = self._appender.append(scope, new.session_id, [event])
        return KeptPrompt(id=event_id)

    def report(self, scope: Scope, report: ToldLearnings) -> Captured:
        """Make observations of the learnings that the report lists, except of those that its project has.

        Raises:
            NotFound: there is no such session, and no project is named.
        """
        project = self._project(scope, report.session_id, report.project)
        found = learnings(without_recalled(report.content))
        rows = [
            {
                "session_id": report.session_id,
                "type": "learning",
                "title": shortened(each, _TITLE),
                "content": cut(each, MAX_CONTENT),
                "project": project,
            }
            for each in found
        ]
        added = self._importer.load(scope, Import.model_validate({"observations": rows}))
        saved, left_out = added.imported_observations, len(added.skipped or ())
        return Captured(extracted=len(found), saved=saved, duplicates=len(found) - saved - left_out)

    def _project(self, scope: Scope, session_id: str, named: str | None) -> str:
        """The project of the call, or of its session; a named one begins a session that is not there."""
        if named is not None:
            self._sessions.start(scope, NewSession(id=session_id, project=named))
            return named
        return self._sessions.get(scope, session_id).project
