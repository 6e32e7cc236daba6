"""Every route of the wire contract, from its arguments to a `Call`; a module for each group.

Nothing here touches the network, so that any kind of client can send these. Each route's signature stands
here and nowhere else: `strata.client.routes` makes the clients' methods of them.

An answer that holds one thing is that thing: `mark_ledger` gives a bool, `store_episode` an id.
"""

from strata.client.calls.contexts import assemble_context, context, context_text
from strata.client.calls.episodes import (
    conversation_episodes,
    delete_episode,
    ingest,
    recent_episodes,
    search_episodes,
    similar_episodes,
    store_episode,
)
from strata.client.calls.events import (
    add_event,
    add_events,
    clean_up_events,
    conversation_text,
    create_event_session,
    delete_event_session,
    event_sessions,
    event_stats,
    get_event_session,
    recent_events,
    session_events,
)
from strata.client.calls.finding import search, timeline
from strata.client.calls.ledger import check_ledger, evict_ledger, get_ledger, mark_ledger
from strata.client.calls.maintenance import maintain, maintenance_history, maintenance_report
from strata.client.calls.observations import change, delete, get, recent, save
from strata.client.calls.people import (
    delete_fact,
    erase_personal_data,
    erasure,
    facts,
    get_agent_config,
    get_consent,
    personal_data,
    put_agent_config,
    put_consent,
)
from strata.client.calls.sessions import create_session, end_session, recent_sessions
from strata.client.calls.tools import call_tool
from strata.client.calls.transcripts import Message
from strata.client.calls.whole import export, health, import_, stats
from strata.client.calls.working_memory import (
    delete_working_memory,
    get_entities,
    get_scratchpad,
    get_working_memory,
    put_working_memory,
    set_entities,
    set_scratchpad,
)

__all__ = [
    "Message",
    "add_event",
    "add_events",
    "assemble_context",
    "call_tool",
    "change",
    "check_ledger",
    "clean_up_events",
    "context",
    "context_text",
    "conversation_episodes",
    "conversation_text",
    "create_event_session",
    "create_session",
    "delete",
    "delete_episode",
    "delete_event_session",
    "delete_fact",
    "delete_working_memory",
    "end_session",
    "erase_personal_data",
    "erasure",
    "event_sessions",
    "event_stats",
    "evict_ledger",
    "export",
    "facts",
    "get",
    "get_agent_config",
    "get_consent",
    "get_entities",
    "get_event_session",
    "get_ledger",
    "get_scratchpad",
    "get_working_memory",
    "health",
    "import_",
    "ingest",
    "maintain",
    "maintenance_history",
    "maintenance_report",
    "mark_ledger",
    "personal_data",
    "put_agent_config",
    "put_consent",
    "put_working_memory",
    "recent",
    "recent_episodes",
    "recent_events",
    "recent_sessions",
    "save",
    "search",
    "search_episodes",
    "session_events",
    "set_entities",
    "set_scratchpad",
    "similar_episodes",
    "stats",
    "store_episode",
    "timeline",
]
