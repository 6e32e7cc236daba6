"""Configurations of agents: what each may remember of people, by default nothing (Fyso)."""

from collections.abc import Iterable
from contextlib import suppress

from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.agents import FREE_FORM, AgentConfig, AgentConfigChange
from strata.domain.wire.exact_json import to_value
from strata.ports.clock import Clock
from strata.ports.rows import Delete, Equals, Item, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.records.people import agent_config_key


class AgentConfigs:
    """Keeps agents' configurations."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def get(self, scope: Scope, agent_id: str) -> AgentConfig:
        """An agent's configuration; the defaults where nothing was set."""
        return config_of(agent_id, self._table.get(scope, agent_config_key(agent_id)))

    def put(self, scope: Scope, agent_id: str, change: AgentConfigChange) -> AgentConfig:
        """Change the fields that are named; the whole configuration as it is then.

        An agent whose last value is taken back is one again that nobody configured, and is answered as one.
        """
        named = change.model_dump(exclude_unset=True)
        row = self._table.update(
            scope,
            Update(
                agent_config_key(agent_id),
                set={name: value for name, value in named.items() if value is not None}
                | {"updated_at": self._clock.now_us()},
                remove=tuple(name for name, value in named.items() if value is None),
            ),
        )
        if None in named.values() and row.keys().isdisjoint(AgentConfigChange.model_fields):
            with suppress(ConditionFailed):  # somebody has set something meanwhile
                unset = Delete(agent_config_key(agent_id), Equals("updated_at", row["updated_at"]))
                self._table.transact(scope, [unset])
                return config_of(agent_id, None)
        return config_of(agent_id, row)


def configured(table: Table, scope: Scope, agents: Iterable[str | None]) -> set[str]:
    """Those of these agents that somebody configured."""
    keys = {agent_config_key(each): each for each in agents if each}
    return {keys[key] for key in table.get_many(scope, list(keys))} if keys else set()


class ConfiguredAgents:
    """The agents that somebody configured; each is read when it is first asked for.

    Args:
        table: the store.
        scope: the tenant.
    """

    def __init__(self, table: Table, scope: Scope) -> None:
        self._table = table
        self._scope = scope
        self._known: dict[object, bool] = {}

    def __contains__(self, agent: object) -> bool:
        if agent not in self._known:
            self._known[agent] = bool(configured(self._table, self._scope, [str(agent)]))
        return self._known[agent]


def remembers(config: Item | None) -> bool:
    """Whether an agent with this configuration remembers people; one that nobody configured does."""
    return config is None or config.get("memory_enabled") is True


def config_of(agent_id: str, row: Item | None) -> AgentConfig:
    """A configuration's row as it goes over the wire, with defaults for the fields that were not set."""
    fields = {name: value for name, value in (row or {}).items() if name in AgentConfig.model_fields}
    fields |= {name: to_value(fields[name]) for name in FREE_FORM & fields.keys()}
    if "updated_at" in fields:
        fields["updated_at"] = rfc3339(fields["updated_at"])
    return AgentConfig.model_validate(fields | {"agent_id": agent_id})
