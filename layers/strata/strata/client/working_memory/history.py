"""The messages of a conversation with what they cost, and what may leave them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from strata.client.working_memory.messages import Message
from strata.client.working_memory.ties import newest_tied
from strata.client.working_memory.tokens import Tokenizer, message_tokens
from strata.client.working_memory.trimming import instructions_length, kept_within


@dataclass(frozen=True, slots=True)
class Older:
    """Messages that a summary is to stand for, with their places."""

    places: tuple[int, ...]
    messages: tuple[Message, ...]


class History:
    """Messages, each counted once. Every removal tells which messages went."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.messages: list[Message] = []
        self.costs: list[int] = []
        self.tokens = 0

    def extend(self, messages: Sequence[Message]) -> None:
        """Add messages at the end: all, or none when one can't be counted."""
        costs = [message_tokens(message, self._tokenizer) for message in messages]
        self.messages += messages
        self.costs += costs
        self.tokens += sum(costs)

    def talk(self) -> tuple[int, int]:
        """How many messages, and tokens, follow the instructions at the beginning."""
        opening = 0
        while opening < len(self.messages) and self.messages[opening].is_instruction:
            opening += 1
        return len(self.messages) - opening, self.tokens - sum(self.costs[:opening])

    def trim(self, budget: int) -> list[Message]:
        """Remove what `kept_within` does not keep."""
        if self.tokens <= budget:
            return []
        kept = kept_within(self.messages, self.costs, budget)
        stays = set(kept)
        removed = [message for place, message in enumerate(self.messages) if place not in stays]
        self._keep(kept)
        return removed

    def older(self, preserve_recent: int, awaited: Set[str]) -> Older | None:
        """What may be summarized: all but instructions, the newest messages, and what must stay with these.

        The group of a call whose id is in `awaited` stays, too. None when there is nothing but a summary.
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
        """Put the summary after the instructions, in the place of what it stands for.

        False, and nothing is changed, when these messages have moved, or one is tied to a newer one by now.
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
