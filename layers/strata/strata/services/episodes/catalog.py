"""Storing and forgetting episodes.

An episode belongs to the owner of its conversation, or to `default` where it has none (agtOS), and is stored
by id among its owner's. As with observations, a change note in the write's own transaction names it until the
index shows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.errors import NotFound
from strata.domain.ids import IdSource
from strata.domain.redaction.texts import without_secrets
from strata.domain.scope import Scope
from strata.domain.text.keywords import Rarity, keywords
from strata.domain.text.strings import cut
from strata.domain.times import DAY
from strata.domain.wire.episodes import CONVERSATION, DEFAULT_OWNER, USUAL_IMPORTANCE, NewEpisode, words_of
from strata.domain.wire.fields import MAX_IDENT, MAX_SUMMARY, MAX_TAG
from strata.ports.clock import Clock
from strata.ports.rows import Action, Equals, Item, Update
from strata.ports.table import Table
from strata.services.episodes.rows import episode_row, insertion, removal, topic_of
from strata.services.people.ownership import Ownership
from strata.services.records.episodes import episode_id, episode_key, episode_number
from strata.services.records.sessions import session_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

MOST_OF_A_CONVERSATION = 1000
NOT_KEPT = episode_id(0)
"""Stands for the id of an episode in a session that keeps nothing."""


@dataclass(frozen=True, slots=True)
class EpisodeCatalog:
    """Stores and forgets episodes.

    Attributes:
        rarity: rates how rare words are, for keywords.
        redacting: whether secrets are redacted.
    """

    table: Table
    clock: Clock
    ids: IdSource
    ownership: Ownership
    rarity: Rarity
    redacting: bool = True

    def store(self, scope: Scope, new: NewEpisode) -> str:
        """Store an episode by hand and return its id; `ep-0` where the session keeps nothing.

        Raises:
            OwnedByAnother: the conversation belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        words = self._words(new)

        def attempt(_: Refused | None) -> str:
            session = self.table.get(scope, session_key(new.conversation_id))
            admitted = self.ownership.admit(scope, new.conversation_id, session, new.user_id)
            owner = admitted.owner
            if not admitted.kept or (not owner and not self.ownership.keeps_nobodys_episodes(scope)):
                return NOT_KEPT
            now = self.ids.next(self.clock.now_us())
            row = episode_row(
                now,
                session_id=new.conversation_id,
                project=new.project or (session or {}).get("project"),
                owner=owner or DEFAULT_OWNER,
                user_id=owner,
                agent_id=new.agent_id,
                words=words,
                importance=USUAL_IMPORTANCE if new.importance is None else new.importance,
                kind=words.pop("type", CONVERSATION),
                now=now,
                derived=False,
                ttl_seconds=None if new.ttl_days is None else new.ttl_days * DAY,
            )
            try:
                transact(self.table, scope, {**insertion(row), "session": admitted.claim})
            except Refused as refused:
                there = refused.row("episode")
                if there is None or there.get("write") != row["write"]:
                    raise
                # it is this very write, whose answer was lost
            return episode_id(now)

        return settled(self.clock, "the conversation", attempt)

    def _words(self, new: NewEpisode) -> Item:
        given = new.model_dump(
            include={"summary", "key_decisions", "entities", "tools_used", "keywords", "topic", "type"},
            exclude_none=True,
        )
        words = without_secrets(given) if self.redacting else given
        words["summary"] = cut(words["summary"], MAX_SUMMARY)
        found: list[str] | None = words.get("keywords")
        if found is None:
            notes = [words_of(note) for note in (*words.get("key_decisions", ()), *words.get("entities", ()))]
            found = keywords([words["summary"], *notes], self.rarity)
        words["keywords"] = [cut(each, MAX_TAG) for each in found]
        words["topic"] = cut(words.get("topic") or topic_of(found), MAX_IDENT)
        return words

    def forget(self, scope: Scope, user: str, identity: str) -> None:
        """Delete one of a user's episodes.

        Raises:
            NotFound: unknown, forgotten already, or somebody else's.
        """
        number = episode_number(identity)

        def attempt(_: Refused | None) -> None:
            row = self.table.get(scope, episode_key(user, number)) if number else None
            if not row or not number:
                raise NotFound("no such episode")
            actions: dict[str, Action | Sequence[Action]] = {
                "episode": removal(user, number, row["session_id"], self.clock.now_us())
            }
            key = session_key(row["session_id"])
            if (self.table.get(scope, key) or {}).get("episode") == number:  # its line says the same
                actions["line"] = Update(key, set={"about": ""}, condition=Equals("episode", number))
            transact(self.table, scope, actions)

        settled(self.clock, "the episode", attempt)
