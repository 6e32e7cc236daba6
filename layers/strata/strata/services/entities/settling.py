"""Recognizes pets, towns and brands that other texts mention like people.

A mention with a role of these states plainly that a name is one. People of that name of whom nothing is known
are merged with it. Without such a mention, hints of several sources make a pet.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from strata.domain.entities.shapes import BRAND, PET, TOWN, TOY, EntityType, Mention
from strata.domain.entities.telling import may_be_somebody
from strata.ports.rows import Item
from strata.ports.table import Query
from strata.services.entities.book import Book
from strata.services.entities.rows import names_of, told
from strata.services.records.entities import EDGE_PREFIX, edges_to, entities_pk

_MOST_AS_PERSON = 4
"""The most mentions as a person for each one as something else; with more of them it is a namesake."""
_FEWEST_HINTS = 2
"""Sources that hint at a pet."""
_RULES = "rules"
_OWNS = "belongs-to"
_TOLD: Mapping[EntityType, frozenset[str]] = {
    "thing": frozenset((PET, TOY)),
    "place": frozenset((TOWN,)),
    "organization": frozenset((BRAND,)),
}
"""The roles by which a text tells plainly of which type something is."""

Border = tuple[str | None, str | None, bool]
"""The agent, the project, and whether the agent is configured: where something was said."""


def settle_told(book: Book, key: str, now: int) -> None:
    """Merge with the one pet, town or brand of a name the people called so of whom nothing is told.

    Nothing is told of a person without role, workplace, relationship, longer name or edit, named only by
    agents and in projects that know the other, and not much oftener; once something is, they are parted.
    Where there is no other, hints may make a pet of the person.
    """
    if not key or " " in key:
        return
    people = book.named(key, "person")
    for each in people:
        into = book.rows.get(book.rows[each]["merged_into"] or "")
        if into and _settled(book.rows[each], into) and not _is_told(book, book.rows[each], into):
            book.part(into["id"], each)
    kinds = [kind for kind in _TOLD if kind == "thing" or not may_be_somebody(key)]
    named = [(each, _TOLD[kind]) for kind in kinds for each in book.named(key, kind)]
    others = {book.root(each) for each, roles in named if roles & told([book.rows[each]], "roles")}
    if len(others) == 1:
        other = book.rows[others.pop()]
        for each in people:
            person = book.rows[each]
            alone = person["types"][0] == "person" and person["merged_into"] is None
            if alone and not book.differ(other["id"], each) and _is_told(book, person, other):
                book.merge(other["id"], each, _RULES, now)
    for each in dict.fromkeys(map(book.root, people)):
        settle_hinted(book, each)


def is_elsewhere(book: Book, root: str, mention: Mention, border: Border) -> bool:
    """Whether a mention as a person is of somebody else, for nobody told there what else has this name."""
    other = book.rows[root]
    return (
        mention.type == "person"
        and any(_settled(row, other) for row in book.tree(root)[1:])
        and border not in _borders(other, told_as=_TOLD[other["types"][0]])
    )


def known_here(book: Book, roots: Sequence[str], border: Border) -> list[str]:
    """The entities that were named here if a pet, town or brand took in people of its name; else all.

    Args:
        book: holds them.
        roots: entities that a mention fits, none of which `is_elsewhere`.
        border: where the mention is.
    """
    trees = {each: book.tree(each) for each in roots}
    if not any(_settled(row, tree[0]) for tree in trees.values() for row in tree[1:]):
        return list(roots)
    return [each for each, tree in trees.items() if any(border in _borders(row) for row in tree)]


def settle_hinted(book: Book, root: str) -> None:
    """Give a person the type `thing` while hints of every border say so, unless the person was edited."""
    tree = book.tree(root)
    if tree[0]["types"][0] != "person" or any(row["stated"] for row in tree):
        return
    kind = "thing" if _are_hinted(tree) and all(_is_nobody(book, row) for row in tree) else "person"
    if tree[0]["type"] != kind:
        book.change(root)["type"] = kind


def _are_hinted(tree: Sequence[Item]) -> bool:
    """Whether these are people, and enough sources hint at a pet in every border."""
    if any(row["types"][0] != "person" for row in tree):
        return False
    counts: Counter[Border] = Counter()
    hints: Counter[Border] = Counter()
    for row in tree:
        for slot in _alive(row):
            counts[_border(slot)] += slot["count"]
            hints[_border(slot)] += slot.get("hints", {}).get(PET, 0)
    return bool(counts) and all(
        hints[each] >= _FEWEST_HINTS and 2 * hints[each] >= counts[each] for each in counts
    )


def _settled(person: Item, other: Item) -> bool:
    """Whether rules merged a person with something else, whatever type somebody has given either since."""
    learnt = person["types"][0] == "person" and other["types"][0] in _TOLD
    return bool(learnt and person["merged_by"] == _RULES)


def _is_told(book: Book, person: Item, other: Item) -> bool:
    counts = [sum(slot["count"] for slot in row["seen"].values()) for row in (person, other)]
    return bool(
        not person["stated"]
        and not person["members"]
        and _is_nobody(book, person)
        and other["type"] in _TOLD
        and other["type"] == other["types"][0]
        and counts[0] <= _MOST_AS_PERSON * counts[1]
        and _borders(person) <= _borders(other, told_as=_TOLD[other["type"]])
    )


def _is_nobody(book: Book, person: Item) -> bool:
    """Whether nothing is told of who somebody is."""
    someone = told([person], "roles") | told([person], "works")
    longer = any(" " in name for name in names_of(person))
    return not someone and not longer and not _is_related(book, person["id"])


def _borders(row: Item, told_as: frozenset[str] = frozenset()) -> set[Border]:
    return {_border(slot) for slot in _alive(row) if not told_as or told_as & slot["roles"].keys()}


def _alive(row: Item) -> list[Item]:
    """The counts of sources that were not deleted with their entity."""
    return [slot for slot in row["seen"].values() if slot["life"] > row["buried"]]


def _border(slot: Item) -> Border:
    return slot["agent_id"], slot["project"], slot["confined"]


def _is_related(book: Book, identity: str) -> bool:
    """Whether a relationship other than somebody's owning it is known."""
    out = Query(entities_pk(book.owner), prefix=f"{EDGE_PREFIX}{identity}#", limit=1, resumable=False)
    into = Query(edges_to(book.owner, identity), index="gsi1", limit=10, resumable=False)
    edges = [row.item for query in (out, into) for row in book.table.query(book.scope, query).rows]
    return any(each["kind"] != _OWNS for each in edges)
