"""Texts and examples of the OpenAPI document: tags of the rooms, parameters by name, errors by status.

A parameter that has a `description` of its own at its route keeps it; all others are described here.
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any


@dataclass(frozen=True, slots=True)
class Described:
    """A route as the OpenAPI document needs it; `permission` is None for a public one."""

    method: str
    module: str
    permission: str | None
    errors: tuple[int, ...]


OBSERVATION_ID = 1767258000000000

TAGS: dict[str, tuple[str, str]] = {
    "http.save": ("Observations", "Save, search, change and delete memories."),
    "http.search": ("Observations", ""),
    "http.context": ("Context", "Memories for an agent's next prompt."),
    "http.sessions": ("Sessions", "Start, read, end and list sessions."),
    "http.session_end": ("Sessions", ""),
    "http.events": ("Events", "Sessions with their events, in KAOS's shapes."),
    "http.working_memory": ("Working memory", "Fields of a conversation, with a time to live."),
    "http.ledger": ("Injection ledger", "Items that a conversation already received."),
    "http.episodes": ("Episodes", "Summaries of whole conversations, by agent or by user."),
    "http.agents": ("Agents", "What each agent remembers about people."),
    "http.knowledge": ("Knowledge", "What is known about a person."),
    "http.questions": ("Questions", "Questions about a person, and forgetting."),
    "http.entities": ("Entities", "People, places, organizations, events and things that memories name."),
    "http.privacy": ("Privacy", "Consent, access and erasure (GDPR)."),
    "http.transfer": ("Transfer", "Export and import."),
    "http.chats": ("Chats", "What other tools keep on this machine, and what engram's clients send."),
    "http.maintenance": ("Maintenance", "Maintenance runs and their reports."),
    "mcp.http": ("MCP", "The Model Context Protocol."),
    "http.health": ("Service", "Health, totals and this document."),
}
"""The tag of each module of routes, by its name under `entrypoints/`. A tag is described once."""

ENTITY_ROUTES = (
    *(
        "list_entities",
        "entity_stats",
        "merge_proposals",
        "get_entity",
        "put_entity",
        "delete_entity",
        "restore_entity",
    ),
    *("merge_entities", "undo_merge", "entity_episodes", "entity_conclusions", "entity_relationships"),
    *("entity_graph", "entity_page"),
)

PARAMETERS: dict[str, tuple[str, Any]] = {
    "across_projects": ("Whether to use all of the caller's projects, whatever `project` says.", False),
    "after": ("How many later observations to list.", 3),
    "agentId": ("The id of the agent.", "support"),
    "agent_id": ("The agent that the context is for; its facts and episodes are used.", "support"),
    "autoSave": ("Whether the model is offered the tool that saves.", True),
    "autoSearch": ("Whether the model is offered the tool that searches.", True),
    "before": ("How many earlier observations to list.", 3),
    **dict.fromkeys(
        (
            "append_events.id",
            "conversation.id",
            "delete_session.id",
            "end_session.id",
            "get_session.id",
            "list_session_events.id",
            "read_session.id",
        ),
        ("The id of the session.", "session-1"),
    ),
    "tools": ("The optional tools that the model is offered, too, with commas between.", "mem_update"),
    "cwd": ("The folder.", "/home/ann/shop/api"),
    "cursor": ("The `next` of the page before; absent for the first page.", None),
    "conversation_id": ("The id of the conversation, which is that of its session.", "conversation-1"),
    "list_conclusions.agent_id": ("The agent that it is for: what is of others is left out.", "support"),
    "list_conclusions.project": ("The project that it is for: what is of others is left out.", "shop"),
    "list_conclusions.type": (
        "Conclusions of one type, `inferred` or `corrected` ones; all where it is absent.",
        "inductive",
    ),
    "minConfidence": ("The least confidence.", 0.5),
    "maxAgeDays": ("Leave out what was not supported for so many days.", 90),
    "consolidationId": ("The id of the run.", "1795228800000000"),
    "conclusionId": ("The id of the conclusion.", "c5f0e3"),
    **dict.fromkeys(
        ("get_profile.agent_id", "profile_history.agent_id"),
        ("The agent that it is for: what is of other agents is left out.", "support"),
    ),
    **dict.fromkeys(
        ("get_profile.project", "profile_history.project"),
        ("The project that it is for: what is of other projects is left out.", "shop"),
    ),
    **{
        f"{name}.{parameter}": (
            f"The {parameter.removesuffix('_id')} that asks: what is of others is left out.",
            value,
        )
        for name in ENTITY_ROUTES
        for parameter, value in (("agent_id", "support"), ("project", "shop"))
    },
    "list_entities.q": ("Words of a name or alias, the last of which may be begun only.", "ana"),
    "list_entities.type": ("Only entities of this type.", "person"),
    "list_entities.deleted": ("Whether to list deleted entities instead.", False),
    "entityId": ("The id of the entity; that of a merged one leads to its target.", "5f0c2d"),
    "depth": ("How many relationships away entities may be, at most 3.", 2),
    "entity_graph.limit": ("The most entities.", 200),
    **dict.fromkeys(("get_preferences.userId", "put_preferences.userId"), ("The id of the user.", "ann")),
    "deviceId": ("The id of the device.", "kitchen"),
    "adopt": ("Whether what the device wrote before becomes its user's, too.", True),
    "delete_fact.id": ("The id of the fact.", "f-1"),
    "hard": ("Whether to erase the observation for good.", False),
    "erasure_id": ("The id that the start of the erasure returned.", "e-1"),
    "event_types": ("Only events of these types, repeated or with commas between.", ["user_message"]),
    "externalRef": ("The person, by the reference that the tenant uses for them.", "ann"),
    "export_memories.cursor": ("The `next`, or the `cursor` of the last line, of the page before.", None),
    "export_memories.format": ("`json`, or `jsonl` for rows of every kind as JSON lines.", "json"),
    "export_memories.user_id": ("Only what is this person's; with `format=jsonl`.", None),
    "kinds": (
        "Kinds of rows, with commas between: consents, agents, profiles, preferences, devices, sessions, "
        "conclusions, entities, events, observations, episodes, facts, working_memory, ledger, or all; by "
        "default all but the last two. With `format=jsonl`.",
        None,
    ),
    "resurrect": ("Whether to bring back what was deleted or erased here; needs `admin`.", False),
    "fetch_context.conversation_id": (
        "The conversation that receives the context: items that it has received are left out.",
        "conversation-1",
    ),
    "fields": ("The fields, repeated or with commas between.", ["draft"]),
    "fill": ("`recent` fills a plain context up with the newest memories; `none` does not.", "recent"),
    "forget_episode.id": ("The id of the episode.", "ep-1"),
    "format": ("`json`, or `text` for the text that goes into a prompt.", "json"),
    "id": ("The id of the observation.", OBSERVATION_ID),
    "service": ("The name of the service.", "memory-maintenance"),
    "dry_run": ("Whether only to count what would be done.", True),
    "include_superseded": ("Whether to find observations that a newer one superseded.", False),
    "layers": (
        "The layers to use, with commas between: facts, profile, conclusions, episodes, observations, "
        "sessions. By default all of them.",
        "observations,sessions",
    ),
    "limit": ("The most rows to return.", 10),
    "max_events": ("The most messages to return.", 20),
    "metadata": ("", '{"env": "prod"}'),
    "tags_all": ("", "deploy,rule"),
    "tags_any": ("", "deploy"),
    "min_relevance": (
        "The least probability, from 0 to 1, that a memory answers the query; by default the server's.",
        0.1,
    ),
    "min_score": ("The least score of a hit; scores of different searches do not compare.", 0.2),
    "mode": ("Search by words (`bm25`), by meaning (`vector`) or by both (`hybrid`).", "hybrid"),
    "observation_id": ("The id of the observation in the middle.", OBSERVATION_ID),
    "project": ("Only rows of this project, in upper or lower case; by default of all projects.", "shop"),
    "q": ("The words to search for.", "when do we deploy?"),
    "query": ("The user's message or another text that the context should fit.", "when do we deploy?"),
    "scope": ("Only observations of this scope, such as `project` or `global`.", "project"),
    "sessionId": ("The id of the session.", "session-1"),
    "external_type": ("Only sessions on this channel, and what came from them.", "web"),
    "external_ref": ("Only entries about this person.", "ann"),
    **dict.fromkeys(
        ("accept_dpa.id", "get_dpa_status.id"), ("The id of the tenant, which must be the caller's.", "local")
    ),
    "session_id": ("Only rows of this session.", "session-1"),
    "exchange_messages.session_id": ("The session that saves belong to.", "session-1"),
    "exchange_messages.project": ("The project of calls that name none.", "shop"),
    "timestamp": ("The start of the run in Unix milliseconds.", 1767258000000),
    "token_budget": ("The most tokens that the context may take.", 1000),
    "turn_id": ("The turn of the conversation: a retry of it gets the same items again.", "turn-1"),
    "type": ("Only observations of this type, such as `decision`.", "decision"),
    "userId": ("The user; by default the caller, or the user `default`.", "ann"),
    "user_id": ("The user that the data belongs to.", "ann"),
}
"""Description and example of a parameter, by `operation.name`, else by its name; "" and None where none."""

ERRORS: dict[int, tuple[str, str, str]] = {
    400: (
        "A parameter or the body is invalid; `details` names each problem.",
        "invalid_request",
        "q: Field required",
    ),
    401: ("No credentials, or unknown ones.", "unauthenticated", "a key or token is needed"),
    403: ("These credentials may not do this.", "forbidden", "this needs the permission write"),
    404: ("Unknown, deleted, or of another tenant.", "not_found", "no such observation"),
    405: ("The path has no such method.", "method_not_allowed", "use POST"),
    409: (
        "Another write came first, or the data belongs to another user.",
        "owned_by_another",
        "the session belongs to another user",
    ),
    413: ("The body is too large.", "too_large", "the request body is over 1048576 bytes"),
    415: (
        "The body is not JSON.",
        "unsupported_media_type",
        "the body must be application/json, not text/plain",
    ),
    429: ("Too many requests.", "throttled", "the table asks to slow down"),
    431: (
        "The path, query and headers exceed 64 KB.",
        "head_too_large",
        "the head of the request is larger than 64 KB",
    ),
    500: ("A defect of the server.", "internal_error", "something went wrong on our side"),
    503: ("A store does not answer; try again later.", "unavailable", "the table does not answer"),
}
"""Meaning, code and sentence of each error status."""


def error_responses() -> dict[str, Any]:
    """Every error as a reusable response, by its name."""
    return {error_name(status): _error(status) for status in ERRORS}


def error_name(status: int) -> str:
    """The name of an error in `components/responses`."""
    return "".join(word.title() for word in HTTPStatus(status).phrase.split())


def _error(status: int) -> dict[str, Any]:
    told, code, sentence = ERRORS[status]
    body: dict[str, Any] = {"error": sentence, "code": code}
    if status == HTTPStatus.BAD_REQUEST:
        field, _, message = sentence.partition(": ")
        body["details"] = [{"field": field, "message": message}]
    content = {"schema": {"$ref": "#/components/schemas/Error"}, "example": body}
    headers = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in _HEADERS.get(status, ())
    }
    return (
        {"description": told}
        | ({"headers": headers} if headers else {})
        | {"content": {"application/json": content}}
    )


_RETRY = (("Retry-After", "Seconds to wait before a retry."),)
_HEADERS: dict[int, tuple[tuple[str, str], ...]] = {
    401: (("WWW-Authenticate", "The scheme of the credentials."),),
    405: (("Allow", "The methods of the path."),),
    429: _RETRY,
    503: _RETRY,
}
