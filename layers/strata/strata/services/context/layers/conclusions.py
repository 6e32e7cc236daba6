"""The layer of conclusions: what follows from what a person said, within its borders."""

from collections.abc import Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.retrieval import Ranked
from strata.domain.scope import Scope
from strata.ports.rows import Item
from strata.ports.table import Table
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from strata.services.context.texts import TextRanking
from strata.services.knowledge.conclusions import ConclusionCatalog, Wanted
from strata.services.people.agents import remembers
from strata.services.people.consent import refused
from strata.services.records.people import agent_config_key, consent_key

TOLD = 10
"""The most conclusions that an agent is told: those that the query asks about, then the latest supported."""


class ConclusionLayer:
    """Conclusions about the person, unless they refused or the agent is configured not to remember."""

    name = "conclusions"

    def __init__(self, conclusions: ConclusionCatalog, ranking: TextRanking, table: Table) -> None:
        self._conclusions = conclusions
        self._ranking = ranking
        self._table = table

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        given = frozenset(query.given_of(ConclusionLayer.name))
        rows = [row for row in self._seen(scope, query) if row["id"] not in given]
        texts = [(row["id"], row["text"], row["last"]) for row in rows]
        ranked = self._ranking.ranked(query.text, texts, 0.0)
        places = {name: place for place, name in enumerate(ranked)}
        rows.sort(key=lambda row: places.get(row["id"], len(places)))
        return LayerAnswer([_item(row, ranked.get(row["id"])) for row in rows[:TOLD]])

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        wanted = set(ids)
        return [_item(row, None) for row in self._seen(scope, query) if row["id"] in wanted]

    def _seen(self, scope: Scope, query: ContextQuery) -> list[Item]:
        agent, consent = query.agent_id, consent_key(query.owner)
        config = agent_config_key(agent or "")
        rows = self._table.get_many(scope, (consent, config))
        if refused(rows.get(consent)) or not remembers(rows.get(config)):
            return []
        return self._conclusions.rows(scope, query.owner, Wanted(agent, query.project))


def _item(row: Item, found: Ranked | None) -> Remembered:
    return Remembered(
        layer=ConclusionLayer.name,
        id=row["id"],
        content=row["text"],
        order=row["last"],
        relevance=found.relevance if found else 0.0,
        importance=row["confidence"],
        type=row["type"],
        project=row["projects"][0] if len(row["projects"]) == 1 else "",
        title=row["value"],
        subject=row.get("subject", ""),
    )
