"""Recognition of the entities that a text names."""

from typing import Protocol

from strata.domain.entities.shapes import Mention


class EntityRecognizer(Protocol):
    """Finds entities in texts. The same text always gives the same mentions.

    Raises: `Unavailable` when a recognizer that is not part of this process does not answer.
    """

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        """The entities that the text names, in their order; each once, in its longest form.

        `language` is "en" or "es" where it is known; without it the recognizer decides.
        """
