"""The injection ledger: the items a conversation has already been given, so that none is injected twice.

Each item is a row of its own, written under a condition, so of many concurrent marks exactly one succeeds.
An item belongs to the life of its conversation in which it was marked; rows of earlier lives are ignored.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from strata.domain.scope import Scope
from strata.domain.wire.ledger import INJECTED, REPEATED
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AnyOf, AtMost, Delete, Equals, Item, Put, Update
from strata.ports.table import ConditionFailed, Query, Table
from strata.services.conversations.life import ConversationLife
from strata.services.people.ownership import Ownership, owner_of
from strata.services.records.conversations import LEDGER_PREFIX, head_key, ledger_key
from strata.services.records.sessions import session_key
from strata.services.table.pages import every_row
from strata.services.table.parallel import Parallel
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

AT_ONCE = 90
"""Items in one transaction, which takes 100 actions."""

_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Seen:
    """A conversation as a call found it: its session, its head, and the items in its ledger, newest first."""

    session: Item | None
    head: Item | None
    items: dict[str, str]


@dataclass(frozen=True, slots=True)
class Ledger:
    """Marks, finds and evicts the items of conversations."""

    table: Table
    clock: Clock
    conversations: ConversationLife
    ownership: Ownership
    parallel: Parallel

    def items(self, scope: Scope, conversation_id: str) -> dict[str, str]:
        """Return every item with its value, newest first."""
        return self.see(scope, conversation_id).items

    def see(self, scope: Scope, conversation_id: str, user_id: str | None = None) -> Seen:
        """Read the conversation with every item of its ledger.

        Raises:
            OwnedByAnother: the conversation belongs to another user.
        """
        keys = session_key(conversation_id), head_key(conversation_id)
        query = Query(keys[1].pk, prefix=LEDGER_PREFIX, limit=_PAGE)
        rows, marked = self.parallel.both(
            lambda: self.table.get_many(scope, keys),
            lambda: [row.item for row in every_row(self.table, scope, query)],
        )
        session, head = rows.get(keys[0]), rows.get(keys[1])
        owner_of(session, user_id)
        if head is None:
            return Seen(session, None, {})
        self.conversations.refresh(scope, conversation_id, head)
        mine = [row for row in marked if row["life"] == head["life"]]
        mine.sort(key=lambda row: row["marked_at"], reverse=True)
        return Seen(session, head, {row["item"]: row["value"] for row in mine})

    def check(self, scope: Scope, conversation_id: str, item: str) -> bool:
        """Whether the item is in the ledger."""
        _, head, marked = self._read(scope, conversation_id, [item])
        if head is not None:
            self.conversations.refresh(scope, conversation_id, head)
        return item in marked

    def mark(
        self,
        scope: Scope,
        conversation_id: str,
        item: str,
        value: str = INJECTED,
        user_id: str | None = None,
        *,
        again: bool = False,
    ) -> bool:
        """Mark an item; True where this call marked it, False where an earlier one had.

        With `again` an item that was marked before gets this value.

        Raises:
            OwnedByAnother: the conversation belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        marked = bool(self._mark(scope, conversation_id, {item: value}, user_id))
        if not marked and again:
            head = self.table.get(scope, head_key(conversation_id))
            there = Equals("life", head["life"] if head else None)
            change = Update(ledger_key(conversation_id, item), set={"value": value}, condition=there)
            with suppress(ConditionFailed):  # it was evicted since, or the conversation has ended
                self.table.update(scope, change)
        return marked

    def mark_many(
        self,
        scope: Scope,
        conversation_id: str,
        items: Iterable[str],
        *,
        value: str = INJECTED,
        repeated: Iterable[str] = (),
        user_id: str | None = None,
        seen: Seen | None = None,
    ) -> set[str]:
        """Mark items and return those that this call marked. Each item is atomic by itself.

        Pass in `repeated` further items that say what one of these says, and `seen` to save a read where the
        conversation was just read and held none of the items.

        Raises:
            OwnedByAnother: the conversation belongs to another user.
            Conflict: concurrent writers did not let this one settle.
        """
        wanted = list((dict.fromkeys(repeated, REPEATED) | dict.fromkeys(items, value)).items())
        parts = [dict(wanted[start : start + AT_ONCE]) for start in range(0, len(wanted), AT_ONCE)]
        marked = [self._mark(scope, conversation_id, part, user_id, seen) for part in parts]
        return set[str]().union(*marked)

    def evict(self, scope: Scope, conversation_id: str, item: str, user_id: str | None = None) -> bool:
        """Remove an item, so that it can be marked again; True where it was there.

        Raises:
            OwnedByAnother: the conversation belongs to another user.
        """
        session, head, marked = self._read(scope, conversation_id, [item])
        owner_of(session, user_id)
        if head is None:
            return False
        self.conversations.refresh(scope, conversation_id, head)
        if item not in marked:
            return False
        row = ledger_key(conversation_id, item)
        try:
            self.table.transact(scope, [Delete(row, Equals("life", head["life"]))])
        except ConditionFailed:
            return False
        return True

    def _read(
        self, scope: Scope, conversation_id: str, items: Sequence[str]
    ) -> tuple[Item | None, Item | None, set[str]]:
        """The session, the head, and those of the items that are marked."""
        keys = {item: ledger_key(conversation_id, item) for item in items}
        session, head = session_key(conversation_id), head_key(conversation_id)
        rows = self.table.get_many(scope, [session, head, *keys.values()])
        life = rows[head]["life"] if head in rows else None
        marked = {item for item, key in keys.items() if key in rows and rows[key]["life"] == life}
        return rows.get(session), rows.get(head), marked

    def _mark(
        self,
        scope: Scope,
        conversation_id: str,
        values: Mapping[str, str],
        user_id: str | None,
        seen: Seen | None = None,
    ) -> set[str]:
        """Mark up to `AT_ONCE` items in one transaction, leaving out those already marked."""
        if seen is None:
            session, head, marked = self._read(scope, conversation_id, [*values])
        else:
            session, head, marked = seen.session, seen.head, set()
        left = [item for item in values if item not in marked]

        def attempt(refused: Refused | None) -> set[str]:
            nonlocal session, head, left
            if refused is not None:
                taken = {put.key for put in refused.actions("items")}
                left = [item for item in left if ledger_key(conversation_id, item) not in taken]
                session, head = refused.row("session", session), refused.row("head", head)
            admitted = self.ownership.admit(scope, conversation_id, session, user_id)
            if not admitted.kept:
                return {*values}
            life, beside = self._life(scope, conversation_id, head)
            puts = [self._put(conversation_id, item, values[item], life) for item in left]
            transact(self.table, scope, {"items": puts, "head": beside, "session": admitted.claim})
            return set(left)

        return settled(self.clock, "the ledger", attempt)

    def _life(
        self, scope: Scope, conversation_id: str, head: Item | None
    ) -> tuple[int, Sequence[Put | Update]]:
        """The life that items are marked in, and the action that begins or prolongs it where one is due."""
        if head is None:
            head = self.conversations.begin()
            return head["life"], [Put(head_key(conversation_id), head, Absent())]
        due = self.conversations.due_refresh(scope, conversation_id, head)
        return head["life"], [due] if due else []

    def _put(self, conversation_id: str, item: str, value: str, life: int) -> Put:
        row = self.conversations.ledger_row(life, item, value)
        unmarked = AnyOf((Absent(), AtMost("life", life - 1)))
        return Put(ledger_key(conversation_id, item), row, unmarked)
