"""After any history of mentions, merges and lost sources each name has its own counts, also after undo."""

import tempfile
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from strata.domain.entities.shapes import Mention
from strata.services.entities.catalog import Wanted
from strata.services.entities.recording import Source
from strata.services.entities.view import Sight
from strata.services.records.entities import entity_id
from support.clocks import HandClock
from support.memory import LOCAL, application

WANTED = Wanted(Sight())
PROJECTS = ("demo", "web")
NAMES = ("Ana Ruiz", "Bea Soto", "Carla Diaz")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("tell"), st.integers(0, 2), st.integers(0, 5)),
        st.tuples(st.just("lose"), st.integers(0, 5)),
        st.tuples(st.just("merge"), st.integers(0, 2), st.integers(0, 2)),
        st.tuples(st.just("undo"), st.integers(0, 2)),
        st.tuples(st.just("bury"), st.integers(0, 2)),
    ),
    max_size=14,
)


class House:
    """One store, and what each name must count: its own sources, whatever is merged."""

    def __init__(self, folder: Path) -> None:
        self.app = application(folder, HandClock())
        self.counts: dict[int, set[tuple[int, int]]] = {number: set() for number in range(3)}
        self.into: dict[int, int] = {}
        for number in range(3):
            self.tell(number, number)

    def tell(self, number: int, source: int) -> None:
        """Each source names one person once."""
        told = Source(f"ep-{number}{source}", "ann", "s1", None, PROJECTS[source % 2], False, source + 1)
        self.app.entities.recorder.record(LOCAL, told, [Mention(NAMES[number], "person", 0, 1)], [])
        self.counts[number].add((number, source))

    def lose(self, source: int) -> None:
        for number in range(3):
            if (number, source) in self.counts[number] and len(self.counts[number]) > 1:
                self.app.entities.recorder.remove(LOCAL, "ann", f"ep-{number}{source}")
                self.counts[number].discard((number, source))

    def merge(self, target: int, source: int) -> None:
        if self.root(target) != self.root(source):
            into, merged = (self.ids[self.root(each)] for each in (target, source))
            self.app.entities.editor.merge(LOCAL, "ann", into, merged, Sight())
            self.into[self.root(source)] = self.root(target)

    def undo(self, number: int) -> None:
        if number in self.into:
            ids = self.ids[self.root(number)], self.ids[number]
            self.app.entities.editor.undo(LOCAL, "ann", *ids, Sight())
            del self.into[number]

    def bury(self, number: int) -> None:
        """Delete an entity and restore it."""
        root = self.ids[self.root(number)]
        self.app.entities.editor.delete(LOCAL, "ann", root, Sight())
        self.totals_are_those_of_the_list()
        self.app.entities.editor.restore(LOCAL, "ann", root, Sight())

    def root(self, number: int) -> int:
        while number in self.into:
            number = self.into[number]
        return number

    @property
    def ids(self) -> dict[int, str]:
        return {n: entity_id("ann", "person", name.lower()) for n, name in enumerate(NAMES)}

    def holds(self) -> None:
        expected: dict[str, tuple[int, set[str]]] = {}
        for number, name in enumerate(NAMES):
            root = self.ids[self.root(number)]
            count, names = expected.get(root, (0, set()))
            expected[root] = count + len(self.counts[number]), names | {name}
        found: list[Any] = self.app.entities.catalog.page(LOCAL, "ann", WANTED, None, 10).entities
        assert {each.id: (each.mention_count, set(each.aliases)) for each in found} == expected
        self.totals_are_those_of_the_list()

    def totals_are_those_of_the_list(self) -> None:
        catalog = self.app.entities.catalog
        for sight in (Sight(), *(Sight(project=each) for each in PROJECTS)):
            listed = catalog.page(LOCAL, "ann", Wanted(sight), None, 10).entities
            assert catalog.stats(LOCAL, "ann", sight).total == len(listed)


@settings(deadline=None, max_examples=25)
@given(STEPS)
def test_an_undo_gives_back_the_two_but_for_what_came_since(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        try:
            for name, *arguments in steps:
                getattr(house, name)(*arguments)
                house.holds()
            while house.into:
                house.undo(next(iter(house.into)))
                house.holds()
        finally:
            house.app.close()
