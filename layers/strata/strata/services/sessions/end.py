"""Ending a session: its summary, and an episode where it is worth one.

Session and episode change in one transaction, on condition that the session is still as it was read. So a
session has at most one episode, however often it is ended and by however many callers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from strata.domain.errors import NotFound
from strata.domain.scope import Scope
from strata.domain.summary import counted, summarize, unquoted
from strata.domain.text.recalled import without_recalled
from strata.domain.text.strings import project_name
from strata.domain.times import microseconds
from strata.domain.wire.messages import Message
from strata.domain.wire.sessions import EndedSession, SessionEnd
from strata.domain.worth.gist import Note
from strata.ports.clock import Clock
from strata.ports.rows import Action, Item
from strata.ports.table import Query, Table
from strata.services.episodes.derived import DerivedEpisodes
from strata.services.orders.ended import Ended, EndOrders
from strata.services.people.consent import refusing
from strata.services.people.ownership import Ownership, owner_of, unmarked
from strata.services.people.session_consent import refused_in
from strata.services.records.episodes import episode_id
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import session_observations
from strata.services.records.sessions import listed, session_key
from strata.services.sessions.closing import Closing
from strata.services.sessions.transcript import Transcript, Transcripts
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

_NOTES = 20
"""The most observations of a session that are read for its line."""


@dataclass(frozen=True, slots=True)
class SessionEnder:
    """Ends sessions; safe under any number of concurrent callers."""

    table: Table
    clock: Clock
    ownership: Ownership
    events: Transcripts
    orders: Sequence[EndOrders]
    episodes: DerivedEpisodes

    def end(self, scope: Scope, session_id: str, end: SessionEnd) -> EndedSession:
        """Summarize and close a session; ending it again replaces its summary, line and episode.

        A summary that comes with the end is kept, without secrets and recalled memory. Without messages, the
        transcript comes from the session's events; without events and a new summary, the summary stays.
        A session that only its events know is begun here, in the project named after its app. A session that
        keeps nothing or wants no summary gets no episode, nor does one of a person who refuses. A forgotten
        episode is not made again for a day, nor is anything concluded from its session then.

        Raises:
            NotFound: there is no such session.
            OwnedByAnother: the session belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        transcript: Transcript | None = None
        notes: Sequence[Note] = ()
        forgotten = deleted = False
        tries = 0

        def attempt(refused: Refused | None) -> EndedSession:
            nonlocal transcript, notes, forgotten, deleted, tries
            if refused is not None and (refused.row("pointer") or {}).get("state") == "gone":
                forgotten = deleted = True
            seen = self.table.get(scope, session_key(session_id))
            owner_of(seen, end.user_id)
            session = self._begun(scope, session_id, seen or {})
            if transcript is None:
                transcript = self._transcript(scope, session_id, end)
                notes = self._notes(scope, session_id)
            given = self.episodes.clean(without_recalled(end.summary or "")).strip()
            admitted = self.ownership.admit(scope, session_id, seen, end.user_id)
            owner = admitted.owner
            silent = refused_in(session) or bool(owner and refusing(self.table, scope, [owner]))
            ended = self._summarized(session_id, session, transcript.own, given)
            if silent:
                ended = ended.model_copy(update={"summary": unquoted(ended.summary)})
            if not admitted.kept:
                return ended
            session = self._begun(scope, session_id, unmarked(session))
            now = number = self.episodes.now()
            at = min(microseconds(end.ended_at), now) if end.ended_at else now
            if (
                at < now
            ):  # times of imports are coarse: spread the numbers over a millisecond, then over a second
                number = at + crc32(session_id.encode()) % (1_000_000 if tries else 1_000) + tries
            tries += 1
            named = (end.agent_id, end.external_type)
            closing = Closing(
                seen, session, ended, bool(given), admitted.owner, *named, now, at, number, silent
            )
            about, episode = ("", None) if forgotten else closing.derived(transcript, notes, self.episodes)
            if (about or episode) and not admitted.owner and not self.ownership.keeps_nobodys_episodes(scope):
                about, episode, forgotten = "", None, True
            actions = closing.actions(about, episode, replacing=bool(transcript.own) and not forgotten)
            source = episode_id(episode["id"]) if episode else session_id
            by_rules = bool(about and transcript.own) and not (given or notes)
            if not deleted:
                actions["orders"] = self._ordered(scope, closing, transcript, source, by_rules)
            transact(self.table, scope, actions)
            return ended

        return settled(self.clock, "the session", attempt)

    def _begun(self, scope: Scope, session_id: str, session: Item) -> Item:
        """The session, with the attributes that begin it where only its events know it."""
        if session.get("started_at") or not session.get("persist", True):
            return session
        app = self.events.app_of(scope, session_id)
        if app is None:
            raise NotFound("no such session")
        now, project = self.clock.now_us(), project_name(app)
        begun: Item = {"id": session_id, "project": project, "started_at": now}
        return session | begun | listed(project, now, session_id)

    def _transcript(self, scope: Scope, session_id: str, end: SessionEnd) -> Transcript:
        messages = end.messages or self.events.transcript(scope, session_id)
        return Transcript.of(messages, from_events=not end.messages)

    def _notes(self, scope: Scope, session_id: str) -> Sequence[Note]:
        """The newest observations of the session, in the order in which they were saved."""
        query = Query(
            session_observations(session_id), index="gsi1", newest_first=True, limit=_NOTES, resumable=False
        )
        rows = [row.item for row in self.table.query(scope, query).rows if OBSERVATIONS.is_whole(row.item)]
        return [Note(row["type"], row["title"], row["content"]) for row in reversed(rows)]

    def _summarized(
        self, session_id: str, session: Item, messages: Sequence[Message], given: str
    ) -> EndedSession:
        """The session's new summary, the given one first; without it and messages the one it has, if any."""
        count = counted(messages) if messages else session.get("message_count", 0)
        summary = given or (session.get("summary") if not messages else None)
        if summary is None:
            wanted = session.get("auto_summarize", True)
            summary = summarize(messages, self.episodes.clean) if wanted else ""
        return EndedSession(session_id=session_id, summary=summary, message_count=count)

    def _ordered(
        self, scope: Scope, closing: Closing, transcript: Transcript, source: str, line_by_rules: bool
    ) -> Sequence[Action]:
        """Order facts and conclusions; the agent is the app where the transcript comes from events."""
        session_id, agent = closing.session["id"], closing.agent
        if agent is None and transcript.from_events and closing.owner and transcript.messages:
            agent = self.events.app_of(scope, session_id)
        ended = Ended(
            session_id,
            agent_id=agent,
            by_app=closing.agent is None,
            owner=closing.owner,
            project=closing.session["project"],
            source=source,
            line_by_rules=line_by_rules,
            messages=transcript.messages,
            began=closing.session["started_at"],
            at=closing.at,
            now=closing.now,
        )
        return [action for each in self.orders for action in each.actions(scope, ended)]
