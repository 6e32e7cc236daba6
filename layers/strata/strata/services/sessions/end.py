"""Ending a session: its summary, and an episode where it is worth one.

Session and episode change in one transaction, under the condition that the session is still as it was seen:
so a session has one episode at most, however often and by however many callers it is ended.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from strata.domain.errors import Conflict, NotFound
from strata.domain.scope import Scope
from strata.domain.summary import counted, summarize
from strata.domain.text.recalled import without_recalled
from strata.domain.text.strings import project_name
from strata.domain.wire.messages import Message
from strata.domain.wire.sessions import EndedSession, SessionEnd
from strata.domain.worth import Worth, judge, speaker
from strata.ports import Absent, Action, AllOf, Clock, ConditionFailed, Equals, Item, Table, Update
from strata.services.episodes.derived import DerivedEpisodes
from strata.services.episodes.rows import POINTER, episode_row, making, removing
from strata.services.facts.orders import ExtractionOrders, Transcripts
from strata.services.people.ownership import Ownership, belonging, owner_of
from strata.services.records.episodes import DEFAULT_OWNER
from strata.services.records.sessions import listed, session_key, summarized
from strata.services.table.retry import attempts

_FIRST, _LAST = (200, 1_000_000), (1800, 4_000_000)
"""Messages of a very long session that are read for its episode, and their characters: each message costs
some 0.1 ms, each million characters 150 ms."""

_SPEAKERS = "user", "assistant"


@dataclass(frozen=True, slots=True)
class _Closing:
    """A session as it was seen, and what an end makes of it."""

    seen: Item | None
    session: Item
    """With what begins it, where only its events knew it."""
    summary: str
    message_count: int
    owner: str | None
    agent_id: str | None
    now: int

    @property
    def episode(self) -> int | None:
        """The episode of the end before this one."""
        number: int | None = self.session.get("episode")
        return number


class SessionEnder:
    """Ends sessions.

    Args:
        table, clock: where sessions are kept, and the time.
        transcripts: what the sessions' events tell.
        transcribing: what is kept of the session for the facts in it.
        episodes: what episodes are made with.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        ownership: Ownership,
        transcripts: Transcripts,
        transcribing: ExtractionOrders,
        episodes: DerivedEpisodes,
    ) -> None:
        self._table = table
        self._clock = clock
        self._ownership = ownership
        self._transcripts = transcripts
        self._transcribing = transcribing
        self._episodes = episodes

    def end(self, scope: Scope, session_id: str, end: SessionEnd) -> EndedSession:
        """Summarise and close a session; ending it again replaces summary and episode.

        Without messages the session's events are its transcript; without these the summary stays that it has.
        A session that only its events know is begun here, in the project of its app's name. One that keeps
        nothing or wants no summary becomes no episode; an episode that somebody has forgotten does not come
        back for a day.

        Raises:
            NotFound: there is no such session.
            OwnedByAnother: the session belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        said: Sequence[Message] | None = None
        forgotten = False
        for _ in attempts():
            seen = self._table.get(scope, session_key(session_id))
            owner = owner_of(seen, end.user_id)
            session = seen or {}
            if not session.get("started_at") and session.get("persist", True):
                session = session | self._beginning(scope, session_id)
            if said is None:
                said = end.messages or self._transcripts.transcript(scope, session_id)
                messages = _without_recalled(said)
            ended = self._ended(session_id, session, messages)
            if not self._ownership.keeps(scope, session_id, seen, end.user_id):
                return ended
            now = self._episodes.now()
            closing = _Closing(seen, session, ended.summary, ended.message_count, owner, end.agent_id, now)
            row = None if forgotten else self._episode(closing, messages)
            if row is not None and owner is None and not self._ownership.keeps_nobodys_episodes(scope):
                row, forgotten = None, True
            order = self._order(scope, closing, said, by_events=not end.messages)
            try:
                self._write(scope, closing, row, order, replacing=bool(messages) and not forgotten)
            except ConditionFailed as failed:
                forgotten = forgotten or (failed.failures.get(POINTER) or {}).get("state") == "gone"
            else:
                return ended
        raise Conflict("the session is being written by others; try again")

    def _ended(self, session_id: str, session: Item, messages: Sequence[Message]) -> EndedSession:
        """What an end makes of a session: one without messages leaves a summary that is there."""
        if not messages and session.get("summary"):
            count = session.get("message_count", 0)
            return EndedSession(session_id=session_id, summary=session["summary"], message_count=count)
        summarized = session.get("auto_summarize", True)
        summary = summarize(messages, self._episodes.cleaned) if summarized else ""
        return EndedSession(session_id=session_id, summary=summary, message_count=counted(messages))

    def _beginning(self, scope: Scope, session_id: str) -> Item:
        """What starts a session that only its events know."""
        app = self._transcripts.app_of(scope, session_id)
        if app is None:
            raise NotFound("no such session")
        now, project = self._clock.now_us(), project_name(app)
        return {"id": session_id, "project": project, "started_at": now} | listed(project, now, session_id)

    def _episode(self, closing: _Closing, messages: Sequence[Message]) -> Item | None:
        """The session's episode; None where it is not worth one."""
        if not closing.summary:
            return None
        spoken = [
            Message(role=role, content=self._episodes.cleaned(each.text))
            if (role := speaker(each)) in _SPEAKERS
            else Message(role=role)
            for each in _read(messages)
        ]
        worth = judge(spoken)
        if not worth.kept:
            return None
        owner = closing.owner or DEFAULT_OWNER
        again = closing.episode is not None and closing.session.get("episode_owner") == owner
        return episode_row(
            closing.episode if again and closing.episode else closing.now,
            session_id=closing.session["id"],
            owner=owner,
            user_id=closing.owner,
            agent_id=closing.session.get("agent_id") or closing.agent_id,
            words=self._words(closing.summary, worth, spoken),
            importance=worth.importance,
            kind=worth.type,
            now=closing.now,
            derived=True,
            ttl_seconds=self._episodes.ttl_seconds,
        )

    def _words(self, summary: str, worth: Worth, spoken: Sequence[Message]) -> Item:
        by_user = [each.text for each in spoken if each.role == "user"]
        by_agent = [each.text for each in spoken if each.role == "assistant"]
        decisions = {"key_decisions": list(worth.highlights)}
        return self._episodes.words(summary, [*by_user, *by_agent]) | decisions

    def _order(
        self, scope: Scope, closing: _Closing, messages: Sequence[Message], *, by_events: bool
    ) -> Sequence[Action]:
        """What has the facts in the session found; its agent is its app where only events tell of it."""
        session_id = closing.session["id"]
        agent = closing.session.get("agent_id") or closing.agent_id
        if agent is None and by_events and closing.owner and messages:
            agent = self._transcripts.app_of(scope, session_id)
        return self._transcribing.actions(
            scope, session_id, agent_id=agent, owner=closing.owner, messages=messages, now=closing.now
        )

    def _write(
        self,
        scope: Scope,
        closing: _Closing,
        row: Item | None,
        order: Sequence[Action],
        *,
        replacing: bool,
    ) -> None:
        """Close the session, and write its episode with it or take away the one it had.

        Raises:
            ConditionFailed: another ended it meanwhile, or gave it an owner; or its episode was forgotten.
        """
        session, before = closing.session, closing.episode
        episode: list[Action] = []
        fields = {name: value for name, value in session.items() if (closing.seen or {}).get(name) != value}
        fields |= {"ended_at": closing.now, "message_count": closing.message_count}
        if closing.summary:
            fields |= summarized(session["project"], session["started_at"], session["id"], closing.summary)
        if row is not None:
            episode += making(row, again=row["id"] == before)
            fields |= {"episode": row["id"], "episode_owner": row["owner"]}
        gone = replacing and before is not None and (row is None or row["id"] != before)
        if gone and before is not None:
            episode += removing(session["episode_owner"], before, closing.now, if_there=True)
        close = Update(
            session_key(session["id"]),
            set=fields,
            default=({"agent_id": closing.agent_id} if closing.agent_id else {})
            | (belonging(closing.owner) if closing.owner else {}),
            remove=("episode", "episode_owner") if gone and row is None else (),
            condition=_as_seen(closing.seen),
        )
        if episode or order:
            self._table.transact(scope, [*episode, close, *order])
        else:
            self._table.update(scope, close)


def _without_recalled(messages: Iterable[Message]) -> list[Message]:
    """What was said, without recalled memory; a message that was nothing else is left out."""
    kept = []
    for message in messages:
        text = message.text
        own = without_recalled(text)
        if own == text:
            kept.append(message)
        elif own := own.strip():
            a_tools = speaker(message) != message.role
            content = [{"type": "tool_result", "content": own}] if a_tools else own
            kept.append(Message(role=message.role, content=content))
    return kept


def _read(messages: Sequence[Message]) -> Sequence[Message]:
    first = list(_within(messages, *_FIRST))
    last = list(_within(reversed(messages[len(first) :]), *_LAST))
    return [*first, *reversed(last)]


def _within(messages: Iterable[Message], most: int, characters: int) -> Iterator[Message]:
    for message in islice(messages, most):
        characters -= len(message.text) if speaker(message) in _SPEAKERS else 0
        if characters < 0:
            return
        yield message


def _as_seen(session: Item | None) -> Absent | AllOf:
    if session is None:
        return Absent()
    return AllOf(tuple(Equals(name, session.get(name)) for name in ("started_at", "user_id", "episode")))
