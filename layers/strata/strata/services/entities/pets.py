"""Pets that are called like people: who is told to be a pet somewhere is no person elsewhere."""

from strata.domain.entities.shapes import PET, Mention
from strata.ports.rows import Item
from strata.ports.table import Query
from strata.services.entities.book import Book
from strata.services.entities.rows import names_of, told
from strata.services.records.entities import EDGE_PREFIX, edges_to, entities_pk

_MOST_AS_PERSON = 4
"""The most mentions as a person for each one as a thing; with more of them it is the pet's namesake."""
_RULES = "rules"
_OWNS = "belongs-to"

Border = tuple[str | None, str | None, bool]
"""The agent, the project, and whether the agent is configured: where something was said."""


def settle_pet(book: Book, key: str, now: int) -> None:
    """Merge with the one pet of this name the people called so of whom nothing is told; part them once it is.

    Nothing is told of a person without role, workplace, relationship, longer name or edit, named only by
    agents and in projects that know the pet, and not much oftener than the pet.
    """
    if not key or " " in key:
        return
    things, people = book.named(key, "thing"), book.named(key, "person")
    for each in people:
        pet = book.rows.get(book.rows[each]["merged_into"] or "")
        if pet and _settled(book.rows[each], pet) and not _is_pet(book, book.rows[each], pet):
            book.part(pet["id"], each)
    pets = {book.root(each) for each in things if PET in told([book.rows[each]], "roles")}
    if len(pets) != 1:
        return
    pet = book.rows[pets.pop()]
    for each in people:
        person = book.rows[each]
        alone = person["type"] == "person" and person["merged_into"] is None
        if alone and not book.differ(pet["id"], each) and _is_pet(book, person, pet):
            book.merge(pet["id"], each, _RULES, now)


def is_elsewhere(book: Book, root: str, mention: Mention, border: Border) -> bool:
    """Whether a mention as a person is no pet's, for nobody told of the pet with this name there."""
    pet = book.rows[root]
    return (
        mention.type == "person"
        and any(_settled(row, pet) for row in book.tree(root)[1:])
        and border not in _borders(pet, told_as=PET)
    )


def _settled(person: Item, pet: Item) -> bool:
    """Whether rules merged a person with a pet, whatever type somebody has given either since."""
    learnt = person["types"][0], pet["types"][0]
    return bool(learnt == ("person", "thing") and person["merged_by"] == _RULES)


def _is_pet(book: Book, person: Item, pet: Item) -> bool:
    someone = told([person], "roles") | told([person], "works") or person["stated"] or person["members"]
    longer = any(" " in name for name in names_of(person))
    counts = [sum(slot["count"] for slot in row["seen"].values()) for row in (person, pet)]
    return bool(
        not someone
        and not longer
        and pet["type"] == "thing"
        and counts[0] <= _MOST_AS_PERSON * counts[1]
        and _borders(person) <= _borders(pet, told_as=PET)
        and not _is_related(book, person["id"])
    )


def _borders(row: Item, told_as: str = "") -> set[Border]:
    return {
        (slot["agent_id"], slot["project"], slot["confined"])
        for slot in row["seen"].values()
        if slot["life"] > row["buried"] and (not told_as or told_as in slot["roles"])
    }


def _is_related(book: Book, identity: str) -> bool:
    """Whether a relationship other than somebody's owning it is known."""
    out = Query(entities_pk(book.owner), prefix=f"{EDGE_PREFIX}{identity}#", limit=1, resumable=False)
    into = Query(edges_to(book.owner, identity), index="gsi1", limit=10, resumable=False)
    edges = [row.item for query in (out, into) for row in book.table.query(book.scope, query).rows]
    return any(each["kind"] != _OWNS for each in edges)
