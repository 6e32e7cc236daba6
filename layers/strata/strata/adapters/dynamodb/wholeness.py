"""Restores values from bodies into their items."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from strata.adapters.dynamodb.overflow import of_body
from strata.adapters.dynamodb.rows import Bodied, InBody
from strata.domain.errors import StrataError, Unavailable
from strata.domain.scope import Scope
from strata.ports.bodies import Bodies
from strata.ports.rows import Item, Key

_log = logging.getLogger(__name__)

_TRIES = 5

Reread = Callable[[Scope, Sequence[Key]], Mapping[Key, Item]]
"""Reads the current live rows of some keys consistently; values may be in bodies again."""


class Wholeness:
    """Reads and drops the bodies of rows.

    Args:
        bodies: where they are; None where rows have none.
        reread: reads rows again that changed while their bodies were being read.
    """

    def __init__(self, bodies: Bodies | None, reread: Reread) -> None:
        self._bodies = bodies
        self._reread = reread

    def one(self, scope: Scope, key: Key, item: Item) -> Item | None:
        """The item with all its values; None if its row is gone by now."""
        return self.many(scope, {key: item}).get(key) if isinstance(item, Bodied) else item

    def many(self, scope: Scope, items: Mapping[Key, Item]) -> dict[Key, Item]:
        """The items with all their values, without those whose rows are gone by now.

        Raises:
            Unavailable: a body is missing although its row is not being written.
        """
        whole: dict[Key, Item] = dict(items)
        waiting = _bodied(whole)
        for _ in range(_TRIES):
            if not waiting:
                return whole
            found = self._found(scope, [name for item in waiting.values() for name in _names(item)])
            torn = []
            for key, item in waiting.items():
                if found.keys() >= set(_names(item)):
                    whole[key] = {name: _value(value, found) for name, value in item.items()}
                else:
                    torn.append(key)
            now = self._reread(scope, torn) if torn else {}
            for key in torn:
                if key not in now:
                    del whole[key]
                elif _names(whole[key]) == _names(now[key]):
                    raise Unavailable("a part of a row is missing")
                else:
                    whole[key] = now[key]
            waiting = _bodied({key: whole[key] for key in torn if key in whole})
        raise Unavailable("the rows are being written by others; try again")

    def drop(self, scope: Scope, names: Collection[str]) -> None:
        """Delete orphaned bodies. One that remains takes space and is never read."""
        if self._bodies is None or not names:
            return
        try:
            self._bodies.delete_many(scope, sorted(names))
        except StrataError:
            self.note(names)

    def note(self, names: Collection[str]) -> None:
        """Record bodies that may be orphaned, for the sweep."""
        if names:
            _log.warning("bodies that perhaps no row names: %s", ", ".join(sorted(names)))

    def _found(self, scope: Scope, names: Sequence[str]) -> Mapping[str, bytes]:
        if self._bodies is None:
            raise Unavailable("a row has parts in a store of bodies, and none is configured")
        return self._bodies.get_many(scope, names)


def _bodied(items: Mapping[Key, Item]) -> dict[Key, Item]:
    return {key: item for key, item in items.items() if isinstance(item, Bodied)}


def _names(item: Item) -> list[str]:
    return sorted(value.name for value in item.values() if isinstance(value, InBody))


def _value(value: Any, found: Mapping[str, bytes]) -> Any:
    return of_body(found[value.name]) if isinstance(value, InBody) else value
