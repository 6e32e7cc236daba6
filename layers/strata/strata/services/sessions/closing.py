"""The closing of a session: the episode it becomes, and the actions that write both."""

from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.text.strings import shortened
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.messages import Message
from strata.domain.wire.sessions import EndedSession
from strata.domain.worth import judge, speaker
from strata.domain.worth.gist import LONGEST_GIVEN, Note, gist
from strata.ports.rows import Absent, Action, AllOf, Condition, Equals, Item, Update
from strata.services.episodes.derived import DerivedEpisodes
from strata.services.episodes.rows import episode_row, insertion, removal
from strata.services.people.ownership import MARK, belonging, is_marked
from strata.services.people.permission import learning_check
from strata.services.records.sessions import session_key, summarized
from strata.services.sessions.transcript import SPEAKERS, Transcript


@dataclass(frozen=True, slots=True)
class Closing:
    """One end of a session.

    Attributes:
        seen: the session's row as it was read; None where there was none.
        session: the same, begun by this end where only its events knew it.
        ended: its summary and number of messages.
        given: whether the caller gave the summary.
        owner: owns the session; None for nobody.
        agent_id: the agent that the end names.
        external_type: the channel that the end names.
        now: the time (µs).
        at: when the conversation ended (µs): now, unless it is imported.
        number: the number of a new episode.
        silent: whether its owner refuses, for it or for all their sessions, that anything is learnt.
    """

    seen: Item | None
    session: Item
    ended: EndedSession
    given: bool
    owner: str | None
    agent_id: str | None
    external_type: str | None
    now: int
    at: int
    number: int
    silent: bool

    @property
    def agent(self) -> str | None:
        """The session's agent; the one that the end names where the session has none."""
        agent: str | None = self.session.get("agent_id")
        return agent or self.agent_id

    def derived(
        self, transcript: Transcript, notes: Sequence[Note], episodes: DerivedEpisodes
    ) -> tuple[str, Item | None]:
        """Make the session's line, "" for one without worth, and the row of its episode if it is worth one.

        Without messages the line that is known stays. Who refuses, for this session or for all, gets neither.
        """
        if not self.ended.summary or self.silent:
            return "", None
        spoken = [
            Message(role=role, content=episodes.clean(each.text))
            if (role := speaker(each)) in SPEAKERS
            else Message(role=role)
            for each in transcript.excerpt()
        ]
        worth = judge(spoken)
        known = "" if transcript.own else self.session.get("about", "")
        about = known or gist(worth.points, notes)
        if self.given:
            about = shortened(self.ended.summary, LONGEST_GIVEN)
        if not worth.kept:
            return about, None
        said = [each.text for role in SPEAKERS for each in spoken if each.role == role]
        owner = self.owner or DEFAULT_OWNER
        before = self.session.get("episode") if self.session.get("episode_owner") == owner else None
        return about, episode_row(
            before or self.number,
            session_id=self.session["id"],
            project=self.session["project"],
            owner=owner,
            user_id=self.owner,
            agent_id=self.agent,
            words=episodes.words(about or self.ended.summary, said)
            | {"key_decisions": list(worth.highlights)},
            importance=worth.importance,
            kind=worth.type,
            now=self.now,
            derived=True,
            ttl_seconds=episodes.ttl_seconds,
        )

    def actions(
        self, about: str, episode: Item | None, *, replacing: bool
    ) -> dict[str, Action | Sequence[Action]]:
        """Return the actions that close the session and make its episode, or remove the one it had.

        They are named `episode`, `pointer`, `notes`, `replaced`, `consent` and `session`. They fail where the
        session was ended, moved or claimed since it was read, where its episode was forgotten, and where its
        owner refuses that anything is learnt.
        """
        before = self.session.get("episode")
        again = episode is not None and episode["id"] == before
        gone = replacing and before is not None and not again
        fields = {
            name: value for name, value in self.session.items() if (self.seen or {}).get(name) != value
        } | {"ended_at": self.at, "message_count": self.ended.message_count}
        if self.ended.summary:
            project, started = self.session["project"], self.session["started_at"]
            fields |= summarized(project, started, self.session["id"], self.ended.summary, about)
        actions: dict[str, Action | Sequence[Action]] = {}
        if episode is not None:
            actions |= insertion(episode, again=again)
            fields |= {"episode": episode["id"], "episode_owner": episode["owner"]}
        if gone and before is not None:
            owner, session_id = self.session["episode_owner"], self.session["id"]
            actions["replaced"] = removal(owner, before, session_id, self.now, if_there=True)
        if self.owner and (about or episode):
            actions["consent"] = learning_check(self.owner)
        actions["session"] = Update(
            session_key(self.session["id"]),
            set=fields,
            default=({"agent_id": self.agent_id} if self.agent_id else {})
            | ({"external_type": self.external_type} if self.external_type else {})
            | (belonging(self.owner) if self.owner else {}),
            remove=(("episode", "episode_owner") if gone and episode is None else ())
            + (MARK if self.seen and is_marked(self.seen) else ()),
            condition=_unchanged(self.seen),
        )
        return actions


def _unchanged(session: Item | None) -> Condition:
    if session is None:
        return Absent()
    names = "project", "started_at", "user_id", "episode", "ai_consent", "persist"
    return AllOf(tuple(Equals(name, session.get(name)) for name in names))
