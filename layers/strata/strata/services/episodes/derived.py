"""Shared code for episodes that Strata derives from conversations."""

from collections.abc import Sequence

from strata.domain.ids import IdSource
from strata.domain.redaction.texts import redacted_text
from strata.domain.text.keywords import Rarity, keywords
from strata.ports.clock import Clock
from strata.ports.rows import Item
from strata.services.episodes.rows import topic_of


class DerivedEpisodes:
    """Numbers and redacts derived episodes, and chooses their words.

    Args:
        rarity: rates how rare words are, for keywords.
        ttl_seconds: how long one is kept.
        redacting: whether secrets are redacted.
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
        """Return the time, unique among the numbers of episodes."""
        return self._ids.next(self._clock.now_us())

    def clean(self, text: str) -> str:
        """Redact the secrets in a text, where redaction is on."""
        return redacted_text(text) if self._redacting else text

    def words(self, summary: str, said: Sequence[str]) -> Item:
        """Return an episode's summary, with the keywords and the topic of these texts."""
        found = keywords(said, self._rarity)
        return {"summary": summary, "keywords": found, "topic": topic_of(found)}
