"""Working memory and ledgers."""

from functools import cached_property

from strata.bootstrap.room import Room
from strata.services.conversations.ledger import Ledger
from strata.services.conversations.life import ConversationLife
from strata.services.conversations.working_memory import WorkingMemory


class Conversations(Room):
    """Conversations: their lifetime, working memory and injection ledger."""

    @cached_property
    def life(self) -> ConversationLife:
        ttl = self._settings.working_memory_ttl
        return ConversationLife(self._app.stores.table, self._app.clock, ttl_seconds=ttl)

    @cached_property
    def working_memory(self) -> WorkingMemory:
        return WorkingMemory(self._app.stores.table, self._app.clock, self.life, self._app.people.ownership)

    @cached_property
    def ledger(self) -> Ledger:
        stores = self._app.stores
        return Ledger(stores.table, self._app.clock, self.life, self._app.people.ownership, stores.parallel)
