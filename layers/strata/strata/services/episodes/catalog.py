"""Episodes: what an agent lived through with somebody, stored, found and forgotten.

An episode belongs to the owner of its conversation, to `default` where that has none (agtOS), and lies by id
among its owner's. The index follows as it does for observations: a note in the write's own transaction tells
of what it does not show yet.
"""

from dataclasses import dataclass

from strata.domain.errors import NotFound, Unavailable
from strata.domain.ids import IdSource
from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.domain.text.keywords import Rarity, keywords
from strata.domain.text.strings import cut
from strata.domain.times import DAY
from strata.domain.wire.episodes import (
    CONVERSATION,
    USUAL_IMPORTANCE,
    Episode,
    EpisodeQuery,
    MatchingEpisode,
    NewEpisode,
    SimilarEpisode,
    match_type,
    words_of,
)
from strata.domain.wire.fields import MAX_IDENT, MAX_SUMMARY, MAX_TAG
from strata.ports import Clock, ConditionFailed, Item, SearchIndex, SearchQuery, Table
from strata.services.episodes.recent import RecentEpisodes
from strata.services.episodes.rows import (
    episode_row,
    insertion,
    removal,
    topic_of,
    without_secrets,
)
from strata.services.people.ownership import Ownership
from strata.services.records.episodes import (
    DEFAULT_OWNER,
    EPISODE_KIND,
    episode_id,
    episode_number,
    episodes_pk,
    to_episode,
)
from strata.services.records.sessions import session_key
from strata.services.search.change_notes import ChangeNotes
from strata.services.search.filters import EpisodeFilter
from strata.services.search.kinds import EPISODES
from strata.services.search.search import Searcher
from strata.services.table.parallel import Parallel
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

MOST_OF_A_CONVERSATION = 1000
NOT_KEPT = episode_id(0)
"""Stands for the id of an episode in a session that keeps nothing."""


@dataclass(frozen=True, slots=True)
class Similar:
    """What a search by similarity found; `degraded` when the index was away."""

    results: list[SimilarEpisode]
    degraded: bool


@dataclass(frozen=True, slots=True)
class Matching:
    """What a search in words or meaning found; `degraded` when the index was away."""

    results: list[MatchingEpisode]
    degraded: bool


class EpisodeCatalog:
    """Stores, lists, finds and forgets episodes.

    Args:
        table, clock, ids: where they are kept, the time, and the source of their numbers.
        index, freshness, rounds: for what the index is asked.
        searching, recent: how episodes are found and listed.
        rarity: how rare words are, for keywords.
        redacting: whether secrets are taken out.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        ids: IdSource,
        ownership: Ownership,
        index: SearchIndex,
        freshness: ChangeNotes,
        rounds: Parallel,
        searching: Searcher[EpisodeFilter],
        recent: RecentEpisodes,
        rarity: Rarity,
        *,
        redacting: bool = True,
    ) -> None:
        self._table = table
        self._clock = clock
        self._ids = ids
        self._ownership = ownership
        self._index = index
        self._freshness = freshness
        self._rounds = rounds
        self._searching = searching
        self._recent = recent
        self._rarity = rarity
        self._redacting = redacting

    def store(self, scope: Scope, new: NewEpisode) -> str:
        """Store an episode by hand and return its id; `ep-0` where the session keeps nothing.

        Raises:
            OwnedByAnother: the conversation belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        words = self._words(new)

        def attempt(_: Refused | None) -> str:
            session = self._table.get(scope, session_key(new.conversation_id))
            admitted = self._ownership.admit(scope, new.conversation_id, session, new.user_id)
            owner = admitted.owner
            if not admitted.kept or (not owner and not self._ownership.keeps_nobodys_episodes(scope)):
                return NOT_KEPT
            now = self._ids.next(self._clock.now_us())
            row = episode_row(
                now,
                session_id=new.conversation_id,
                owner=owner or DEFAULT_OWNER,
                user_id=owner,
                agent_id=new.agent_id,
                words=words,
                importance=USUAL_IMPORTANCE if new.importance is None else new.importance,
                kind=new.type or CONVERSATION,
                now=now,
                derived=False,
                ttl_seconds=None if new.ttl_days is None else new.ttl_days * DAY,
            )
            try:
                transact(self._table, scope, {**insertion(row), "session": admitted.claim})
            except Refused as refused:
                there = refused.row("episode")
                if there is None or there.get("write") != row["write"]:
                    raise
                # it is this very write, whose answer was lost
            return episode_id(now)

        return settled(self._clock, "the conversation", attempt)

    def _words(self, new: NewEpisode) -> Item:
        given = new.model_dump(
            include={"summary", "key_decisions", "entities", "tools_used", "keywords", "topic"},
            exclude_none=True,
        )
        words = without_secrets(given) if self._redacting else given
        words["summary"] = cut(words["summary"], MAX_SUMMARY)
        found: list[str] | None = words.get("keywords")
        if found is None:
            notes = [words_of(note) for note in (*words.get("key_decisions", ()), *words.get("entities", ()))]
            found = keywords([words["summary"], *notes], self._rarity)
        words["keywords"] = [cut(each, MAX_TAG) for each in found]
        words["topic"] = cut(words.get("topic") or topic_of(found), MAX_IDENT)
        return words

    def of_conversation(self, scope: Scope, conversation_id: str) -> list[Episode]:
        """The newest thousand episodes of a conversation, oldest first.

        The index of the table may lag by moments: the notes tell what it does not show yet.
        """
        session = self._table.get(scope, session_key(conversation_id)) or {}
        owners = dict.fromkeys(filter(None, (DEFAULT_OWNER, session.get("user_id"))))
        listed, changed = self._rounds.both(
            lambda: self._recent.of_session(scope, conversation_id, MOST_OF_A_CONVERSATION),
            lambda: self._freshness.unsettled(scope, [episodes_pk(owner) for owner in owners], EPISODES),
        )
        rows = {EPISODES.row_key(row): row for row in listed}
        if changed:
            now = self._table.get_many(scope, changed)
            rows = {key: row for key, row in rows.items() if key not in changed} | {
                key: row for key, row in now.items() if row["session_id"] == conversation_id
            }
        ordered = sorted(rows.values(), key=lambda row: row["id"])
        return [to_episode(row) for row in ordered[-MOST_OF_A_CONVERSATION:]]

    def recent(self, scope: Scope, user: str, limit: int) -> tuple[list[Episode], bool]:
        """A user's newest episodes, newest first, and whether they could be searched now."""
        rows, available = self._rounds.both(
            lambda: self._recent.newest_wanted(scope, EpisodeFilter(owner=user), limit),
            lambda: self._answers(scope),
        )
        return [to_episode(row) for row in rows], available

    def _answers(self, scope: Scope) -> bool:
        try:
            self._index.search(scope, SearchQuery(EPISODE_KIND, terms=("probe",), limit=1))
        except Unavailable:
            return False
        return True

    def similar(self, scope: Scope, asked: EpisodeQuery) -> Similar:
        """An agent's episodes by cosine similarity to the query, best first (AEGIS)."""
        wanted = EpisodeFilter(agent_id=asked.agent_id, owner=asked.user_id)
        answer = self._searching.search(scope, asked.query, wanted, limit=asked.top_k, mode=Mode.VECTOR)
        results = [
            SimilarEpisode(**dict(to_episode(hit.row)), similarity=min(1.0, max(-1.0, hit.score)))
            for hit in answer.found
        ]
        return Similar(results, answer.degraded)

    def matching(self, scope: Scope, user: str, query: str, *, limit: int, mode: Mode) -> Matching:
        """A user's episodes by words, meaning or both, best first (agtOS)."""
        answer = self._searching.search(scope, query, EpisodeFilter(owner=user), limit=limit, mode=mode)
        results = [
            MatchingEpisode(**dict(to_episode(hit.row)), score=hit.score, match_type=match_type(hit.method))
            for hit in answer.found
        ]
        return Matching(results, answer.degraded)

    def forget(self, scope: Scope, user: str, identity: str) -> None:
        """Delete one of a user's episodes.

        Raises:
            NotFound: unknown, forgotten already, or somebody else's.
        """
        number = episode_number(identity)
        if not number:
            raise NotFound("no such episode")
        try:
            self._table.transact(scope, removal(user, number, self._clock.now_us()))
        except ConditionFailed:
            raise NotFound("no such episode") from None
