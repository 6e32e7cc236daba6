"""The agents and projects that something known about a person rests on, and who may be given it."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Border:
    """The agents and projects of the sources of something that is known about a person.

    Attributes:
        agents: the agents that its sources belong to; none where they are of no agent.
        projects: their projects; none where they have no project.
        confined: whether it rests on facts of a configured agent, which feed that agent only.
    """

    agents: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    confined: bool = False

    @classmethod
    def of(
        cls, agents: Iterable[str | None], projects: Iterable[str | None], *, confined: bool = False
    ) -> "Border":
        """The border of these sources; None and "" stand for no agent and no project."""
        return cls(frozenset(filter(None, agents)), frozenset(filter(None, projects)), confined)

    def admits(self, agent_id: str | None, project: str | None) -> bool:
        """Whether every source may be seen by this agent in this project.

        A reader that names no agent sees those of every agent, but for what is confined to one; a reader
        that names no project sees those of every project.
        """
        known = not (self.confined and self.agents) if agent_id is None else self.agents <= {agent_id}
        return known and (project is None or self.projects <= {project})

    def encloses(self, agents: Iterable[str], projects: Iterable[str], confined: bool) -> bool:
        """Whether these agents and projects are among its own, and confined as it is."""
        return self.confined == confined and self.agents >= {*agents} and self.projects >= {*projects}
