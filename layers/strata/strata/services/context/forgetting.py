"""Forgetting in words: what matches is shown first, and what was shown is deleted by its ids."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from strata.domain.assembly.items import Remembered
from strata.domain.errors import NotFound
from strata.domain.relevance.floors import ANSWER_FLOOR
from strata.domain.scope import Scope
from strata.services.context.questions import About, Finder, Statements

Remove = Callable[[Scope, About, Remembered], object]
"""Deletes an item of one layer, so that it is not learnt again; raises `NotFound` where it is gone."""


class Forgetting:
    """Finds and deletes what is known about a person.

    Args:
        finder: finds what matches.
        removers: how items are deleted, by their layer; items of other layers are neither shown nor deleted.
    """

    def __init__(self, finder: Finder, removers: Mapping[str, Remove]) -> None:
        self._finder = finder
        self._removers = removers

    def matching(self, scope: Scope, about: About, query: str) -> Statements:
        """The memories that are likely meant, the likeliest first, also where several say the same.

        Raises:
            Unavailable: a store does not answer.
        """
        found = self._finder.find(scope, about, query, repeats=True)
        meant = [
            item for item in found.items if item.relevance >= ANSWER_FLOOR and item.layer in self._removers
        ]
        return replace(found, items=meant)

    def named(self, scope: Scope, about: About, ids: Sequence[str]) -> list[Remembered]:
        """Those of these that are there and may be seen."""
        return [item for item in self._finder.fetch(scope, about, ids) if item.layer in self._removers]

    def forget(self, scope: Scope, about: About, ids: Sequence[str]) -> list[Remembered]:
        """Delete these, as far as they are there and may be seen; what was deleted.

        Raises:
            Conflict, Unavailable: some may be deleted; the same call again deletes the rest.
        """
        gone = []
        for item in self.named(scope, about, ids):
            try:
                self._removers[item.layer](scope, about, item)
            except NotFound:  # deleted meanwhile, or with another one of these
                continue
            gone.append(item)
        return gone
