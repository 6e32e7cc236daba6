"""The steps of maintenance; bootstrap gives them their order."""

from strata.services.maintenance.steps.counters import Counters
from strata.services.maintenance.steps.dead_letters import DeadLetters
from strata.services.maintenance.steps.erasures import ResumeErasures
from strata.services.maintenance.steps.event_logs import EventLogLimits
from strata.services.maintenance.steps.idle import IdleSessions
from strata.services.maintenance.steps.index import IndexSample
from strata.services.maintenance.steps.leftovers import ClearLeftovers
from strata.services.maintenance.steps.notes import ForgottenNotes
from strata.services.maintenance.steps.tenants import CallTenants

__all__ = [
    "CallTenants",
    "ClearLeftovers",
    "Counters",
    "DeadLetters",
    "EventLogLimits",
    "ForgottenNotes",
    "IdleSessions",
    "IndexSample",
    "ResumeErasures",
]
