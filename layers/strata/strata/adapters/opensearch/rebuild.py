"""A version of the index on its way to be the live one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.adapters.opensearch.versions import Versions

if TYPE_CHECKING:
    from strata.adapters.opensearch.search_index import OpenSearchIndex


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The next version of an index while it is filled, through `index`, beside the live one.

    What changes in the table meanwhile goes to the live index only: its keys are to be followed again
    after `finish`.
    """

    index: "OpenSearchIndex"
    name: str
    _live: "OpenSearchIndex"
    _versions: Versions

    def finish(self) -> None:
        """Let every search and write take this version, in one step, and drop the one before.

        What was written within the engine's refresh interval shows when that is over.
        """
        self._versions.switch(self.name)
        self._live.forget_fit()
