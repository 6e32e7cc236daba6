"""The layer of the profile: what a person and their agents state, and what was learnt, about the person."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from strata.domain.assembly.items import Remembered
from strata.domain.knowledge.profile import FIELDS, NAME, PATTERNS, PREFERENCES, STYLE, Shown, shown
from strata.domain.scope import Scope
from strata.ports.table import Table
from strata.services.context.layers.layer import ContextQuery, LayerAnswer
from strata.services.context.texts import TextRanking
from strata.services.knowledge.profile import own
from strata.services.people.agents import remembers
from strata.services.people.consent import refused
from strata.services.records.parts import digest
from strata.services.records.people import agent_config_key, consent_key
from strata.services.records.profiles import profile_key, statements_of

TOLD = 20
"""The most patterns and preferences that an agent is told."""

_IMPORTANCE = 0.9


class ProfileLayer:
    """The person's profile as this agent may see it in this project, while the person has not refused.

    An agent that is configured not to remember is told what the person states themselves. The profile is
    given whether relevant or not; of many patterns and preferences the relevant ones and the newest.
    """

    name = "profile"

    def __init__(self, table: Table, ranking: TextRanking) -> None:
        self._table = table
        self._ranking = ranking

    def recall(self, scope: Scope, query: ContextQuery) -> LayerAnswer:
        items = self._items(scope, query)
        texts = [(item.key, item.content, item.order) for item in items]
        found = self._ranking.ranked(query.text, texts, 0.0)
        relevant = {key: ranked.relevance for key, ranked in found.items()}
        items.sort(key=lambda item: (item.type in _LISTS, -relevant.get(item.key, 0.0), -item.order))
        told = items[: TOLD + sum(item.type not in _LISTS for item in items)]
        return LayerAnswer([replace(item, relevance=relevant.get(item.key, 0.0)) for item in told])

    def fetch(self, scope: Scope, query: ContextQuery, ids: Sequence[str]) -> Sequence[Remembered]:
        return [item for item in self._items(scope, query) if item.id in ids]

    def _items(self, scope: Scope, query: ContextQuery) -> list[Remembered]:
        key, consent = profile_key(query.owner), consent_key(query.owner)
        agent = agent_config_key(query.agent_id or "")
        rows = self._table.get_many(scope, (key, consent, agent))
        if refused(rows.get(consent)):
            return []
        stated = statements_of(rows.get(key))
        if not remembers(rows.get(agent)):
            stated = {name: own(every) for name, every in stated.items()}
        return [
            item
            for field in FIELDS
            for item in _told(field, shown(field, stated.get(field, ()), query.agent_id, query.project))
        ]


_LISTS = (PATTERNS, PREFERENCES)
_NAMES = {NAME: "Name", STYLE: "Communication style"}


def _told(field: str, found: Shown) -> Iterator[Remembered]:
    """The items of a field: one for each of its texts, which is another item once it changes."""
    if not found.statements:
        return
    learnt = found.statements[0].by == "learnt"
    for place, content in enumerate(_contents(field, found.value, learnt)):
        order = found.statements[place if learnt and field in _LISTS else 0].at
        yield Remembered(
            layer=ProfileLayer.name,
            id=f"{field}-{digest(field, content)[:12]}",
            content=content,
            order=order,
            importance=_IMPORTANCE,
            type=field,
            title=found.value if field == NAME else "",
        )


def _contents(field: str, value: Any, learnt: bool) -> list[str]:
    """The texts of a field's value; learnt ones are sentences of their own."""
    if isinstance(value, dict):
        return [text if learnt else f"{name}: {text}" for name, text in value.items()]
    if isinstance(value, list):
        return [text for text in value if text]
    return [f"{_NAMES[field]}: {value}" if field in _NAMES else value]
