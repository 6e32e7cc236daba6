"""Remembers which conclusions about a person were compared, so that only new ones are compared again."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress

from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Check, Item, Put
from strata.ports.table import Table
from strata.services.knowledge.upkeep import border_group
from strata.services.records.erasures import tombstone_key
from strata.services.records.knowledge import KNOWLEDGE_KIND, compared_key
from strata.services.records.owners import owned
from strata.services.table.transaction import Refused, transact

VERDICT_SECONDS = 30 * DAY
"""Seconds for which the verdict on a pair is kept, and for which two conclusions are not compared again."""


class Compared:
    """The row that tells which conclusions about a person were compared, and the verdicts on their pairs.

    Attributes:
        new: the places of conclusions that were not compared yet by these models.
    """

    def __init__(
        self, table: Table, clock: Clock, scope: Scope, owner: str, by: str, texts: Sequence[str]
    ) -> None:
        self._table, self._clock, self._scope, self._owner = table, clock, scope, owner
        row = table.get(scope, compared_key(owner)) or {}
        now = clock.now_us() // 1_000_000
        live = row.get("expires_at", 0) > now
        seen = set(row["texts"]) if live and row["by"] == by else set()
        self._row = {"by": by, "texts": sorted(seen & set(texts)), "verdicts": row.get("verdicts", "{}")}
        self._row |= {
            "model": row.get("model", ""),
            "expires_at": row["expires_at"] if seen else now + VERDICT_SECONDS,
        }
        self._texts = texts
        self.new = frozenset(place for place, text in enumerate(texts) if text not in seen)

    def verdicts(self, model: str) -> dict[str, float]:
        """The verdicts of this model that are younger than 30 days, by the name of the pair."""
        oldest = self._clock.now_us() // 1_000_000 - VERDICT_SECONDS
        found = json.loads(self._row["verdicts"]) if self._row["model"] == model else {}
        return {name: likely for name, (likely, at) in found.items() if at > oldest}

    def keep(
        self, model: str = "", verdicts: Mapping[str, float] | None = None, *, done: bool = False
    ) -> None:
        """Keep verdicts, or that all are compared now, unless the person is being erased."""
        if done and not self.new:
            return
        now = self._clock.now_us() // 1_000_000
        if verdicts is not None:
            known = json.loads(self._row["verdicts"]) if self._row["model"] == model else {}
            told = {name: known.get(name, [likely, now]) for name, likely in verdicts.items()}
            self._row |= {"model": model, "verdicts": json.dumps(told)}
        if done:
            self._row["texts"] = sorted(set(self._texts))
        put = Put(compared_key(self._owner), self._row | owned(self._owner, KNOWLEDGE_KIND))
        with suppress(Refused):
            there = Check(tombstone_key(self._owner), Absent())
            transact(self._table, self._scope, {"there": there, "compared": put})


def text_name(row: Item) -> str:
    """Names a conclusion by its text and its borders: another text is to be compared anew."""
    return hashlib.sha256(f"{border_group(row)}{row['text']}".encode()).hexdigest()[:20]


def pair_name(one: Item, other: Item) -> str:
    """Names a pair by its texts: another text is another pair."""
    return hashlib.sha256(f"{one['text']}\x1f{other['text']}".encode()).hexdigest()[:20]
