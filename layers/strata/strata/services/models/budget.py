"""The budget of a tenant for language models, per day, counted in the table."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from strata.domain.errors import BudgetSpent, Unavailable
from strata.domain.model_costs import MICRO, Prices, Usage
from strata.domain.scope import Scope
from strata.domain.times import DAY, rfc3339
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AllOf, AnyOf, AtMost, Condition, Key, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.records.spending import spending_key

_log = logging.getLogger("strata.models")

_KEPT_DAYS = 40


@dataclass(frozen=True, slots=True)
class Caps:
    """Caps on the tokens and US dollars of a day; None for no cap."""

    tokens: int | None = None
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class Reserved:
    """A reservation for one question, counted on the day of `key`."""

    key: Key
    usage: Usage


class ModelBudget:
    """Reserves the most that a question may use before it is asked, and counts its use afterwards.

    The caps hold for any number of questions at once: a reservation is written on the condition that it still
    fits. The reservation of a process that was killed stays counted.

    Args:
        table: holds one row for each tenant and day (UTC), for 40 days.
        caps: the caps of a tenant.
        prices: the prices of the model.
    """

    def __init__(self, table: Table, clock: Clock, caps: Callable[[Scope], Caps], prices: Prices) -> None:
        self._table = table
        self._clock = clock
        self._caps = caps
        self._prices = prices

    def reserve(self, scope: Scope, usage: Usage) -> Reserved:
        """Reserve as much as this.

        Raises:
            BudgetSpent: the rest of the day's budget is less; `retry_after` is the rest of the day.
        """
        now = self._clock.now_us()
        seconds = now // 1_000_000
        key = spending_key(rfc3339(now)[:10])
        most = Usage(usage.input_tokens, usage.output_tokens)
        update = Update(
            key,
            set={"expires_at": (seconds // DAY + _KEPT_DAYS) * DAY},
            add=self._counts(most) | {"calls": 1},
            condition=self._fits(most, self._caps(scope)),
        )
        try:
            self._table.update(scope, update)
        except ConditionFailed:
            raise BudgetSpent(
                "what language models may use in a day is spent", retry_after=DAY - seconds % DAY
            ) from None
        return Reserved(key, most)

    def settle(self, scope: Scope, reserved: Reserved, used: Usage) -> None:
        """Count the use in place of the reservation, which stays counted while the table is away."""
        held, spent = self._counts(reserved.usage), self._counts(used)
        try:
            self._table.update(
                scope, Update(reserved.key, add={name: spent[name] - held[name] for name in held})
            )
        except Unavailable as error:
            _log.warning("the use of a model could not be counted: %s", error.message)

    def _counts(self, usage: Usage) -> dict[str, int]:
        return {"tokens": usage.tokens, "micro_dollars": self._prices.of(usage)}

    def _fits(self, usage: Usage, caps: Caps) -> Condition | None:
        """Holds while the day's counters leave room for so much."""
        most = {
            "tokens": caps.tokens,
            "micro_dollars": None if caps.dollars is None else int(caps.dollars * MICRO),
        }
        counts = self._counts(usage)
        room = {name: cap - counts[name] for name, cap in most.items() if cap is not None}
        if not room:
            return None
        below = AllOf(tuple(AtMost(name, left) for name, left in room.items()))
        # on a day's first question there is no row yet
        return AnyOf((Absent(), below)) if min(room.values()) >= 0 else below
