"""Working memory: the fields of a conversation, merged safely under any number of concurrent writers."""

import secrets
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from strata.domain.errors import TooLarge
from strata.domain.scope import Scope
from strata.domain.wire.working_memory import WorkingMemoryChange
from strata.domain.working_memory import MAX_BYTES, MAX_SIZE, size_of
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, AtMost, Condition, Equals, Item, Put, Update
from strata.ports.table import Table
from strata.services.conversations.life import ConversationLife
from strata.services.people.ownership import Ownership, owner_of
from strata.services.records.conversations import fields_of, head_key, mark_name, shard_name, sharded
from strata.services.records.sessions import session_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact, update

Fields = dict[str, str]
"""Fields of a conversation, each as its JSON text."""


@dataclass(frozen=True, slots=True)
class WorkingMemory:
    """Reads, merges and deletes the fields of conversations."""

    table: Table
    clock: Clock
    conversations: ConversationLife
    ownership: Ownership

    def get(self, scope: Scope, conversation_id: str) -> Fields:
        """Return all fields; none of a conversation that is unknown or has expired."""
        head = self.table.get(scope, head_key(conversation_id))
        if head is not None:
            self.conversations.refresh(scope, conversation_id, head)
        return fields_of(head)

    def put(
        self, scope: Scope, conversation_id: str, change: WorkingMemoryChange, user_id: str | None = None
    ) -> Fields:
        """Set fields and return all of them; where the session keeps nothing, return the given ones.

        Raises:
            TooLarge: all fields together would be over 64 KB; nothing is changed.
            OwnedByAnother: the conversation belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        session, head = self._read(scope, conversation_id)

        def attempt(refused: Refused | None) -> Fields:
            nonlocal session, head
            if refused is not None:
                session, head = refused.row("session", session), refused.row("head", head)
            admitted = self.ownership.admit(scope, conversation_id, session, user_id)
            fields = _Fields.changed(head if admitted.kept else None, change.texts)
            if fields.size > MAX_SIZE:
                raise TooLarge(f"the working memory of a conversation may have {MAX_BYTES} bytes of JSON")
            if not admitted.kept:
                return change.texts
            if head is None:
                write: Put | Update = self._beginning(conversation_id, fields, change.ttl_seconds)
            else:
                write = self._update(scope, conversation_id, head, fields, change.ttl_seconds)
            return self._write(scope, write, admitted.claim)

        return settled(self.clock, "the working memory", attempt)

    def delete(
        self,
        scope: Scope,
        conversation_id: str,
        names: Sequence[str] | None = None,
        user_id: str | None = None,
    ) -> int:
        """Delete these fields, or all of them, and return how many there were. The ledger stays.

        A name with commas that no field has stands for several names.

        Raises:
            OwnedByAnother: the conversation belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        session, found = self._read(scope, conversation_id)
        owner_of(session, user_id)

        def attempt(refused: Refused | None) -> int:
            head = found if refused is None else refused.row("head")
            if head is None:
                return 0
            there = fields_of(head)
            asked = there if names is None else [each for name in names for each in _named(name, there)]
            gone = {name for name in asked if name in there}
            if not gone:
                self.conversations.refresh(scope, conversation_id, head)
                return 0
            fields = _Fields.changed(head, dict.fromkeys(gone))
            update(self.table, scope, "head", self._update(scope, conversation_id, head, fields))
            return len(gone)

        return settled(self.clock, "the working memory", attempt)

    def _read(self, scope: Scope, conversation_id: str) -> tuple[Item | None, Item | None]:
        """The session and the head."""
        keys = session_key(conversation_id), head_key(conversation_id)
        rows = self.table.get_many(scope, keys)
        return rows.get(keys[0]), rows.get(keys[1])

    def _beginning(self, conversation_id: str, fields: "_Fields", ttl_seconds: int | None) -> Put:
        """Makes the head of a conversation that has none."""
        head = self.conversations.begin(ttl_seconds) | fields.values | {"size": fields.size}
        return Put(head_key(conversation_id), head, Absent())

    def _update(
        self,
        scope: Scope,
        conversation_id: str,
        head: Item,
        fields: "_Fields",
        ttl_seconds: int | None = None,
    ) -> Update:
        """Changes the fields, provided nobody has written their shards meanwhile and there is still room."""
        prolonged, condition = self.conversations.prolong(scope, conversation_id, head, ttl_seconds)
        room = AtMost("size", MAX_SIZE - fields.added)
        return Update(
            head_key(conversation_id),
            set=prolonged | fields.values,
            add={"size": fields.added},
            remove=fields.emptied,
            condition=AllOf((condition, room, *fields.untouched)),
        )

    def _write(self, scope: Scope, write: Put | Update, claim: Sequence[Update]) -> Fields:
        """All fields after a write that may also claim the conversation for its owner."""
        if not claim and isinstance(write, Update):
            return fields_of(update(self.table, scope, "head", write))
        transact(self.table, scope, {"head": write, "session": claim})
        if isinstance(write, Put):
            return fields_of(write.item)
        return fields_of(self.table.get(scope, write.key))


@dataclass(frozen=True, slots=True)
class _Fields:
    """The shards that a change of fields touches, as they are after it."""

    values: Item
    emptied: tuple[str, ...]
    added: int
    """Bytes by which all fields grow."""
    size: int
    """Bytes of all fields after it."""
    untouched: tuple[Condition, ...]
    """Hold while these shards are as they were read."""

    @classmethod
    def changed(cls, head: Item | None, changed: Mapping[str, str | None]) -> "_Fields":
        """Give fields these texts, and remove those whose text is None."""
        head = head or {}
        values: Item = {}
        emptied: list[str] = []
        untouched: list[Condition] = []
        added = 0
        for number, names in sharded(changed).items():
            shard, mark = shard_name(number), mark_name(number)
            before: Fields = head.get(shard, {})
            both = before | {name: changed[name] for name in names}
            after = {name: text for name, text in both.items() if text is not None}
            added += size_of(after) - size_of(before)
            untouched.append(Equals(mark, head.get(mark)))
            if after:
                values |= {shard: after, mark: secrets.randbits(53)}
            else:
                emptied += (shard, mark)
        return cls(values, tuple(emptied), added, head.get("size", 0) + added, tuple(untouched))


def _named(name: str, there: Container[str]) -> list[str]:
    return [name] if name in there else name.split(",")
