"""The agents and projects that something known about a person rests on, and who may be given it."""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Border:
    """The agents and projects of the sources of something that is known about a person.

    Attributes:
        agents: the agents that its sources belong to; none where they are of no agent.
        projects: their projects; none where they have no project.
        confined: whether it rests on what a configured agent was told, which feeds that agent only.
        apps: the apps of sources of no agent; an app is an agent from the moment in which one of its name is
            configured.
    """

    agents: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    confined: bool = False
    apps: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        agents: Iterable[str | None],
        projects: Iterable[str | None],
        *,
        confined: bool = False,
        apps: Iterable[str | None] = (),
    ) -> "Border":
        """The border of these sources; None and "" stand for no agent, no project and no app."""
        return cls(
            frozenset(filter(None, agents)),
            frozenset(filter(None, projects)),
            confined,
            frozenset(filter(None, apps)),
        )

    def with_sources_of(self, other: "Border") -> "Border":
        """The border of what rests on the sources of both."""
        return Border(
            self.agents | other.agents,
            self.projects | other.projects,
            self.confined or other.confined,
            self.apps | other.apps,
        )

    def where_configured(self, agents: Container[str]) -> "Border":
        """The same border once these agents are configured."""
        mine = self.agents | {app for app in self.apps if app in agents}
        confined = self.confined or any(each in agents for each in mine)
        return replace(self, agents=mine, apps=self.apps - mine, confined=confined)

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
