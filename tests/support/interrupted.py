"""A table in whose work others come between."""

from collections.abc import Callable, Sequence
from typing import Any

from strata.domain.scope import Scope
from strata.ports.rows import Action
from strata.ports.table import Page, Query, Table


class Interrupted:
    """A table that lets something happen after a partition was listed, and before a transaction."""

    def __init__(
        self,
        table: Table,
        listed: Callable[[Query], None] = lambda _: None,
        written: Callable[[Sequence[Action]], None] = lambda _: None,
    ) -> None:
        self._table = table
        self._listed = listed
        self._written = written

    def transact(self, scope: Scope, actions: Sequence[Action]) -> None:
        self._written(actions)
        self._table.transact(scope, actions)

    def query(self, scope: Scope, query: Query) -> Page:
        page = self._table.query(scope, query)
        self._listed(query)
        return page

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)
