"""Episodes that Strata makes itself of what was said: how they are numbered, found, cleaned and kept."""

from collections.abc import Sequence

from strata.domain.ids import IdSource
from strata.domain.keywords import Rarity, keywords
from strata.ports import Clock, Item
from strata.services.episode_rows import episode_row, first
from strata.services.redacting import redacted_text


class DerivedEpisodes:
    """Makes their rows.

    Args:
        clock, ids: the time, and the source of their numbers.
        rarity: how rare words are, for keywords.
        ttl_seconds: for how long one is kept.
        redacting: whether secrets are taken out.
    """

    def __init__(
        self, clock: Clock, ids: IdSource, rarity: Rarity, *, ttl_seconds: int, redacting: bool = True
    ) -> None:
        self._clock = clock
        self._ids = ids
        self._rarity = rarity
        self._redacting = redacting
        self.ttl_seconds = ttl_seconds

    def now(self) -> int:
        """The time, which is no other episode's number."""
        return self._ids.next(self._clock.now_us())

    def cleaned(self, text: str) -> str:
        """What was said without the secrets in it, where they are taken out."""
        return redacted_text(text) if self._redacting else text

    def words(self, summary: str, said: Sequence[str]) -> Item:
        """What one says: its summary, with the keywords and the topic of these texts."""
        found = keywords(said, self._rarity)
        return {"summary": summary, "keywords": found, "topic": first(found)}

    def row(
        self,
        number: int,
        *,
        session_id: str,
        owner: str,
        user_id: str | None,
        agent_id: str | None,
        words: Item,
        importance: float,
        kind: str,
        now: int,
    ) -> Item:
        """Its row; see `episode_row`."""
        return episode_row(
            number,
            session_id=session_id,
            owner=owner,
            user_id=user_id,
            agent_id=agent_id,
            words=words,
            importance=importance,
            kind=kind,
            now=now,
            derived=True,
            ttl_seconds=self.ttl_seconds,
        )
