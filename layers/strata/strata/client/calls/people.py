"""People: what agents may remember and know of them, and what they agree to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.client.call import NOTHING, Call, member, model
from strata.client.calls.building import Later, fields, params, path

if TYPE_CHECKING:
    from strata.domain.wire import agents, consent, erasures
    from strata.domain.wire import facts as wire_facts
else:
    agents = Later("strata.domain.wire.agents")
    consent = Later("strata.domain.wire.consent")
    erasures = Later("strata.domain.wire.erasures")
    wire_facts = Later("strata.domain.wire.facts")


def get_agent_config(agent_id: str) -> Call[agents.AgentConfig]:
    """What an agent may remember of people; by default nothing.

    `GET /api/agents-config/{agentId}`.
    """
    return Call("GET", path("/api/agents-config/{}", agent_id), model(lambda: agents.AgentConfig))


def put_agent_config(agent_id: str, **change: Any) -> Call[agents.AgentConfig]:
    """Change what is named: `memory_enabled=True, fact_retention_days=365`. None sets back to the default.

    `PUT /api/agents-config/{agentId}`.
    """
    where = path("/api/agents-config/{}", agent_id)
    return Call("PUT", where, model(lambda: agents.AgentConfig), body=change)


def facts(agent_id: str, user_id: str, *, limit: int | None = None) -> Call[list[wire_facts.Fact]]:
    """What an agent knows about a person, newest first.

    `GET /api/agents/{agentId}/users/{externalRef}/facts`.
    """
    where = path("/api/agents/{}/users/{}/facts", agent_id, user_id)
    return Call("GET", where, member("facts", lambda: list[wire_facts.Fact]), params(limit=limit))


def delete_fact(agent_id: str, user_id: str, id: str) -> Call[None]:  # noqa: A002 - the wire's own name
    """Delete one fact.

    `DELETE /api/agents/{agentId}/users/{externalRef}/facts/{id}`.
    """
    return Call("DELETE", path("/api/agents/{}/users/{}/facts/{}", agent_id, user_id, id), NOTHING)


def get_consent(user_id: str) -> Call[consent.Consent]:
    """What a person agrees to, with its history.

    `GET /api/rgpd/users/{externalRef}/consent`.
    """
    where = path("/api/rgpd/users/{}/consent", user_id)
    return Call("GET", where, model(lambda: consent.Consent))


def put_consent(
    user_id: str, ai_consent: bool | None = None, *, persist: bool | None = None, erase: bool | None = None
) -> Call[consent.Consent]:
    """Take down what a person says; `erase` removes what was learnt of one who refuses.

    `PUT /api/rgpd/users/{externalRef}/consent`.
    """
    body = fields(ai_consent=ai_consent, persist=persist, erase=erase)
    where = path("/api/rgpd/users/{}/consent", user_id)
    return Call("PUT", where, model(lambda: consent.Consent), body=body)


def personal_data(user_id: str, *, cursor: str | None = None) -> Call[erasures.PersonalData]:
    """A page of everything that is stored about a person; `next` is the cursor of the following page.

    `GET /api/rgpd/users/{externalRef}/ai-data`.
    """
    where = path("/api/rgpd/users/{}/ai-data", user_id)
    return Call("GET", where, model(lambda: erasures.PersonalData), params(cursor=cursor))


def erase_personal_data(user_id: str) -> Call[erasures.ErasureStarted]:
    """Have everything erased that is stored about a person; `erasure` tells how far it is.

    `DELETE /api/rgpd/users/{externalRef}/ai-data`.
    """
    where = path("/api/rgpd/users/{}/ai-data", user_id)
    return Call("DELETE", where, model(lambda: erasures.ErasureStarted))


def erasure(erasure_id: str) -> Call[erasures.Erasure]:
    """How far an erasure is, and at its end the receipt.

    `GET /api/rgpd/erasures/{erasure_id}`.
    """
    return Call("GET", path("/api/rgpd/erasures/{}", erasure_id), model(lambda: erasures.Erasure))
