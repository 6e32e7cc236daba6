"""`WorkingMemory`: the conversation that an agent holds in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from strata.client.working_memory.chat import Chat, from_chat, to_chat
from strata.client.working_memory.checkpoints import Checkpoint, Reading, Restored
from strata.client.working_memory.delegations import Delegation
from strata.client.working_memory.history import History, Older
from strata.client.working_memory.messages import Message
from strata.client.working_memory.reading import Json
from strata.client.working_memory.stores import AsyncCheckpointStore, CheckpointStore, FilePath, store_at
from strata.client.working_memory.summarizing import Summarize, async_summary, summary
from strata.client.working_memory.tokens import Tokenizer, estimated_tokens


class WorkingMemory:
    """The messages of one conversation, within the limits of a model's context.

    When the messages exceed `max_history_tokens` or `max_messages` (None: no limit; with both None messages
    are trimmed on request only), those older than the last `preserve_recent` are replaced by one summary.
    Initial instructions are not counted, and stay; so do a call whose result is among the preserved messages,
    with all that is tied to it, and a call that is pending in a delegation group. The summary is
    deterministic, or written by `summarize` within `summary_timeout` seconds, and includes the earlier one.
    Its role is the user's, so that quoted text does not gain the authority of instructions.

    Tokens are counted by `tokenizer`, by default one for four characters. Nothing is redacted here.

    One conversation belongs to one thread or task at a time: the object has no lock. Only `aadd` and
    `asummarize_older` may run beside other calls of the same event loop.

    Attributes:
        session_id: the conversation's session in the memory service.
        tool_meta: the client's metadata (JSON) by tool call id; it is removed with its call.
        delegations: the state (a JSON object) of groups of delegated work, by group id; see `delegation`.
    """

    def __init__(
        self,
        messages: Iterable[Message | Chat] = (),
        *,
        session_id: str | None = None,
        max_history_tokens: int | None = 4_000,
        max_messages: int | None = 30,
        preserve_recent: int = 6,
        tokenizer: Tokenizer = estimated_tokens,
        summarize: Summarize | None = None,
        summary_timeout: float = 30.0,
    ) -> None:
        if preserve_recent < 1:
            raise ValueError("preserve_recent must be 1 or more")
        self.session_id = session_id
        self.tool_meta: dict[str, Any] = {}
        self.delegations: dict[str, Json] = {}
        self._max_tokens = max_history_tokens
        self._max_messages = max_messages
        self._preserve_recent = preserve_recent
        self._summarize = summarize
        self._summary_timeout = summary_timeout
        self._summarizing = False
        self._tokenizer = tokenizer
        self._history = History(tokenizer)
        self._append(messages)

    # --- what is said -----------------------------------------------------------------------------

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages, oldest first."""
        return tuple(self._history.messages)

    @property
    def tokens(self) -> int:
        """The tokens of all messages."""
        return self._history.tokens

    def __len__(self) -> int:
        return len(self._history.messages)

    def add(self, *messages: Message | Chat) -> None:
        """Add messages: `Message`, chat messages (`{"role": …, "content": …}`), or a client library's own.

        Older turns are summarized when a limit is exceeded.

        Raises:
            ValueError: one is not a message; none was added.
            TypeError: `summarize` is asynchronous; see `aadd`.
        """
        self._append(messages)
        self.summarize_older()

    async def aadd(self, *messages: Message | Chat) -> None:
        """As `add`, but awaits the summary; `summarize` may be asynchronous."""
        self._append(messages)
        await self.asummarize_older()

    def to_chat(self, *, reasoning: bool = True) -> list[Json]:
        """The messages for an OpenAI-compatible server; `reasoning=False` leaves reasoning out."""
        return to_chat(self._history.messages, reasoning=reasoning)

    # --- limits -----------------------------------------------------------------------------------

    def trim_to_token_budget(self, budget: int) -> list[Message]:
        """Remove messages from the front until the rest fits into `budget` tokens.

        `trimming.kept_within` has the rules. In short: tool calls and results stay together; instructions and
        the summary at the front stay if they fit; the rest starts with a request of the user if there is one;
        the last message stays with all that is tied to it, even if that alone exceeds the budget. The
        metadata of removed tool calls is removed, too.

        Returns:
            The removed messages.
        """
        if budget < 0:
            raise ValueError("budget must be 0 or more")
        removed = self._history.trim(budget)
        self._forget(removed)
        return removed

    def summarize_older(self) -> bool:
        """Replace older turns by a summary if a limit is exceeded; whether that was done."""
        older = self._older()
        if older is None:
            return False
        return self._replace(older, summary(older.messages, self._summarize, self._summary_timeout))

    async def asummarize_older(self) -> bool:
        """As `summarize_older`. While one summary is being written, another call does nothing."""
        older = None if self._summarizing else self._older()
        if older is None:
            return False
        self._summarizing = True
        try:
            made = await async_summary(older.messages, self._summarize, self._summary_timeout)
        finally:
            self._summarizing = False
        return self._replace(older, made)

    # --- delegated work ---------------------------------------------------------------------------

    def delegation(self, group_id: str) -> Delegation:
        """One group of delegated work, created if there is none."""
        return Delegation(self.delegations.setdefault(group_id, {}))

    # --- checkpoints ------------------------------------------------------------------------------

    def checkpoint(self, to: FilePath | CheckpointStore) -> None:
        """Save messages, session id, tool metadata and delegations to a file or another store.

        Raises:
            CheckpointError: they cannot be saved; the previous checkpoint is still there.
            OSError, StrataClientError: the file, or the service, is not available.
        """
        store_at(to).write(self._checkpoint())

    async def acheckpoint(self, to: FilePath | AsyncCheckpointStore) -> None:
        """As `checkpoint`, off the event loop."""
        if isinstance(to, str | os.PathLike):
            import asyncio  # noqa: PLC0415 - an agent that never awaits need not load it

            await asyncio.to_thread(store_at(to).write, self._checkpoint())
        else:
            await to.write(self._checkpoint())

    def restore(self, source: FilePath | CheckpointStore) -> Restored:
        """Resume from a checkpoint, which replaces the content of this memory.

        Without a readable checkpoint the memory is unchanged. An unreadable one is set aside for inspection,
        and does not raise.

        Raises:
            OSError, StrataClientError: the file, or the service, is not available.
        """
        return self._restored(store_at(source).read())

    async def arestore(self, source: FilePath | AsyncCheckpointStore) -> Restored:
        """As `restore`, off the event loop."""
        if isinstance(source, str | os.PathLike):
            import asyncio  # noqa: PLC0415 - as above

            return self._restored(await asyncio.to_thread(store_at(source).read))
        return self._restored(await source.read())

    # --- inside -----------------------------------------------------------------------------------

    def _append(self, messages: Iterable[Message | Chat]) -> None:
        self._history.extend([each if isinstance(each, Message) else from_chat(each) for each in messages])

    def _older(self) -> Older | None:
        history = self._history
        messages, tokens = history.talk()
        too_many = self._max_messages is not None and messages > self._max_messages
        too_long = self._max_tokens is not None and tokens > self._max_tokens
        if not too_many and not too_long:
            return None
        awaited = {call_id for group in self.delegations for call_id in self.delegation(group).pending}
        return history.older(self._preserve_recent, awaited)

    def _replace(self, older: Older, made: Message) -> bool:
        replaced = self._history.replace(older, made)
        if replaced:
            self._forget(older.messages)
        return replaced

    def _forget(self, removed: Iterable[Message]) -> None:
        """Drop the metadata of removed tool calls."""
        gone = {call.id for message in removed for call in message.calls} & self.tool_meta.keys()
        if gone:
            gone -= {call.id for message in self._history.messages for call in message.calls}
        for call_id in gone:
            del self.tool_meta[call_id]

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(
            self.messages, self.session_id, deepcopy(self.tool_meta), deepcopy(self.delegations)
        )

    def _restored(self, reading: Reading) -> Restored:
        checkpoint = reading.checkpoint
        if checkpoint is None:
            return Restored(False, problem=reading.problem, set_aside=reading.set_aside)
        history = History(self._tokenizer)
        history.extend(checkpoint.messages)
        self._history = history
        self.session_id = checkpoint.session_id
        self.tool_meta = dict(checkpoint.tool_meta)
        self.delegations = {group: dict(state) for group, state in checkpoint.delegations.items()}
        return Restored(True, left_out=checkpoint.left_out)
