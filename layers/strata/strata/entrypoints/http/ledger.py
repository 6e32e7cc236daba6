"""The injection ledger of a conversation."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.exact_json import to_text
from strata.domain.wire.ledger import Checked, Evicted, LedgerEviction, LedgerItem, LedgerMark, Marked
from strata.domain.working_memory import as_member
from strata.entrypoints.http.api.answers import newest_fitting
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import IdentPath, NewIdentPath
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.services.conversations.ledger import Ledger


def ledger_handler(identify: Caller, observing: Observing, ledger: Ledger) -> Handler:
    """Get, check, mark and evict items."""
    api = Api(identify, observing)

    @api.route("GET", "/ledger/<conversation_id>", READ, answer=dict[str, str])
    def get_ledger(caller: Scope, conversation_id: IdentPath) -> Response[Any]:
        """Get the items injected into a conversation, with their values; the newest where not all fit."""
        items = ledger.items(caller, conversation_id)
        kept, left_out = newest_fitting(as_member(item, to_text(value)) for item, value in items.items())
        headers: dict[str, Any] = {"Strata-Left-Out": str(left_out)} if left_out else {}
        return Response(200, JSON, f"{{{','.join(kept)}}}", headers)

    @api.route("POST", "/ledger/<conversation_id>/check", READ, answer=Checked)
    def check_injected(
        caller: Scope, conversation_id: IdentPath, asked: Annotated[LedgerItem, Body()]
    ) -> Checked:
        """Check whether an item has been injected."""
        return Checked(item=asked.item, injected=ledger.check(caller, conversation_id, asked.item))

    @api.route("POST", "/ledger/<conversation_id>/mark", WRITE, answer=Marked)
    def mark_injected(
        caller: Scope, conversation_id: NewIdentPath, mark: Annotated[LedgerMark, Body()]
    ) -> Marked:
        """Mark an item as injected; of concurrent marks of one item exactly one gets `true`.

        A value that is sent for an item that is marked already takes the place of the one that it has.
        """
        again = "value" in mark.model_fields_set
        marked = ledger.mark(caller, conversation_id, mark.item, mark.value, mark.user_id, again=again)
        return Marked(item=mark.item, marked=marked)

    @api.route("POST", "/ledger/<conversation_id>/evict", WRITE, answer=Evicted)
    def evict_injected(
        caller: Scope, conversation_id: IdentPath, eviction: Annotated[LedgerEviction, Body()]
    ) -> Evicted:
        """Remove an item, so that it may be injected again."""
        evicted = ledger.evict(caller, conversation_id, eviction.item, eviction.user_id)
        return Evicted(item=eviction.item, evicted=evicted)

    return api
