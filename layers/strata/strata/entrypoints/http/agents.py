"""Agents: their configuration, and the facts that they know about people (Fyso)."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.scope import ADMIN, READ, WRITE, Scope
from strata.domain.wire.agents import AgentConfig, AgentConfigChange
from strata.domain.wire.facts import Facts
from strata.domain.wire.fields import Clamped
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import IdentPath, NewIdentPath
from strata.entrypoints.observing import Observing
from strata.services.facts.catalog import MOST, FactCatalog
from strata.services.people.agents import AgentConfigs


def agents_handler(
    identify: Caller, observing: Observing, configs: AgentConfigs, facts: FactCatalog
) -> Handler:
    """Routes to configure an agent, and to list and delete its facts."""
    api = Api(identify, observing)

    @api.route("GET", "/api/agents-config/<agentId>", READ, answer=AgentConfig)
    def get_agent_config(caller: Scope, agentId: IdentPath) -> AgentConfig:
        """An agent's configuration of what to remember about people, with defaults for unset fields."""
        return configs.get(caller, agentId)

    @api.route("PUT", "/api/agents-config/<agentId>", ADMIN, answer=AgentConfig)
    def put_agent_config(
        caller: Scope, agentId: NewIdentPath, change: Annotated[AgentConfigChange, Body()]
    ) -> AgentConfig:
        """Change the given fields; null resets a field to its default.

        An agent whose last value is reset is as one that nobody configured: conclusions are drawn from its
        sessions.
        """
        return configs.put(caller, agentId, change)

    @api.route("GET", "/api/agents/<agentId>/users/<externalRef>/facts", READ, answer=Facts)
    def list_facts(
        caller: Scope,
        agentId: IdentPath,
        externalRef: IdentPath,
        limit: Annotated[int, Clamped(MOST), Query()] = 10,
    ) -> Facts:
        """The facts that an agent knows about a person, newest first."""
        return Facts(facts=facts.listed(caller, agentId, externalRef, limit))

    @api.route(
        "DELETE", "/api/agents/<agentId>/users/<externalRef>/facts/<id>", WRITE, status=204, errors=(404,)
    )
    def delete_fact(caller: Scope, agentId: IdentPath, externalRef: IdentPath, id: IdentPath) -> None:
        """Delete one fact."""
        facts.delete(caller, agentId, externalRef, id)

    return api
