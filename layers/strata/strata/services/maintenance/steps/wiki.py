"""Step: a language model reads what names entities, of people whose episodes changed."""

from collections import Counter
from collections.abc import Callable, Mapping

from strata.domain.scope import Scope
from strata.services.maintenance.marks import Marks
from strata.services.maintenance.step import Swept, Window
from strata.services.maintenance.steps.owners import skipped
from strata.services.records.episodes import EPISODES_PREFIX, episode_key
from strata.services.records.kinds import EPISODES
from strata.services.records.parts import whole

WIKI = "wiki"

Read = Callable[[Scope, str, bool], Mapping[str, int]]
"""Has the model read for one person, or counts (True) what it would read; the numbers for the report."""


class WikiStep:
    """Has the model read for one person at a time, since it may take minutes.

    Args:
        marks: name the people whose episodes changed.
        read: is done for each.
        deferral: why a tenant's step is skipped now; empty when it may take place.
    """

    name = WIKI

    def __init__(self, marks: Marks, read: Read, deferral: Callable[[Scope], str]) -> None:
        self._marks = marks
        self._read = read
        self._deferral = deferral

    def due(self, scope: Scope, window: Window) -> bool:
        """Whether any rows changed: perhaps episodes."""
        return bool(self._marks.partitions(scope, window.days, None, 1)[0])

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        """Read for the next person."""
        if not window.dry and (why := self._deferral(scope)):
            return skipped(why)
        partitions, after = self._marks.partitions(scope, window.days, cursor, 1)
        counts: Counter[str] = Counter(people=0)
        for partition in (each for each in partitions if each.kind == EPISODES.name):
            owner = whole(partition.key.removeprefix(EPISODES_PREFIX))
            found = self._read(scope, owner, window.dry)
            if found.get("waiting") and not window.dry:
                # the next run covers what is marked from this one's last day on
                self._marks.follow(scope, [episode_key(owner, partition.number)])
            counts.update(found)
            counts["people"] += 1
        return Swept(counts, after, again=counts["waiting"] > 0)
