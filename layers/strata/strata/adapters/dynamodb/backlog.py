"""The port `Backlog` where rows are in DynamoDB."""

from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.ports.rows import Key


class UnknownBacklog:
    """DynamoDB cannot tell which changes its stream's consumers have not processed: totals lag by moments."""

    def waiting(self, scope: Scope, prefixes: Sequence[str], limit: int) -> list[Key]:
        """None are known."""
        return []

    def is_longer(self, scope: Scope, prefixes: Sequence[str], than: int) -> bool:
        """Not as far as is known."""
        return False
