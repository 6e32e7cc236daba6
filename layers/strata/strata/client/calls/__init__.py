"""Every route of the wire contract, from its arguments to a `Call`; a module for each group.

Nothing here touches the network, so that any kind of client can send these. Each route's signature stands
here and nowhere else: `strata.client.routes` makes the clients' methods of them.

An answer that holds one thing is that thing: `mark_ledger` gives a bool, `store_episode` an id.
"""

from strata.client.calls.finding import context, context_text, search, timeline
from strata.client.calls.observations import change, delete, get, recent, save
from strata.client.calls.sessions import Message, create_session, end_session, recent_sessions
from strata.client.calls.whole import export, health, import_, stats

__all__ = [
    "Message",
    "change",
    "context",
    "context_text",
    "create_session",
    "delete",
    "end_session",
    "export",
    "get",
    "health",
    "import_",
    "recent",
    "recent_sessions",
    "save",
    "search",
    "stats",
    "timeline",
]
