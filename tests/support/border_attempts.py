"""Attempts to cross a border between tenants, people, projects or agents, made from the API document.

Every planted row holds the mark of its cell, whose letters stand in no request; the ids that name it are
opaque. A request is made for every operation of the document by the names of its parameters and fields: those
that claim a person, project or agent say the asker's own, those that name a row say somebody else's.
"""

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import resources
from random import Random
from typing import Any
from urllib.parse import quote

import httpx

from strata.bootstrap import Application
from strata.domain.entities.shapes import Mention, Relationship
from strata.domain.scope import Scope
from strata.entrypoints.mcp import arguments
from strata.entrypoints.mcp.schemas import schema
from strata.entrypoints.mcp.tools import OPTIONAL
from strata.ports.rows import Put, Update
from strata.services.entities.recording import Source
from strata.services.records.entities import entities_head_key, entity_id
from strata.services.records.knowledge import conclusion_key
from strata.services.records.owners import owned
from support.api_calls import called, data
from support.memory import dialogue, learn

TENANTS, PEOPLE, PROJECTS, AGENTS = ("alpha", "bravo"), ("ann", "bob"), ("shop", "lab"), ("cook", "clerk")
BORDERS = ("tenant", "person", "project", "agent")
NONE = "xx"
"""In a mark: a row that belongs to no person, project or agent."""
KNOWN = "what did we decide about the price of marmalade"

_MARK = re.compile(
    r"zq({})({})({})({})".format(*("|".join((*names, NONE)) for names in (TENANTS, PEOPLE, PROJECTS, AGENTS)))
)

_CLAIMS = {
    "person": ("user_id", "userId", "externalRef", "external_ref"),
    "project": ("project",),
    "agent": ("agent_id", "agentId"),
}
TOOLS = {
    "mem_save": arguments.SaveArguments,
    "mem_search": arguments.SearchArguments,
    "mem_context": arguments.ContextArguments,
    "mem_get": arguments.GetArguments,
    "mem_timeline": arguments.TimelineArguments,
    "mem_entity": arguments.EntityArguments,
}


@dataclass(frozen=True)
class Cell:
    """A tenant's person with an agent in a project; `NONE` where a row has none."""

    tenant: str
    person: str = NONE
    project: str = NONE
    agent: str = NONE

    @property
    def mark(self) -> str:
        return f"zq{self.tenant}{self.person}{self.project}{self.agent}"


CELLS = [Cell(*names) for names in itertools.product(TENANTS, PEOPLE, PROJECTS, AGENTS)]


@dataclass
class Ids:
    """The ids of what a cell's rows are named by; lists, for a request takes one of them."""

    sessions: list[str] = field(default_factory=list)
    conversations: list[str] = field(default_factory=list)
    observations: list[int] = field(default_factory=list)
    episodes: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    erasures: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    conclusions: list[str] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Operation:
    """A route of the document, or a tool; its parameters and its body's fields are True where required."""

    method: str
    path: str
    parameters: Mapping[tuple[str, str], bool]
    body: Mapping[str, bool] | None
    tool: str | None = None

    @property
    def name(self) -> str:
        return self.tool or f"{self.method} {self.path}"


@dataclass(frozen=True)
class Attempt:
    """A request in the name of `asker`, and what it claims to be: nothing of another may come of it."""

    operation: Operation
    asker: Cell
    path: str
    query: dict[str, str]
    body: Any
    claims: Mapping[str, str]

    def made(self, api: httpx.Client) -> httpx.Response:
        headers = {"x-tenant": self.asker.tenant, "accept": "application/json, text/event-stream"}
        sent = {} if self.body is None else {"json": self.body}
        return api.request(self.operation.method, self.path, params=self.query, headers=headers, **sent)

    def seen(self, text: str) -> list[str]:
        """The marks in an answer that lie beyond a border that the request names."""
        return _beyond(self.claims, text)

    def touched(self, row: str) -> list[str]:
        """The marks of a changed row that lie beyond a border of tenants or people, of a fact also of agents.

        A session may be continued in another project, and by another agent.
        """
        agents = "/agents/" in self.operation.path
        fixed = {name: own for name, own in self.claims.items() if name in ("tenant", "person") or agents}
        return _beyond(fixed, row)


def _beyond(claims: Mapping[str, str], text: str) -> list[str]:
    return sorted(
        cell.mark
        for cell in cells_in(text)
        if any(getattr(cell, border) not in (own, NONE) for border, own in claims.items())
    )


def cells_in(text: str) -> set[Cell]:
    return {Cell(*found) for found in _MARK.findall(text)}


class Marks:
    """Reads a mark as a name: a thing of the cell's own, and a spelling of a person that others name too."""

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        found = {each[0]: each.span() for each in _MARK.finditer(text)}
        things = [Mention(mark, "thing", *span) for mark, span in found.items()]
        return [*things, Mention(SHARED, "person", 0, 0, tuple(found))] if found else []


SHARED = "Marmalade"
"""An entity of each owner that every one of their cells names."""

# --- what is planted


def plant(api: httpx.Client, app: Application, cell: Cell, number: int) -> Ids:
    """Rows of every kind that belong to the cell, each with its mark."""
    headers = {"x-tenant": cell.tenant}

    def ask(method: str, path: str, body: Any = None, status: int = 201, **query: str) -> Any:
        answer = api.request(method, path, json=body, headers=headers, params=query)
        assert answer.status_code == status, (path, answer.text)
        return answer.json()

    def said(of: Cell, what: str) -> str:
        return f"We decided the price of marmalade is 41, so {of.mark} says in the {what}"

    ids = Ids(sessions=[f"s{number:04}"], conversations=[f"c{number:04}", f"s{number:04}"], topics=["price"])
    (session,), conversation = ids.sessions, ids.conversations[0]
    owner, agent = {"user_id": cell.person}, {"agent_id": cell.agent}
    shared = replace(cell, agent=NONE)
    """The kinds that the agent does not bound: any is given observations, sessions and events."""
    ask("PUT", f"/api/agents-config/{cell.agent}", {"memory_enabled": True}, 200)
    ask("POST", "/sessions", {"id": session, "project": cell.project} | owner | agent)
    ask("POST", "/memory/sessions", {"session_id": session, "app_name": shared.mark} | owner)
    event = {"event_type": "user_message", "content": said(shared, "event")}
    ask("POST", f"/memory/sessions/{session}/events", event)
    note = {"session_id": session, "project": cell.project, "type": "decision", "title": "Price of marmalade"}
    for kind, extra in (("note", {}), ("topic", {"topic_key": "price"})):
        saved = ask("POST", "/observations", note | owner | agent | extra | {"content": said(shared, kind)})
        ids.observations.append(saved["id"])
    for where in ids.conversations:
        ask(
            "PUT",
            f"/working-memory/{where}",
            {"pad": said(replace(shared, project=NONE), "pad")},
            200,
            **owner,
        )
        ask("POST", f"/ledger/{where}/mark", {"item": KNOWN, "value": cell.mark} | owner, 200)
    kept = {"conversation_id": conversation, "summary": said(replace(cell, project=NONE), "episode")}
    ids.episodes.append(ask("POST", "/episodic/store", kept | owner | agent)["id"])
    reply = (
        f"## Price of marmalade\n{said(cell, 'reply')}\n" + "1. Because of the price, therefore 41.\n" * 40
    )
    worked = {"session_id": session, "response": reply, "tool_calls": 3, "steps": 5} | owner
    ids.episodes.append(ask("POST", "/api/memory/ingest", worked, 200)["id"])
    talk = [f"{said(shared, 'talk')}, because of reason {reason}" for reason in range(8)]
    ask("POST", f"/sessions/{session}/end", {"messages": dialogue(*talk)} | owner, 200)
    said_of = said(replace(cell, project=NONE), f"fact {number}")
    ids.facts += learn(
        app,
        Scope(cell.tenant),
        ("preference", said_of),
        agent=cell.agent,
        owner=cell.person,
        session=session,
    )
    ask("PUT", f"/api/rgpd/users/{cell.person}/consent", {"ai_consent": True}, 200)
    stated = {"userId": cell.person, "agent_id": cell.agent, "project": cell.project}
    ask("PUT", "/api/memory/profile", stated | {"name": said(cell, "profile")}, 200)
    told = {"note": said(replace(shared, project=NONE), "preferences")}
    ask("PUT", f"/api/users/{cell.person}/preferences", {"preferences": told}, 200)
    row = conclusion(f"con-{number}", said(cell, "conclusion"), cell, session)
    app.stores.table.transact(Scope(cell.tenant), [Put(conclusion_key(cell.person, row["id"]), row)])
    ids.conclusions.append(row["id"])
    for of, its_agent in ((cell, cell.agent), (shared, None)):
        named, uses = Marks().recognize(of.mark), Relationship(SHARED, "uses", of.mark, "")
        source = Source(
            f"{its_agent}-{number}", cell.person, session, its_agent, cell.project, its_agent is not None, _AT
        )
        app.entities.recorder.record(Scope(cell.tenant), source, named, [uses])
    known = (("person", SHARED.lower()), ("thing", cell.mark))
    ids.entities += [entity_id(cell.person, kind, name) for kind, name in known]
    return ids


def propose(app: Application, cell: Cell, ids: Ids) -> None:
    """Propose to merge the cell's entity with the one that others name, too."""
    head = entities_head_key(cell.person)
    proposals = (app.stores.table.get(Scope(cell.tenant), head) or {})["proposals"]
    ends = dict(zip(("source", "entity"), ids.entities, strict=True))
    proposals = [*proposals, ends | {"reason": "embedding", "likeness": 0.9}]
    app.stores.table.update(Scope(cell.tenant), Update(head, set={"proposals": proposals}))


def conclusion(name: str, text: str, cell: Cell, session: str) -> dict[str, Any]:
    """The row of a conclusion from a session of a configured agent."""
    said = {"id": name, "text": text, "type": "explicit", "confidence": 0.9, "by": "rules", "against": 0}
    about = {"subject": name, "value_key": text, "corrected": False, "scope": name, "value": text}
    border = {"agents": [cell.agent], "projects": [cell.project], "confined": True}
    rests = {"sources": [session], "sessions": [session], "quotes": []}
    times = {"last": _AT, "created_at": _AT, "updated_at": _AT, "run": _AT}
    return said | about | border | rests | times | owned(cell.person, "knowledge")


def keep_clean(api: httpx.Client, cell: Cell, ids: Ids) -> None:
    """A report of maintenance and a receipt of an erasure in the cell's tenant."""
    headers = {"x-tenant": cell.tenant}
    ids.runs.append(api.post("/api/memory/maintain", headers=headers).json()["timestamp"])
    erased = data(api.delete("/api/rgpd/users/zoe/ai-data", headers=headers))
    ids.erasures.append(erased["erasure_id"])


# --- the requests


def operations() -> list[Operation]:
    """Every operation of the API document, and every tool for models."""
    document = json.loads(resources.files("strata").joinpath("openapi.json").read_text())
    found = []
    for path, methods in document["paths"].items():
        for method, declared in methods.items():
            given = {
                (each["in"], each["name"]): each.get("required", False)
                for each in declared.get("parameters", ())
            }
            content = declared.get("requestBody", {}).get("content", {}).get("application/json")
            body = dict(_fields(document, content["schema"])) if content else None
            if path != "/mcp":
                found.append(Operation(method.upper(), path, given, body))
    for tool, model in TOOLS.items():
        declared = schema(model)
        fields = {name: name in declared["required"] for name in declared["properties"]}
        caller = {"mem_save": ("project", "user_id"), "mem_search": ("project",), "mem_context": ("project",)}
        given = {("query", name): False for name in caller.get(tool, ())} | {("query", "tools"): True}
        found.append(Operation("POST", "/mcp", given, fields, tool))
    return found


def _fields(document: Any, schema: Any) -> Iterator[tuple[str, bool]]:
    """The fields of a body; of alternatives, those of the first object."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _fields(document, choice)
    for name in schema.get("properties", {}):
        yield name, name in schema.get("required", ())


def attempt(rng: Random, operation: Operation, asker: Cell, known: Ids) -> Attempt:
    """A request of the asker for rows that `known` names."""
    values = _Values(rng, operation, asker, known)
    path = operation.path
    for _, name in (each for each in operation.parameters if each[0] == "path"):
        path = path.replace(f"{{{name}}}", quote(str(values.of(name)), safe=""))
    asked = {
        name: values.of(name)
        for (place, name), required in operation.parameters.items()
        if place == "query" and (required or rng.random() < values.likely(name))
    }
    query = {name: str(value) for name, value in asked.items() if value is not None}
    body = None
    if operation.body is not None:
        body = {
            name: values.of(name)
            for name, required in operation.body.items()
            if required or rng.random() < values.likely(name)
        }
        body = {name: value for name, value in body.items() if value is not None}
    return Attempt(
        operation,
        asker,
        path,
        query,
        called(operation.tool, **(body or {})) if operation.tool else body,
        _claims(operation, asker, {**query, **(body or {})}),
    )


def _claims(operation: Operation, asker: Cell, given: Mapping[str, Any]) -> dict[str, str]:
    """The identity of the request: its tenant always, the others by the parameters that name them."""
    named = set(given) | {name for place, name in operation.parameters if place == "path"}
    own = asdict(asker)
    claims = {"tenant": asker.tenant}
    for border, names in _CLAIMS.items():
        if named & set(names):
            claims[border] = own[border]
    if operation.path.startswith(("/api/memory/episodes", "/api/memory/search", "/api/entities")):
        claims.setdefault("person", "default")
    if given.get("across_projects") == "true":
        claims.pop("project", None)
    return {border: name for border, name in claims.items() if border in _KEPT.get(operation.path, BORDERS)}


_KEPT = {"/import": ("tenant",), "/sessions": ("tenant", "person")}
"""The borders of routes that name more of them than they keep.

A restore writes whatever it is given; a session that is started again is given back by its id.
"""


_OFTEN = ("query", "conversation_id", "min_relevance")
_SELDOM = ("session_id", "tags_any", "tags_all", "scope", "type", "limit", "cursor", "turn_id")


class _Values:
    """A value for each parameter and field, by its name."""

    def __init__(self, rng: Random, operation: Operation, asker: Cell, known: Ids) -> None:
        self._rng, self._operation, self._asker, self._known = rng, operation, asker, known

    def likely(self, name: str) -> float:
        """An optional one is given so often."""
        if name in _OFTEN or any(name in names for names in _CLAIMS.values()):
            return 0.7
        return 0.1 if name in _SELDOM else 0.3

    def of(self, name: str) -> Any:
        own, known, path = self._asker, self._known, self._operation.path
        named: dict[str, Any] = {
            "user_id": own.person,
            "userId": own.person,
            "externalRef": own.person,
            "external_ref": own.person,
            "project": own.project,
            "agent_id": own.agent,
            "agentId": own.agent,
            "session_id": known.sessions,
            "sessionId": known.sessions,
            "conversation_id": known.conversations,
            "observation_id": known.observations,
            "erasure_id": known.erasures,
            "timestamp": known.runs,
            "topic_key": known.topics,
            "q": KNOWN,
            "query": KNOWN,
            "question": KNOWN,
            "content": [KNOWN, f"{KNOWN} {self._rng.random()}"],
            "summary": KNOWN,
            "response": f"## {KNOWN}\n" + "1. Because of the price, therefore 41.\n" * 40,
            "title": "Price of marmalade",
            "type": "decision",
            "event_type": "user_message",
            "item": [KNOWN, f"{KNOWN} {self._rng.random()}"],
            "value": "injected",
            "tags": [["price"]],
            "tags_any": "price",
            "tags_all": "price",
            "messages": dialogue(KNOWN, "41"),
            "scope": ["project", "global"],
            "mode": ["bm25", "vector", "hybrid"],
            "format": ["json", "text"],
            "fill": ["recent", "none"],
            "layers": [
                "facts",
                "episodes",
                "observations",
                "sessions",
                "facts,episodes",
                "profile,conclusions",
                "episodes,observations",
            ],
            "across_projects": "false",
            "token_budget": [50, 500, 8000],
            "limit": [5, 50],
            "top_k": 100,
            "before": 20,
            "after": 20,
            "min_relevance": 0,
            "min_score": 0,
            "fields": "pad",
            "app_name": "app",
            "turn_id": ["t1", "t2"],
            "tool_calls": 3,
            "steps": 5,
            "max_age_hours": 0.0000001,
            "sessions": [[{"id": self._one(known.sessions), "project": own.project, "started_at": _TIME}]],
            "observations": [[self._imported()]],
            "memory_enabled": True,
            "ai_consent": True,
            "persist": True,
            "consent": True,
            "entityId": known.entities,
            "sourceId": known.entities,
            "tools": self._operation.tool if self._operation.tool in OPTIONAL else None,
            "entity": [*known.entities, SHARED],
        }
        if path.startswith("/api/entities"):
            named |= {
                "q": [SHARED, *(f"zq{own.tenant}{each}" for each in PEOPLE)],
                "type": ["person", "thing"],
                "name": SHARED,
                "aliases": [[SHARED]],
                "confidence": 0.5,
                "deleted": ["true", "false"],
                "depth": [1, 2],
            }
        if name == "id":
            return self._one(self._rows_of(path))
        given = named.get(name)
        return self._one(given) if isinstance(given, list) else given

    def _one(self, values: list[Any]) -> Any:
        return self._rng.choice(values)

    def _rows_of(self, path: str) -> list[Any]:
        known = self._known
        for part, rows in (
            ("/facts/", known.facts),
            ("/conclusions/", known.conclusions),
            ("/episodes/", known.episodes),
            ("/observations/", known.observations),
            ("/sessions", known.sessions),
            ("/mcp", known.observations),
        ):
            if part in path:
                return rows
        return [*known.sessions, "somebody"]

    def _imported(self) -> dict[str, Any]:
        return {
            "id": self._one(self._known.observations),
            "session_id": self._one(self._known.sessions),
            "type": "decision",
            "title": "Price of marmalade",
            "content": KNOWN,
            "project": self._asker.project,
            "created_at": _TIME,
        }


_TIME = "2026-01-01T00:00:00Z"
_AT = 1_767_225_600_000_000
