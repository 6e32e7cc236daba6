"""Reports of runs, as they go over the wire."""

from strata.domain.wire.maintenance import Report
from strata.ports import Item


def to_report(run: Item) -> Report:
    """A run's row as its report."""
    return Report.model_validate({name: run[name] for name in Report.model_fields})
