"""The messages of a conversation with their token counts, and the removal of old ones."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from strata.client.working_memory.messages import Message
from strata.client.working_memory.ties import newest_tied
from strata.client.working_memory.tokens import Tokenizer, message_tokens
from strata.client.working_memory.trimming import instructions_length, kept_within


@dataclass(frozen=True, slots=True)
class Older:
    """Messages to be replaced by a summary, with their indices."""

    places: tuple[int, ...]
    messages: tuple[Message, ...]


class History:
    """Messages, each counted once. Every removal returns the removed messages."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.messages: list[Message] = []
        self.costs: list[int] = []
        self.tokens = 0

    def extend(self, messages: Sequence[Message]) -> None:
        """Append messages: all, or none when one cannot be counted."""
        costs = [message_tokens(message, self._tokenizer) for message in messages]
        self.messages += messages
        self.costs += costs
        self.tokens += sum(costs)

    def talk(self) -> tuple[int, int]:
        """Number of messages and tokens after the initial instructions."""
        opening = 0
        while opening < len(self.messages) and self.messages[opening].is_instruction:
            opening += 1
        return len(self.messages) - opening, self.tokens - sum(self.costs[:opening])

    def trim(self, budget: int) -> list[Message]:
        """Remove the messages that `kept_within` does not keep."""
        if self.tokens <= budget:
            return []
        kept = kept_within(self.messages, self.costs, budget)
        stays = set(kept)
        removed = [message for place, message in enumerate(self.messages) if place not in stays]
        self._keep(kept)
        return removed

    def older(self, preserve_recent: int, awaited: Set[str]) -> Older | None:
        """The messages to summarize: all but instructions, the newest ones, and those tied to them.

        The group of a call whose id is in `awaited` stays, too. None when only a summary is left.
        """
        messages = self.messages
        newest = newest_tied(messages)
        recent = len(messages) - preserve_recent
        held = {
            newest[place]
            for place, message in enumerate(messages)
            if awaited and any(call.id in awaited for call in message.calls)
        }
        places = [
            place
            for place in range(instructions_length(messages, newest), recent)
            if newest[place] < recent and newest[place] not in held
        ]
        if all(messages[place].digest for place in places):
            return None
        return Older(tuple(places), tuple(messages[place] for place in places))

    def replace(self, older: Older, summary: Message) -> bool:
        """Replace these messages by the summary, which follows the instructions.

        False, without any change, when they have moved, or one is tied to a newer message by now.
        """
        messages = self.messages
        places = set(older.places)
        newest = newest_tied(messages)
        if max(places) >= len(messages):
            return False
        pairs = zip(older.places, older.messages, strict=True)
        if not all(messages[place] is message and newest[place] in places for place, message in pairs):
            return False
        opening = instructions_length(messages, newest)
        cost = message_tokens(summary, self._tokenizer)
        self._keep([place for place in range(len(messages)) if place not in places])
        self.messages.insert(opening, summary)
        self.costs.insert(opening, cost)
        self.tokens += cost
        return True

    def _keep(self, places: Sequence[int]) -> None:
        self.messages = [self.messages[place] for place in places]
        self.costs = [self.costs[place] for place in places]
        self.tokens = sum(self.costs)
