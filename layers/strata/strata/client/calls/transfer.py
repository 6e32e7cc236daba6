"""Export and import of memories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from strata.client.call import Call, model
from strata.client.calls.parts import Later, params

if TYPE_CHECKING:
    from strata.domain.wire import transfer
else:
    transfer = Later("strata.domain.wire.transfer")


def export(project: str | None = None, *, cursor: str | None = None) -> Call[transfer.Export]:
    """One page of at most 4 MB; its `next` is the `cursor` of the following one.

    `GET /export`.
    """
    return Call("GET", "/export", model(lambda: transfer.Export), params(project=project, cursor=cursor))


def import_(document: Mapping[str, Any] | transfer.Export) -> Call[transfer.Imported]:
    """Import a page of an export, at most 5 MB; rows that already exist are left unchanged.

    `POST /import`.
    """
    rows = document if isinstance(document, Mapping) else document.model_dump(mode="json", exclude_none=True)
    return Call("POST", "/import", model(lambda: transfer.Imported), body=dict(rows))
