"""What the makers of episodes share that Strata makes itself of what was said."""

from collections.abc import Sequence

from strata.domain.ids import IdSource
from strata.domain.text.keywords import Rarity, keywords
from strata.ports import Clock, Item
from strata.services.episodes.rows import first
from strata.services.redaction import redacted_text


class DerivedEpisodes:
    """Numbers, cleans and words them, and says how long they are kept.

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
