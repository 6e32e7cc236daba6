"""Rooms of the services, imports between them, lines of the package: how large the house is."""

from pathlib import Path

from benchmarks.measure import Figure
from benchmarks.server import ROOT

_SERVICES = "strata.services"


def run() -> list[Figure]:
    """Read the imports; nothing of the package is run."""
    import grimp

    graph = grimp.build_graph("strata")
    rooms = sorted(graph.find_children(_SERVICES))
    arrows = [
        (importer, imported)
        for importer in rooms
        for imported in rooms
        if importer != imported
        and graph.direct_import_exists(importer=importer, imported=imported, as_packages=True)
    ]
    both_ways = [arrow for arrow in arrows if arrow[::-1] in arrows]
    return [
        Figure("rooms in services", len(rooms), ""),
        Figure("arrows between them", len(arrows), "", 90),
        Figure("pairs that import each other", len(both_ways), "", 0),
        Figure("lines under layers/", sum(_lines(each) for each in (ROOT / "layers").rglob("*.py")), ""),
    ]


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())
