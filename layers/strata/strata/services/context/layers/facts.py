"""The layer of facts: an agent's knowledge of the person it speaks with (Fyso)."""

from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.assembly.items import Remembered
from strata.domain.retrieval import Ranked
from strata.domain.scope import Scope
from strata.ports.rows import Item
from strata.ports.table import Table
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from strata.services.context.texts import TextRanking
from strata.services.facts.catalog import FactCatalog
from strata.services.people.agents import config_of
from strata.services.people.consent import refused
from strata.services.records.people import agent_config_key, consent_key, fact_id
from strata.services.table.parallel import Parallel

TOLD = 10
"""The most facts that an agent is told (Fyso)."""

_IMPORTANCE = 0.8


@dataclass(frozen=True, slots=True)
class FactLayer:
    """The ten most recent facts, while the agent may remember people and the person has not refused.

    They are given whether relevant or not: a name matches no query.
    """

    name = "facts"

    facts: FactCatalog
    ranking: TextRanking
    table: Table
    parallel: Parallel
    told: int = TOLD

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        agent = query.agent_id
        if agent is None:
            return LayerAnswer([])
        allowed, rows = self.parallel.both(
            lambda: self._allowed(scope, agent, query.owner),
            lambda: self.facts.newest(scope, agent, query.owner, self.told),
        )
        if not allowed:
            return LayerAnswer([])
        facts = [(fact_id(row["id"]), row["fact"], row["created_at"]) for row in rows]
        ranked = self.ranking.ranked(query.text, facts, 0.0)
        return LayerAnswer([_item(row, ranked.get(fact_id(row["id"]))) for row in rows])

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        if query.agent_id is None or not self._allowed(scope, query.agent_id, query.owner):
            return []
        return [_item(row, None) for row in self.facts.by_ids(scope, query.agent_id, query.owner, ids)]

    def _allowed(self, scope: Scope, agent_id: str, owner: str) -> bool:
        keys = agent_config_key(agent_id), consent_key(owner)
        rows = self.table.get_many(scope, keys)
        return config_of(agent_id, rows.get(keys[0])).memory_enabled and not refused(rows.get(keys[1]))


def _item(row: Item, found: Ranked | None) -> Remembered:
    return Remembered(
        layer=FactLayer.name,
        id=fact_id(row["id"]),
        content=row["fact"],
        order=row["created_at"],
        relevance=found.relevance if found else 0.0,
        importance=_IMPORTANCE,
        type=row["category"],
        title=row["value"],
    )
