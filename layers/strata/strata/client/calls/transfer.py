"""Export and import of memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from strata.client.call import LINES, Call, model
from strata.client.calls.parts import Later, params

if TYPE_CHECKING:
    from strata.domain.wire import transfer
else:
    transfer = Later("strata.domain.wire.transfer")


def export(project: str | None = None, *, cursor: str | None = None) -> Call[transfer.Export]:
    """One page of at most 4 MB; its `next` is the `cursor` of the following one. `GET /export`."""
    return Call("GET", "/export", model(lambda: transfer.Export), params(project=project, cursor=cursor))


def export_lines(
    kinds: Sequence[str] | None = None, *, user_id: str | None = None, cursor: str | None = None
) -> Call[str]:
    """One page of rows of every kind as JSON lines; the `cursor` of the following one is in its last line.

    `kinds` names some, or `all`; `user_id` asks for what is one person's.

    `GET /export`.
    """
    given = params(format="jsonl", kinds=",".join(kinds or ()) or None, user_id=user_id, cursor=cursor)
    return Call("GET", "/export", LINES, given)


def import_(
    document: Mapping[str, Any] | transfer.Export, *, resurrect: bool | None = None
) -> Call[transfer.Imported]:
    """Import a page of an export, at most 5 MB; rows that already exist are left unchanged.

    `{"lines": [...]}` imports JSON lines. `resurrect` brings back what was deleted or erased there.

    `POST /import`.
    """
    rows = document if isinstance(document, Mapping) else document.model_dump(mode="json", exclude_none=True)
    decoder = model(lambda: transfer.Imported)
    return Call("POST", "/import", decoder, params(resurrect=resurrect), body=dict(rows))
