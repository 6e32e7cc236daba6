"""Maintenance of the stores, and its reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.client.call import Call, member, model
from strata.client.calls.parts import Later, params, path

if TYPE_CHECKING:
    from strata.domain.wire import maintenance
else:
    maintenance = Later("strata.domain.wire.maintenance")

_PATH = "/api/memory/maintain"


def maintain(*, dry_run: bool = False) -> Call[maintenance.Report]:
    """Run maintenance now; poll `maintenance_report` while the report is `running`.

    With `dry_run` it only counts what it would do to people's conclusions. `POST /api/memory/maintain`.
    """
    given = params(dry_run=True if dry_run else None)
    return Call("POST", _PATH, model(lambda: maintenance.Report), given, idempotent=False)


def maintenance_history(limit: int = 20) -> Call[list[maintenance.Report]]:
    """The newest reports, newest first. `GET /api/memory/maintain/history`."""
    answer = member("reports", lambda: list[maintenance.Report])
    return Call("GET", f"{_PATH}/history", answer, params(limit=limit))


def maintenance_report(timestamp: int) -> Call[maintenance.Report]:
    """The report of the run that began then, in Unix milliseconds.

    `GET /api/memory/maintain/history/{timestamp}`.
    """
    return Call("GET", path(f"{_PATH}/history/{{}}", timestamp), model(lambda: maintenance.Report))
