"""The data processing agreement: its acceptance for a tenant, which may be a condition of asking a model."""

from contextlib import suppress

from strata.domain.errors import AgreementMissing, NotFound
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.audit import DpaAccepted, DpaStatus
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Put
from strata.ports.table import ConditionFailed, Table
from strata.services.people.audit import AuditLog
from strata.services.records.audit import agreement_key


class Agreements:
    """Records that a tenant accepts the data processing agreement."""

    def __init__(self, table: Table, clock: Clock, audit: AuditLog) -> None:
        self._table = table
        self._clock = clock
        self._audit = audit

    def accept(self, scope: Scope, tenant: str, by: str) -> DpaAccepted:
        """Accept it; the first acceptance stands.

        Raises:
            NotFound: it is another tenant's id.
        """
        self._own(scope, tenant)
        row = Put(agreement_key(), {"at": self._clock.now_us(), "by": by}, Absent())
        with suppress(ConditionFailed):
            self._table.transact(scope, [row, self._audit.entry("dpa_accepted", None, by, {})])
        status = self.status(scope, tenant)
        return DpaAccepted(dpaAcceptedAt=status.acceptedAt or "", dpaAcceptedBy=status.acceptedBy or "")

    def status(self, scope: Scope, tenant: str) -> DpaStatus:
        """Whether it was accepted.

        Raises:
            NotFound: it is another tenant's id.
        """
        self._own(scope, tenant)
        row = self._table.get(scope, agreement_key())
        if row is None:
            return DpaStatus(accepted=False)
        return DpaStatus(accepted=True, acceptedAt=rfc3339(row["at"]), acceptedBy=row["by"])

    def require(self, scope: Scope) -> None:
        """Check that it was accepted.

        Raises:
            AgreementMissing: it was not.
        """
        if self._table.get(scope, agreement_key()) is None:
            raise AgreementMissing("the data processing agreement was not accepted: no model is asked")

    def _own(self, scope: Scope, tenant: str) -> None:
        if tenant != scope.tenant:
            raise NotFound("no such tenant")
