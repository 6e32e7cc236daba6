"""Configuration of agents, and the facts that they know about people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.client.call import NOTHING, Call, enveloped, member, model
from strata.client.calls.parts import Later, params, path

if TYPE_CHECKING:
    from strata.domain.wire import agents
    from strata.domain.wire import facts as wire_facts
else:
    agents = Later("strata.domain.wire.agents")
    wire_facts = Later("strata.domain.wire.facts")


def get_agent_config(agent_id: str) -> Call[agents.AgentConfig]:
    """Get what an agent may remember about people; by default nothing. `GET /api/agents-config/{agentId}`."""
    return Call("GET", path("/api/agents-config/{}", agent_id), enveloped(model(lambda: agents.AgentConfig)))


def put_agent_config(agent_id: str, **change: Any) -> Call[agents.AgentConfig]:
    """Change the named fields: `memory_enabled=True, fact_retention_days=365`. None resets to the default.

    `PUT /api/agents-config/{agentId}`.
    """
    where = path("/api/agents-config/{}", agent_id)
    return Call("PUT", where, enveloped(model(lambda: agents.AgentConfig)), body=change)


def facts(agent_id: str, user_id: str, *, limit: int | None = None) -> Call[list[wire_facts.Fact]]:
    """The facts that an agent knows about a person, newest first.

    `GET /api/agents/{agentId}/users/{externalRef}/facts`.
    """
    where = path("/api/agents/{}/users/{}/facts", agent_id, user_id)
    return Call("GET", where, enveloped(member("facts", lambda: list[wire_facts.Fact])), params(limit=limit))


def delete_fact(agent_id: str, user_id: str, id: str) -> Call[None]:
    """Delete one fact. `DELETE /api/agents/{agentId}/users/{externalRef}/facts/{id}`."""
    return Call("DELETE", path("/api/agents/{}/users/{}/facts/{}", agent_id, user_id, id), NOTHING)
