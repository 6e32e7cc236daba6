"""10 000 attempts to read or change another tenant's memories, by every route of the template.

By default a tenth of them: see `sizes`.

The whole way is run as it is deployed: the template's routes, its authorizer with real keys and tokens, its
functions, its stream. An attempt has succeeded when the answer holds words that only the victim knows, or
when a row of the victim, or of the directory of keys, has changed.
"""

import base64
import json
import random
import sqlite3
from contextlib import closing
from types import SimpleNamespace
from typing import cast
from urllib.parse import quote, urlencode

import pytest

from strata import bootstrap, settings
from strata.adapters.sqlite.table import SqliteTable
from strata.domain.api_keys import digest
from strata.domain.entities.shapes import Mention, Relationship
from strata.domain.scope import Scope
from strata.local.http.messages import Request
from strata.local.runtime import on_this_machine
from strata.local.template import declarations
from strata.services.entities.recording import Source
from support.api_calls import called
from support.memory import learn
from support.run_size import size
from support.token_issuer import AUDIENCE, ISSUER, Issuer

pytestmark = pytest.mark.xdist_group("cross-tenant")

ATTEMPTS = size(10_000)
SEED = 20_251_121

VICTIM = "bravo"
ATTACKERS = ("alpha", "brav", "bravo.", "bravo-2", "Bravo", "bravo:x@y", "VICTIM")
HIDDEN = "zzhiddenzz"
"""Stands in the victim's memories and in no request."""
KNOWN = "marmalade"
"""Stands in the victim's memories too, and is what the attackers search for."""

OPEN = {
    ("GET", "/health"),
    ("GET", "/api/health"),
    ("GET", "/health/{service}"),
    ("GET", "/openapi.json"),
}


# --- a case for every route: a request that would reach the victim's data if it were the victim's


def observation(rng, known, **fields):
    return {
        "session_id": rng.choice(known.sessions),
        "type": "decision",
        "title": f"{KNOWN} {rng.random()}",
        "content": rng.choice([known.content, f"{KNOWN} {rng.random()}"]),
        "project": rng.choice(known.projects),
        "scope": rng.choice(["project", "global"]),
        "topic_key": rng.choice([*known.topics, ""]),
        **fields,
    }


def _start(rng, known):
    return "/sessions", {}, {"id": rng.choice(known.sessions), "project": rng.choice(known.projects)}


def _end(rng, known):
    messages = [{"role": "user", "content": f"forget {KNOWN} {rng.random()}"}]
    return f"/sessions/{quote(rng.choice(known.sessions), safe='')}/end", {}, {"messages": messages}


def _recent_sessions(rng, known):
    return "/sessions/recent", _sometimes(rng, project=known.projects), None


def _save(rng, known):
    return "/observations", {}, observation(rng, known)


def _change(rng, known):
    change = {"title": f"{KNOWN} {rng.random()}", "content": f"{KNOWN} {rng.random()}"}
    return f"/observations/{rng.choice(known.ids)}", {}, change


def _delete(rng, known):
    return f"/observations/{rng.choice(known.ids)}", _sometimes(rng, hard=["true"]), None


def _get(rng, known):
    return f"/observations/{rng.choice(known.ids)}", {}, None


def _recent(rng, known):
    return "/observations/recent", _sometimes(rng, project=known.projects, scope=["global", "project"]), None


def _search(rng, known):
    asked = _sometimes(rng, project=known.projects, mode=["bm25", "vector", "hybrid"], limit=["50"])
    return "/search", {"q": KNOWN} | asked, None


def _context(rng, known):
    asked = _sometimes(rng, query=[KNOWN], scope=["global"], format=["text", "json"])
    return "/context", {"project": rng.choice(known.projects)} | asked, None


def _timeline(rng, known):
    return "/timeline", {"observation_id": str(rng.choice(known.ids))}, None


def _stats(rng, known):
    return "/stats", _sometimes(rng, project=known.projects), None


def _metrics(rng, known):
    return "/metrics", {}, None


def _export(rng, known):
    return "/export", _sometimes(rng, project=known.projects, cursor=known.cursors), None


def _mcp(rng, known):
    tool, arguments = rng.choice(
        [
            ("mem_save", {name: value for name, value in observation(rng, known).items() if value}),
            ("mem_search", {"query": KNOWN}),
            ("mem_context", {"query": KNOWN}),
            ("mem_get", {"id": rng.choice(known.ids)}),
            ("mem_timeline", {"id": rng.choice(known.ids)}),
        ]
    )
    return "/mcp", _sometimes(rng, project=known.projects), called(tool, **arguments)


def _not_allowed(rng, known):
    return "/mcp", _sometimes(rng, project=known.projects), None


def _of_session(path):
    def case(rng, known):
        return f"/memory/sessions/{quote(rng.choice(known.sessions), safe='')}{path}", {}, None

    return case


def _events(rng, known):
    return "/memory/events", _sometimes(rng, session_id=known.sessions, limit=["1000"]), None


def _event_sessions(rng, known):
    return "/memory/sessions", _sometimes(rng, user_id=["ann"]), None


def _open_event_session(rng, known):
    session = {"session_id": rng.choice(known.sessions)} | _sometimes(rng, user_id=["ann"], app_name=["app"])
    return "/memory/sessions", {}, session


def _append(rng, known):
    event = {"event_type": "user_message", "content": f"{KNOWN} {rng.random()}"}
    event |= _sometimes(rng, event_id=["e1", "e2"])
    path = f"/memory/sessions/{quote(rng.choice(known.sessions), safe='')}/events"
    return path, {}, event if rng.random() < 0.7 else [event]


def _event_stats(rng, known):
    return "/memory/stats", {}, None


def _clean_up(rng, known):
    return "/memory/cleanup", {}, {"max_age_hours": 0.0000001}


def _maintain(rng, known):
    return "/api/memory/maintain", {}, None


def _maintenance_history(rng, known):
    return "/api/memory/maintain/history", _sometimes(rng, limit=["100"]), None


def _maintenance_report(rng, known):
    return f"/api/memory/maintain/history/{known.run}", {}, None


def _memory_of(rng, known):
    return f"/working-memory/{quote(rng.choice(known.sessions), safe='')}"


def _get_memory(rng, known):
    return _memory_of(rng, known), {}, None


def _put_memory(rng, known):
    change = {rng.choice(["scratchpad", "other"]): f"{KNOWN} {rng.random()}", "ttl_seconds": 1}
    return _memory_of(rng, known), _sometimes(rng, user_id=["ann"]), change


def _delete_memory(rng, known):
    return _memory_of(rng, known), _sometimes(rng, fields=["scratchpad"]), None


def _of_ledger(action=""):
    def case(rng, known):
        path = f"/ledger/{quote(rng.choice(known.sessions), safe='')}{action}"
        return path, {}, {"item": rng.choice([KNOWN, f"{KNOWN} {rng.random()}"])} if action else None

    return case


def _store_episode(rng, known):
    body = {"conversation_id": rng.choice(known.sessions), "agent_id": rng.choice(["a1", "a2"])}
    body |= {"summary": f"{KNOWN} {rng.random()}"} | _sometimes(rng, user_id=["ann"], ttl_days=[1])
    return "/episodic/store", {}, body


def _similar_episodes(rng, known):
    asked = {"query": rng.choice([KNOWN, known.content]), "agent_id": "a1", "top_k": 100}
    return "/episodic/search", {}, asked | _sometimes(rng, user_id=["ann", "default"])


def _conversation_episodes(rng, known):
    return f"/episodic/{quote(rng.choice(known.sessions), safe='')}", {}, None


def _recent_episodes(rng, known):
    return "/api/memory/episodes", _sometimes(rng, userId=["ann", "default"], limit=[100]), None


def _search_episodes(rng, known):
    asked = {"q": rng.choice([KNOWN, known.content]), "mode": rng.choice(["hybrid", "bm25", "vector"])}
    return "/api/memory/search", asked | _sometimes(rng, userId=["ann", "default"]), None


def _forget_episode(rng, known):
    path = f"/api/memory/episodes/{rng.choice(known.episodes)}"
    return path, _sometimes(rng, userId=["ann", "default"]), None


def _ingest(rng, known):
    body = {"session_id": rng.choice(known.sessions), "response": f"{KNOWN} {rng.random()}", "steps": 2}
    return "/api/memory/ingest", {}, body | _sometimes(rng, user_id=["ann"], tool_calls=[1])


def _import(rng, known):
    seen = observation(rng, known, id=rng.choice(known.ids), created_at="2026-01-01T00:00:00Z")
    session = {"id": rng.choice(known.sessions), "project": rng.choice(known.projects)}
    session |= {"started_at": "2026-01-01T00:00:00Z", "summary": f"{KNOWN} {rng.random()}"}
    return "/import", {}, {"sessions": [session], "observations": [seen]}


def _agent_config(rng, known):
    return "/api/agents-config/a1", {}, None


def _put_agent_config(rng, known):
    change = _sometimes(rng, memory_enabled=[True, False], max_facts=[1, 2], redact=[False])
    return "/api/agents-config/a1", {}, change


def _list_facts(rng, known):
    return "/api/agents/a1/users/ann/facts", _sometimes(rng, limit=["100"]), None


def _delete_fact(rng, known):
    return f"/api/agents/a1/users/ann/facts/{rng.choice(known.facts)}", {}, None


def _consent(rng, known):
    return "/api/rgpd/users/ann/consent", {}, None


def _put_consent(rng, known):
    return "/api/rgpd/users/ann/consent", {}, {"ai_consent": False} | _sometimes(rng, erase=[True])


def _personal_data(rng, known):
    return "/api/rgpd/users/ann/ai-data", {}, None


def _get_erasure(rng, known):
    return f"/api/rgpd/erasures/{known.erasure}", {}, None


def _session_consent(rng, known):
    path = f"/api/rgpd/sessions/{quote(rng.choice(known.sessions), safe='')}/consent"
    return path, {}, {"consent": rng.choice([True, False])}


def _audit_log(rng, known):
    return "/api/rgpd/audit-log", _sometimes(rng, external_ref=["ann", "zoe"], limit=["1000"]), None


def _agreement(verb):
    return lambda rng, known: (f"/api/auth/tenants/{rng.choice([VICTIM, 'x'])}/{verb}", {}, None)


def _about(path, person):
    def case(rng, known):
        named = path.format(conclusion=known.conclusions[person], run=known.runs[person])
        return f"/api/memory/{named}", {"userId": person}, None

    return case


def _ask(rng, known):
    return "/api/memory/ask", {}, {"question": f"Which {KNOWN}?"} | _sometimes(rng, userId=["ann"])


def _forget(rng, known):
    ids = [f"observations:{rng.choice(known.ids)}"]
    asked = rng.choice([{"query": KNOWN}, {"ids": ids}, {"ids": ids, "dry_run": False}])
    return "/api/memory/forget", {}, asked | _sometimes(rng, userId=["ann"])


def _put_profile(rng, known):
    return "/api/memory/profile", {"userId": "fay"}, {"communicationStyle": f"{KNOWN} {rng.random()}"}


def _entity(path="", name="", **body):
    def case(rng, known):
        sent = body | ({"sourceId": known.entities["Source"]} if "merge" in path else {})
        return f"/api/entities/{known.entities[name]}{path}", {"userId": "ann"}, sent or None

    return case


def _entity_stats(rng, known):
    return "/api/entities/stats", {"userId": "ann"}, None


def _merge_proposals(rng, known):
    return "/api/entities/merge-proposals", {"userId": "ann"}, None


def _entities(rng, known):
    return "/api/entities", {"userId": "ann"} | rng.choice([{}, {"q": HIDDEN}]), None


def _put_device(rng, known):
    return f"/api/devices/{rng.random()}", {"adopt": rng.random() < 0.5}, {"userId": "fay"}


def _link_device(rng, known):
    return f"/api/devices/{rng.random()}/link", {}, {"userId": "fay"}


def _device(name):
    return lambda rng, known: (f"/api/devices/{name}", {}, None)


def _get_preferences(rng, known):
    return "/api/users/ann/preferences", {}, None


def _put_preferences(rng, known):
    return "/api/users/fay/preferences", {}, {"preferences": {"language": f"{KNOWN} {rng.random()}"[:20]}}


def _sources(rng, known):
    return "/api/memory/sources", {}, None


def _import_chats(rng, known):
    return "/api/memory/import", {}, {}


def _current_project(rng, known):
    return "/project/current", {"cwd": f"/home/ann/{rng.choice(known.projects)}"}, None


def _read_session(rng, known):
    return f"/sessions/{quote(rng.choice(known.sessions), safe='')}", {}, None


def _save_prompt(rng, known):
    prompt = {"session_id": rng.choice(known.sessions), "content": f"{KNOWN} {rng.random()}"}
    return "/prompts", {}, prompt | _sometimes(rng, project=known.projects)


def _capture_learnings(rng, known):
    told = f"## Key Learnings:\n- {rng.choice([known.content, f'{KNOWN} {rng.random()}'])}"
    report = {"session_id": rng.choice(known.sessions), "content": told}
    return "/observations/passive", {}, report | _sometimes(rng, project=known.projects)


def _move_project(rng, known):
    asked = {"old_project": f"{HIDDEN}-project", "new_project": rng.choice(known.projects)}
    return "/projects/migrate", {}, asked


OF_THE_MACHINE = {
    ("GET", "/metrics"),
    ("GET", "/api/memory/sources"),
    ("POST", "/api/memory/import"),
    ("GET", "/project/current"),
}
"""Of the machine: its load, and the conversations and folders that no server with keys reads."""


CASES = {
    ("GET", "/api/devices/{deviceId}"): _device("d1"),
    ("PUT", "/api/devices/{deviceId}"): _put_device,
    ("POST", "/api/devices/{deviceId}/link"): _link_device,
    ("DELETE", "/api/devices/{deviceId}"): _device("d2"),
    ("GET", "/api/users/{userId}/preferences"): _get_preferences,
    ("PUT", "/api/users/{userId}/preferences"): _put_preferences,
    ("GET", "/api/memory/sources"): _sources,
    ("POST", "/api/memory/import"): _import_chats,
    ("GET", "/project/current"): _current_project,
    ("GET", "/sessions/{id}"): _read_session,
    ("POST", "/prompts"): _save_prompt,
    ("POST", "/observations/passive"): _capture_learnings,
    ("POST", "/projects/migrate"): _move_project,
    ("GET", "/api/memory/profile"): _about("profile", "ann"),
    ("PUT", "/api/memory/profile"): _put_profile,
    ("GET", "/api/memory/profile/history"): _about("profile/history", "ann"),
    ("GET", "/api/memory/conclusions"): _about("conclusions", "ann"),
    ("DELETE", "/api/memory/conclusions"): _about("conclusions", "cleo"),
    ("DELETE", "/api/memory/conclusions/{conclusionId}"): _about("conclusions/{conclusion}", "dora"),
    ("POST", "/api/memory/ask"): _ask,
    ("POST", "/api/memory/forget"): _forget,
    ("GET", "/api/memory/consolidations"): _about("consolidations", "ann"),
    ("POST", "/api/memory/consolidations/{consolidationId}/undo"): _about("consolidations/{run}/undo", "eve"),
    ("GET", "/api/entities"): _entities,
    ("GET", "/api/entities/stats"): _entity_stats,
    ("GET", "/api/entities/merge-proposals"): _merge_proposals,
    ("GET", "/api/entities/{entityId}"): _entity(),
    ("PUT", "/api/entities/{entityId}"): _entity(name="Source", confidence=0.5),
    ("DELETE", "/api/entities/{entityId}"): _entity(name="Deleted"),
    ("POST", "/api/entities/{entityId}/restore"): _entity("/restore", "Deleted"),
    ("POST", "/api/entities/{entityId}/merge"): _entity("/merge"),
    ("POST", "/api/entities/{entityId}/merge/undo"): _entity("/merge/undo"),
    ("GET", "/api/entities/{entityId}/episodes"): _entity("/episodes"),
    ("GET", "/api/entities/{entityId}/conclusions"): _entity("/conclusions"),
    ("GET", "/api/entities/{entityId}/relationships"): _entity("/relationships"),
    ("GET", "/api/entities/{entityId}/graph"): _entity("/graph"),
    ("GET", "/api/entities/{entityId}/page"): _entity("/page"),
    ("POST", "/sessions"): _start,
    ("GET", "/sessions/recent"): _recent_sessions,
    ("POST", "/sessions/{id}/end"): _end,
    ("POST", "/observations"): _save,
    ("PATCH", "/observations/{id}"): _change,
    ("DELETE", "/observations/{id}"): _delete,
    ("GET", "/observations/{id}"): _get,
    ("GET", "/observations/recent"): _recent,
    ("GET", "/search"): _search,
    ("GET", "/context"): _context,
    ("GET", "/timeline"): _timeline,
    ("GET", "/stats"): _stats,
    ("GET", "/metrics"): _metrics,
    ("POST", "/mcp"): _mcp,
    ("GET", "/mcp"): _not_allowed,
    ("DELETE", "/mcp"): _not_allowed,
    ("GET", "/export"): _export,
    ("POST", "/import"): _import,
    ("GET", "/working-memory/{conversation_id}"): _get_memory,
    ("PUT", "/working-memory/{conversation_id}"): _put_memory,
    ("DELETE", "/working-memory/{conversation_id}"): _delete_memory,
    ("GET", "/ledger/{conversation_id}"): _of_ledger(),
    ("POST", "/ledger/{conversation_id}/check"): _of_ledger("/check"),
    ("POST", "/ledger/{conversation_id}/mark"): _of_ledger("/mark"),
    ("POST", "/ledger/{conversation_id}/evict"): _of_ledger("/evict"),
    ("POST", "/episodic/store"): _store_episode,
    ("POST", "/episodic/search"): _similar_episodes,
    ("GET", "/episodic/{conversation_id}"): _conversation_episodes,
    ("GET", "/api/memory/episodes"): _recent_episodes,
    ("GET", "/api/memory/search"): _search_episodes,
    ("DELETE", "/api/memory/episodes/{id}"): _forget_episode,
    ("POST", "/api/memory/ingest"): _ingest,
    ("GET", "/memory/events"): _events,
    ("GET", "/memory/sessions"): _event_sessions,
    ("POST", "/memory/sessions"): _open_event_session,
    ("GET", "/memory/sessions/{id}"): _of_session(""),
    ("DELETE", "/memory/sessions/{id}"): _of_session(""),
    ("POST", "/memory/sessions/{id}/events"): _append,
    ("GET", "/memory/sessions/{id}/events"): _of_session("/events"),
    ("GET", "/memory/sessions/{id}/context"): _of_session("/context"),
    ("GET", "/memory/stats"): _event_stats,
    ("POST", "/memory/cleanup"): _clean_up,
    ("POST", "/api/memory/maintain"): _maintain,
    ("GET", "/api/memory/maintain/history"): _maintenance_history,
    ("GET", "/api/memory/maintain/history/{timestamp}"): _maintenance_report,
    ("GET", "/api/agents-config/{agentId}"): _agent_config,
    ("PUT", "/api/agents-config/{agentId}"): _put_agent_config,
    ("GET", "/api/agents/{agentId}/users/{externalRef}/facts"): _list_facts,
    ("DELETE", "/api/agents/{agentId}/users/{externalRef}/facts/{id}"): _delete_fact,
    ("GET", "/api/rgpd/users/{externalRef}/consent"): _consent,
    ("PUT", "/api/rgpd/users/{externalRef}/consent"): _put_consent,
    ("GET", "/api/rgpd/users/{externalRef}/ai-data"): _personal_data,
    ("DELETE", "/api/rgpd/users/{externalRef}/ai-data"): _personal_data,
    ("GET", "/api/rgpd/erasures/{erasure_id}"): _get_erasure,
    ("POST", "/api/rgpd/sessions/{sessionId}/consent"): _session_consent,
    ("GET", "/api/rgpd/audit-log"): _audit_log,
    ("POST", "/api/auth/tenants/{id}/dpa-accept"): _agreement("dpa-accept"),
    ("GET", "/api/auth/tenants/{id}/dpa-status"): _agreement("dpa-status"),
}


REFUSED = {("GET", "/mcp"), ("DELETE", "/mcp")}
"""Whoever asks is told to use another method."""
BY_TOOL = {("POST", "/mcp")} | REFUSED
"""For whoever is let in; the tools ask for the scope that each needs (test_isolation)."""


NUMBERS_ONLY = {
    ("GET", "/memory/stats"),
    ("GET", "/api/entities/stats"),
    ("GET", "/api/memory/consolidations"),
    ("GET", "/api/agents-config/{agentId}"),
    ("GET", "/api/memory/maintain/history"),
    ("GET", "/api/memory/maintain/history/{timestamp}"),
    ("GET", "/api/rgpd/erasures/{erasure_id}"),
    ("GET", "/api/rgpd/users/{externalRef}/consent"),
    ("GET", "/api/rgpd/audit-log"),
    ("GET", "/api/auth/tenants/{id}/dpa-status"),
}
"""Can tell no words of a memory; a tenant without sessions is told zeros."""
BY_ADMINS = {
    ("GET", "/metrics"),
    ("PUT", "/api/agents-config/{agentId}"),
    ("POST", "/api/memory/maintain"),
    ("GET", "/api/rgpd/users/{externalRef}/ai-data"),
    ("DELETE", "/api/rgpd/users/{externalRef}/ai-data"),
    ("GET", "/api/rgpd/erasures/{erasure_id}"),
    ("GET", "/api/rgpd/audit-log"),
    ("POST", "/api/auth/tenants/{id}/dpa-accept"),
}
"""Routes that concern everybody's data, or all of one person's."""


READ_BY_POST = {
    ("POST", "/ledger/{conversation_id}/check"),
    ("POST", "/episodic/search"),
    ("POST", "/api/memory/ask"),
}
"""They write nothing."""


def _sometimes(rng, **choices):
    return {name: rng.choice(values) for name, values in choices.items() if rng.random() < 0.5}


# --- ways to knock: each gives an Authorization header and what is smuggled in beside it


def _with_own_key(rng, world):
    return f"Bearer {rng.choice(world.keys_of_attackers)}", {}


def _with_own_token(rng, world):
    return f"Bearer {rng.choice(world.tokens_of_attackers)}", {}


def _with_forged_claims(rng, world):
    """An own key, and claims of the victim wherever claims might be believed."""
    name = rng.choice(["tenant", "tenant_id", "x-tenant", "x-strata-tenant", "x-amzn-tenant", "scope_tenant"])
    claims = {"tenant": VICTIM, "scopes": "admin", "identity": VICTIM}
    smuggled = rng.choice(
        [
            {"headers": [(name, VICTIM)]},
            {"headers": [("requestcontext", json.dumps({"authorizer": {"lambda": claims}}))]},
            {"headers": [("cookie", f"tenant={VICTIM}")]},
            {"query": {name: VICTIM}},
            {"query": {"requestContext.authorizer.lambda.tenant": VICTIM}},
            {"body": {"tenant": VICTIM, "authorizer": {"lambda": claims}}},
            {"body": {"requestContext": {"authorizer": {"lambda": claims}}}},
        ]
    )
    return f"Bearer {rng.choice(world.keys_of_attackers)}", smuggled


def _with_the_victims_key_elsewhere(rng, world):
    """The victim's own key, but not where a credential belongs; beside it an own key, or none."""
    key, name = world.key_of_victim, rng.choice(["key", "api_key", "authorization", "x-api-key", "token"])
    smuggled = rng.choice(
        [
            {"headers": [(f"x-{name}", f"Bearer {key}")]},
            {"headers": [("proxy-authorization", f"Bearer {key}")]},
            {"headers": [("cookie", f"{name}={key}")]},
            {"query": {name: key}},
            {"query": {"Authorization": f"Bearer {key}"}},
            {"body": {name: key, "headers": {"authorization": f"Bearer {key}"}}},
            {"path": f"/{key}"},
        ]
    )
    own = rng.random() < 0.5
    return (f"Bearer {rng.choice(world.keys_of_attackers)}" if own else None), smuggled


def _with_a_forged_key(rng, world):
    key = world.key_of_victim
    head, _, secret = key.rpartition("_")
    at = rng.randrange(len(secret))
    other = rng.choice([letter for letter in "abcXYZ019" if letter != secret[at]])
    own = rng.choice(world.keys_of_attackers)
    forged = rng.choice(
        [
            f"Bearer {head}_{secret[:at]}{other}{secret[at + 1 :]}",
            f"Bearer {head}_{own.rpartition('_')[2]}",
            f"Bearer {head}_{digest(key)[:43]}",
            f"Bearer {digest(key)}",
            f"Bearer {key[: rng.randrange(len(key))]}",
            f"Bearer {key}{other}",
            f"Bearer {own},Bearer {key}",
            f"Bearer {key} {own}",
            f"Basic {base64.b64encode(f'{VICTIM}:{key}'.encode()).decode()}",
            f"Bearer {world.revoked}",
            f"Bearer {world.expired}",
            f"Bearer {key.upper()}",
            key,
            f"Bearer {VICTIM}",
        ]
    )
    return forged, {}


def _with_a_forged_token(rng, world):
    return f"Bearer {rng.choice(world.forged_tokens)}", {}


LEGITIMATE = (_with_own_key, _with_own_token, _with_forged_claims)
FORGED = (_with_a_forged_key, _with_a_forged_token)
WAYS_IN = (*LEGITIMATE, *FORGED, _with_the_victims_key_elsewhere)
EACH_ROUTES_FIRST = (_with_own_key, _with_a_forged_token)
"""Each route is tried with these first: keys are new each time, and change which others are drawn."""


# --- the world


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Two kinds of tenants over one store: a victim with memories, and attackers with some of their own."""
    folder = tmp_path_factory.mktemp("store")
    issuer = Issuer()
    issuer.serve()
    with pytest.MonkeyPatch.context() as environment:
        for name, value in {
            "STRATA_DATA": str(folder),
            "STRATA_AUTH": "required",
            "STRATA_JWT_ISSUER": ISSUER,
            "STRATA_JWT_AUDIENCE": AUDIENCE,
            "STRATA_JWKS_URL": issuer.url,
            "no_proxy": "127.0.0.1",
        }.items():
            environment.setenv(name, value)
        bootstrap.application.cache_clear()
        runtime = on_this_machine(settings.load())
        keys = bootstrap.application().credentials.keys
        yield _furnished(folder, runtime, keys, issuer)
        bootstrap.application().close()
    bootstrap.application.cache_clear()
    issuer.stop()


def _furnished(folder, runtime, keys, issuer):
    everything = ["read", "write", "admin"]
    world = SimpleNamespace(folder=folder, gateway=runtime.gateway, keys=keys)
    world.key_of_victim = keys.create(VICTIM, scopes=everything).key
    world.keys_of_attackers = [keys.create(name, scopes=everything).key for name in ATTACKERS]
    world.tokens_of_attackers = [issuer.sign(tenant=name, scope="admin") for name in ATTACKERS]
    revoked = keys.create(VICTIM, scopes=everything)
    keys.revoke(revoked.info.id)
    rotated = keys.create(VICTIM, scopes=everything)
    keys.rotate(rotated.info.id, grace=0)
    world.revoked, world.expired = revoked.key, rotated.key
    world.forged_tokens = _forged_tokens(issuer)
    world.known = _moved_in(world, world.key_of_victim, f"{HIDDEN} {KNOWN}")
    said = [("preference", f"{HIDDEN} {KNOWN} {number}") for number in range(30)]
    world.known.facts = learn(bootstrap.application(), Scope(VICTIM), *said)
    _draw_conclusions(world, runtime)
    for key in world.keys_of_attackers:
        _moved_in(world, key, f"mine {KNOWN}")
    return world


def _draw_conclusions(world, runtime):
    """Have conclusions drawn about four people of the victim's, and give one of them a profile."""
    own, people = f"Bearer {world.key_of_victim}", ("ann", "cleo", "dora", "eve")
    for person in people:
        session = {"id": f"of {person}", "project": f"{HIDDEN}-project", "user_id": person}
        assert ask(world, own, "POST", "/sessions", {}, session)[0] == 201
        said = {"messages": [{"role": "user", "content": f"I live in {HIDDEN.capitalize()}."}]}
        assert ask(world, own, "POST", f"/sessions/of%20{person}/end", {}, said)[0] == 200
    for device in ("d1", "d2"):
        assert ask(world, own, "PUT", f"/api/devices/{device}", {}, {"userId": HIDDEN})[0] == 200
    chosen = {"preferences": {"language": HIDDEN}}
    assert ask(world, own, "PUT", "/api/users/ann/preferences", {}, chosen)[0] == 200
    for style in (HIDDEN, f"{HIDDEN} {KNOWN}"):
        change = {"name": HIDDEN, "communicationStyle": style}
        assert ask(world, own, "PUT", "/api/memory/profile", {"userId": "ann"}, change)[0] == 200
    runtime.work_off()
    _name_entities(world)

    def first(name, person):
        told = json.loads(ask(world, own, "GET", f"/api/memory/{name}", {"userId": person}, None)[1])
        return told[name][0]["id"]

    world.known.conclusions = {each: first("conclusions", each) for each in people}
    world.known.runs = {each: first("consolidations", each) for each in people}


def _name_entities(world):
    """Let an episode of the victim's name entities: one to look at, one to merge, one to delete."""
    own, about = f"Bearer {world.key_of_victim}", {"userId": "ann"}
    told = json.loads(ask(world, own, "GET", "/api/memory/episodes", about, None)[1])["episodes"]
    source = Source(told[0]["id"], "ann", "of ann", None, None, False, told[0]["timestamp"] * 1000)
    town, other, third = (f"{HIDDEN}{end}" for end in ("", " Source", " Deleted"))
    mentions = [Mention(each, "thing", 0, 1) for each in (town, other, third)]
    mentions += [Mention(f"{HIDDEN} {end}", "person", 0, 1) for end in ("Moss", "M.")]
    related = [Relationship(town, "part-of", other, "")]
    entities = bootstrap.application().entities
    entities.recorder.record(Scope(VICTIM), source, mentions, related)
    assert entities.upkeep.tend(Scope(VICTIM), "ann", dry=False)["proposed"]
    named = json.loads(ask(world, own, "GET", "/api/entities", about | {"q": HIDDEN}, None)[1])["entities"]
    world.known.entities = {
        alias[len(HIDDEN) :].strip(): each["id"]
        for each in named
        for alias in each["aliases"]
        if alias.startswith(HIDDEN)
    }


def _forged_tokens(issuer):
    def encoded(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    honest = issuer.sign(tenant="alpha", scope="admin")
    head, payload, signature = honest.split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    turned = encoded(claims | {"tenant": VICTIM})
    unsigned = encoded({"alg": "none", "typ": "JWT", "kid": "r1"})
    return [
        f"{head}.{turned}.{signature}",
        f"{unsigned}.{turned}.",
        f"{unsigned}.{turned}.{signature}",
        issuer.sign(tenant=VICTIM, scope="admin", key="foreign"),
        issuer.sign(tenant=VICTIM, scope="admin", key="foreign", header={"jwk": issuer.jwk("foreign")}),
        issuer.sign(tenant=VICTIM, scope="admin", iss="https://evil.example"),
        issuer.sign(tenant=VICTIM, scope="admin", aud="another-service"),
        issuer.sign(tenant=VICTIM, scope="admin", exp=1_700_000_000),
        issuer.sign(tenant=f"alpha#{VICTIM}", scope="admin"),
        issuer.sign(tenant=[VICTIM], scope="admin"),
        issuer.sign(tenant="_directory", scope="admin"),
        issuer.sign(tenant=f"{VICTIM}\n", scope="admin"),
        issuer.sign(without=["tenant"], scope="admin"),
    ]


def _moved_in(world, key, words):
    """Memories of every kind under the same names as everybody else's; what an attacker may know of them."""
    header = f"Bearer {key}"
    hidden = f"{words.split()[0]}-project"
    content = f"{words} is spread at noon"
    ids, episodes = [], []
    assert (
        ask(world, header, "POST", "/memory/sessions", {}, {"session_id": hidden, "user_id": "ann"})[0] == 201
    )
    for session, project in (("s1", "shop"), ("s2", "shop"), ("s3", hidden)):
        assert ask(world, header, "POST", "/sessions", {}, {"id": session, "project": project})[0] == 201
        for scope in ("project", "global"):
            body = observation(
                random.Random(scope),
                SimpleNamespace(sessions=[session], projects=[project], topics=[""], content=content),
                content=f"{content} {session} {scope}",
                title=f"{words} {session} {scope}",
                topic_key=f"topic-{session}" if scope == "project" else None,
                scope=scope,
            )
            status, answer = ask(world, header, "POST", "/observations", {}, body)
            assert status == 201
            ids.append(json.loads(answer)["id"])
        event = {"event_type": "user_message", "content": content, "event_id": "e1"}
        opened = {"session_id": session, "app_name": hidden}
        assert ask(world, header, "POST", "/memory/sessions", {}, opened)[0] == 201
        assert ask(world, header, "POST", f"/memory/sessions/{session}/events", {}, event)[0] == 201
        fields = {"scratchpad": content, "ttl_seconds": 86_400}
        assert ask(world, header, "PUT", f"/working-memory/{session}", {}, fields)[0] == 200
        item = {"item": KNOWN, "value": words}
        assert ask(world, header, "POST", f"/ledger/{session}/mark", {}, item)[0] == 200
        episode = {"conversation_id": session, "agent_id": "a1", "summary": content}
        status, answer = ask(world, header, "POST", "/episodic/store", {}, episode)
        assert status == 201
        episodes.append(json.loads(answer)["id"])
        messages = [{"role": "user", "content": f"{words} please"}]
        assert ask(world, header, "POST", f"/sessions/{session}/end", {}, {"messages": messages})[0] == 200
    consent = {"ai_consent": True, "persist": True}
    assert ask(world, header, "PUT", "/api/rgpd/users/ann/consent", {}, consent)[0] == 200
    status, answer = ask(world, header, "POST", "/api/memory/maintain", {}, None)
    assert status == 200
    erasure = ask(world, header, "DELETE", "/api/rgpd/users/zoe/ai-data", {}, None)
    return SimpleNamespace(
        run=json.loads(answer)["timestamp"],
        erasure=json.loads(erasure[1])["data"]["erasure_id"],
        ids=ids,
        episodes=episodes,
        sessions=["s1", "s2", "s3", f"{VICTIM}#SESSION#s1", f"../{VICTIM}/s1", f"x#{VICTIM}#s1"],
        projects=["shop", f"{VICTIM}#PROJECT#shop", f"../{VICTIM}", "SHOP"],
        topics=["topic-s1", "topic-s2"],
        cursors=["", base64.urlsafe_b64encode(json.dumps([VICTIM, "shop", 0, ""]).encode()).decode()],
        content=f"{KNOWN} is spread at noon",
    )


def ask(world, authorization, method, path, query, body, headers=()):
    """Status and body of one request, by the whole way of one machine."""
    sent = [("host", "localhost"), ("content-type", "application/json"), *headers]
    if authorization is not None:
        sent.append(("authorization", authorization))
    content = b"" if body is None else json.dumps(body).encode()
    response = world.gateway.handle(Request(method, path, urlencode(query), sent, content))
    return response.status, response.body.decode()


def of_the_victim(connection):
    """Every row of the victim and of the directory, without the hour of a key's last use."""
    rows = connection.execute(
        "SELECT pk, sk, item, expires_at FROM items"
        " WHERE (pk >= 'bravo#' AND pk < 'bravo$') OR (pk >= '_directory#' AND pk < '_directory$')"
    )
    kept = {}
    for pk, sk, text, expires_at in rows:
        item = json.loads(text)
        if pk.startswith("_"):
            item.pop("last_used_at", None)
        kept[pk, sk] = (item, expires_at)
    return kept


# --- what must hold


def test_every_route_of_the_template_has_a_case():
    declared = {
        (route.method, route.path) for each in declarations.load().functions.values() for route in each.routes
    }
    assert declared == set(CASES) | OPEN
    guarded = {
        (route.method, route.path)
        for each in declarations.load().functions.values()
        for route in each.routes
        if route.authorizer
    }
    assert guarded == set(CASES)


def test_no_attempt_reaches_another_tenants_memories(world):
    rng = random.Random(SEED)
    routes = sorted(CASES)
    reached, let_in = [], []
    seen: dict[tuple[str, str], set[int]] = {route: set() for route in routes}
    with closing(sqlite3.connect(world.folder / "strata.db")) as connection:
        before = of_the_victim(connection)
        for number in range(ATTEMPTS):
            route = routes[number % len(routes)]
            turn = number // len(routes)
            way = EACH_ROUTES_FIRST[turn] if turn < len(EACH_ROUTES_FIRST) else rng.choice(WAYS_IN)
            authorization, smuggled = way(rng, world)
            path, query, body = CASES[route](rng, world.known)
            path += smuggled.get("path", "")
            query |= smuggled.get("query", {})
            if isinstance(body, dict):
                body |= smuggled.get("body", {})
            headers = smuggled.get("headers", ())
            status, answer = ask(world, authorization, route[0], path, query, body, headers)
            seen[route].add(status)
            if HIDDEN in answer or of_the_victim(connection) != before:
                reached.append((number, way.__name__, route))
                before = of_the_victim(connection)
            elsewhere = status in (404, 405) and "path" in smuggled
            if (way in FORGED or authorization is None) and status != 401 and not elsewhere:
                let_in.append((number, way.__name__, route, status))
    assert reached == []
    assert let_in == []
    # Nothing landed elsewhere either, and the attempts were real ones: each route answered 401 and more.
    assert set(cast(SqliteTable, bootstrap.application().stores.change_log).tenants()) == {VICTIM, *ATTACKERS}
    assert {route: each for route, each in seen.items() if 401 not in each or each == {401}} == {}
    assert all(not any(status >= 500 for status in statuses) for statuses in seen.values()), seen


@pytest.mark.parametrize("route", ["GET", "PATCH", "DELETE"])
def test_another_tenants_id_looks_like_an_unknown_one(world, route):
    own, body = f"Bearer {world.keys_of_attackers[0]}", {"title": "x"} if route == "PATCH" else None
    theirs = ask(world, own, route, f"/observations/{world.known.ids[0]}", {}, body)
    unknown = ask(world, own, route, "/observations/1234567890123456", {}, body)
    assert theirs == unknown
    assert theirs[0] == 404


@pytest.mark.parametrize("route", sorted(set(CASES) - BY_TOOL - BY_ADMINS), ids=" ".join)
def test_a_route_needs_its_scope(world, route):
    """Every route is either for reading or for writing: one of two such keys is refused, the other is not."""
    path, query, body = CASES[route](random.Random(1), world.known)
    answers = {}
    for scope in ("read", "write"):
        key = world.keys.create("scoped", scopes=[scope]).key
        answers[scope] = ask(world, f"Bearer {key}", route[0], path, query, body)
    needed, other = ("write", "read")
    if route[0] == "GET" or route in READ_BY_POST:
        needed, other = other, needed
    assert answers[needed][0] not in (401, 403)
    status, refusal = answers[other]
    assert status == 403
    told = json.loads(refusal)
    if "success" in told:  # Fyso's envelope
        assert set(told) == {"success", "error"}
        assert set(told["error"]) == {"code", "message"}
        assert told["error"]["code"] == "FORBIDDEN"
    else:
        assert set(told) == {"error", "code"}
        assert told["code"] == "forbidden"


@pytest.mark.parametrize("route", sorted(BY_ADMINS), ids=" ".join)
def test_what_concerns_everybody_is_for_administrators(world, route):
    path, query, body = CASES[route](random.Random(1), world.known)
    for scopes in (["read"], ["write"], ["read", "write"]):
        key = world.keys.create("scoped", scopes=scopes).key
        assert ask(world, f"Bearer {key}", route[0], path, query, body)[0] == 403
    key = world.keys.create("scoped", scopes=["admin"]).key
    assert ask(world, f"Bearer {key}", route[0], path, query, body)[0] in (200, 202, 404)


@pytest.mark.parametrize("route", sorted(OPEN), ids=" ".join)
def test_an_open_route_needs_no_credentials_and_tells_nothing(world, route):
    method, path = route
    status, answer = ask(world, None, method, path.replace("{service}", "table"), {}, None)
    assert status == 200
    assert HIDDEN not in answer


def _erasing_last(route):
    """The order of the controls: an erased person's entities are not changed any more."""
    return "/api/entities" not in route[1], route


@pytest.mark.parametrize(
    "route", sorted(set(CASES) - REFUSED - OF_THE_MACHINE, key=_erasing_last), ids=" ".join
)
def test_the_victims_own_key_does_reach_it(world, route):
    """The control, last of all: the same requests succeed with the right key, so those above might have."""
    rng = random.Random(SEED)
    with closing(sqlite3.connect(world.folder / "strata.db")) as connection:
        for _ in range(60):
            before = of_the_victim(connection)
            path, query, body = CASES[route](rng, world.known)
            _, answer = ask(world, f"Bearer {world.key_of_victim}", route[0], path, query, body)
            if HIDDEN in answer or of_the_victim(connection) != before:
                return
            if route in READ_BY_POST and json.loads(answer).get("injected"):
                return
            if route in NUMBERS_ONLY and _tells(json.loads(answer)):
                return
    pytest.fail("no request reached the victim's memories")


def _tells(answer):
    """Whether an answer, in Fyso's envelope or not, has anything but zeros."""
    told = answer.get("data", answer)
    return any(told.values() if isinstance(told, dict) else told)
