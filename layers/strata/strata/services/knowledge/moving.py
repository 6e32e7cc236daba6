"""Lets what was concluded follow sessions that are moved to another project.

It follows the stream and compares each session with its sightings, so a change that comes twice, late or out
of turn changes nothing more. Sightings move last: until they have, the next delivery goes on.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Item, Key, Put
from strata.ports.table import Table
from strata.services.knowledge.adopting import AT_ONCE, united
from strata.services.knowledge.drawing import identified
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.people.holdings import sessions_among
from strata.services.records.knowledge import conclusion_key, consolidation_key, sighted_key
from strata.services.records.sessions import session_around
from strata.services.table.retry import settled
from strata.services.table.transaction import transact

Projects = Mapping[str, str]
"""The projects that sessions are in now, by session."""


class MovedKnowledge:
    """Moves conclusions, runs and sightings behind their sessions."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._rows = KnowledgeRows(table)

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        rows = sessions_among(self._table, scope, keys)
        places: dict[Key, tuple[str, str, str]] = {}
        for key, row in rows.items():
            if row.get("project"):
                owner, session = row.get("user_id") or DEFAULT_OWNER, session_around(key)
                places[sighted_key(owner, session)] = owner, session, row["project"]
        moved: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for key, row in self._table.get_many(scope, list(places)).items() if places else ():
            owner, session, project = places[key]
            if row["project"] not in (None, project):
                moved[owner][session] = project
        for owner, projects in moved.items():
            self._move(scope, owner, projects)

    def _move(self, scope: Scope, owner: str, projects: Projects) -> None:
        def attempt(_: object) -> bool:
            known = self._rows.read(scope, owner, runs=True)
            moves = _moves(known, projects)
            if moves:
                actions = [action for move in moves[:AT_ONCE] for action in move]
                transact(self._table, scope, {"head": known.head, "rows": actions})
            return len(moves) > AT_ONCE

        while settled(self._clock, "the knowledge about a person", attempt):
            pass


def _moves(known: Knowledge, projects: Projects) -> list[list[Action]]:
    """The actions that move each row, sightings last."""
    owner, moved = known.owner, _Moved(known, projects)
    moves: list[list[Action]] = []
    for name, row in known.conclusions.items():
        after = moved(row)
        if after["id"] != name:
            there = known.conclusions.get(after["id"])
            after = united(there, after) if there else after
            moves.append([Delete(conclusion_key(owner, name)), known.conclusion(after["id"], after)])
        elif after != row:
            moves.append([known.conclusion(name, after)])
    for run in known.runs:
        if (now := moved.run(run)) != run:
            moves.append([Put(consolidation_key(owner, run["id"]), now)])
    for name in moved.sessions:
        moves.append([Put(sighted_key(owner, name), known.sighted[name] | {"project": projects[name]})])
    return moves


class _Moved:
    """Rows as they are once these sessions are in other projects.

    A conclusion moves with the last of its sessions that are known.
    """

    def __init__(self, known: Knowledge, projects: Projects) -> None:
        there = {name: row["project"] for name, row in known.sighted.items()}
        self._projects = projects
        self._now = there | {name: project for name, project in projects.items() if name in there}
        self.sessions = [name for name, project in self._now.items() if project != there[name]]
        self._renamed = dict.fromkeys((there[name], projects[name]) for name in self.sessions)
        past = (
            row for run in known.runs for each in run["changes"] for row in each["before"].values() if row
        )
        every = (*past, *known.conclusions.values())
        self._ids: dict[str, str] = {row["id"]: self(row)["id"] for row in every}

    def __call__(self, row: Item) -> Item:
        """A conclusion; its id is of the project, too, where it was drawn in one."""
        within = {self._now[each] for each in row["sessions"] if each in self._now}
        for old, new in self._renamed:
            if old in row["projects"] and new in within and old not in within:
                scope: str = row["scope"]
                if scope.endswith(f" project={old}"):
                    scope = f"{scope.removesuffix(old)}{new}"
                projects = sorted({*row["projects"]} - {old} | {new})
                row = identified(row | {"projects": projects, "scope": scope})
        return row

    def run(self, run: Item) -> Item:
        """A run, with what an undo puts back."""
        changes = [
            {
                "before": {self._id(name): row and self(row) for name, row in each["before"].items()},
                "after": [self._id(name) for name in each["after"]],
            }
            for each in run["changes"]
        ]
        before = run.get("sighted")
        if before and before["session_id"] in self.sessions:
            run = run | {"sighted": before | {"project": self._projects[before["session_id"]]}}
        return run | {"changes": changes}

    def _id(self, name: str) -> str:
        return self._ids.get(name, name)
