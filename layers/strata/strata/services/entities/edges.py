"""Relationships between recorded mentions: those that a source states, and the rows that keep them."""

from collections.abc import Mapping, Sequence

from strata.domain.entities.shapes import SPEAKER, Mention, Relationship
from strata.ports.rows import Action, Equals, Item, Key, Put
from strata.services.entities.book import Book

Rows = Mapping[Key, Item]
Edges = Mapping[Key, Mapping[tuple[str, str, str], float]]
"""By mention, its relationships (subject, kind, object) with their confidence."""

USER = "user"
"""Stands in relationships for the person whose memories these are."""
_EDGES_AT_ONCE = 40
_MOST_SUPPORT = 50
"""Sources that are kept of a relationship."""


def stated_edges(rows: Rows, wanted: Mapping[Key, Mention], related: Sequence[Relationship]) -> Edges:
    """The relationships of recorded mentions, each with its subject's; the speaker's with its object's."""
    places = {mention.text: key for key, mention in wanted.items() if key in rows}
    ends = {text: rows[key]["entity"] for text, key in places.items()} | {SPEAKER: USER}
    told_of = {each.object for each in related if each.subject == SPEAKER}
    known = [
        Relationship(SPEAKER, "knows", each.text, "", each.confidence)
        for each in wanted.values()
        if each.role and each.type == "person" and each.text not in told_of
    ]
    edges: dict[Key, dict[tuple[str, str, str], float]] = {}
    for each in (*related, *known):
        place = places.get(each.subject or each.object)
        if place and each.subject in ends and each.object in ends and ends[each.subject] != ends[each.object]:
            edges.setdefault(place, {})[ends[each.subject], each.kind, ends[each.object]] = each.confidence
    return edges


def related_edges(book: Book, source_id: str, rows: Rows, stated: Edges) -> list[Action]:
    """Bring the relationships that are kept to those that a source states."""
    lives = {row["entity"]: row["life"] for row in rows.values()}
    actions: list[Action] = []
    for key, row in rows.items():
        edges = sorted(stated.get(key, {}).items())[:_EDGES_AT_ONCE]
        told_now = [[*edge, sure] for edge, sure in edges]
        more = len(book.edges) + len(told_now) + len(row["edges"])
        if told_now == row["edges"] or (actions and len(actions) + more > 2 * _EDGES_AT_ONCE):
            continue
        for subject, kind, target, _ in row["edges"]:
            book.edge(subject, kind, target)["support"].pop(source_id, None)
        for (subject, kind, target), sure in edges:
            support = book.edge(subject, kind, target)["support"]
            if len(support) < _MOST_SUPPORT:
                support[source_id] = {
                    name: row[name] for name in ("at", "agent_id", "project", "confined")
                } | {"confidence": sure, "lives": [lives.get(subject, 1), lives.get(target, 1)]}
        changed = row | {"edges": told_now, "related": row.get("related", 0) + 1}
        actions.append(Put(key, changed, Equals("entity", row["entity"])))
    return actions
