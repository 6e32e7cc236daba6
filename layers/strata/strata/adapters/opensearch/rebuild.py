"""The next version of the index while it is being built."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from strata.adapters.opensearch.versions import Versions

if TYPE_CHECKING:
    from strata.adapters.opensearch.search_index import OpenSearchIndex


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The next version of an index, which is filled through `index` beside the live one."""

    index: "OpenSearchIndex"
    identity: str
    name: str
    _live: "OpenSearchIndex"
    _versions: Versions

    def finish(self) -> None:
        """Point the alias to this version, and drop all others.

        The latest writes become visible after the engine's refresh interval.
        """
        self._versions.switch(self.name)
        self._live.forget_fit()
