"""Resolves a mention to an entity."""

from collections.abc import Sequence
from itertools import count

from strata.domain.entities.roles import role_class
from strata.domain.entities.shapes import Mention
from strata.domain.entities.spelling import name_key
from strata.ports.rows import Item
from strata.services.entities.book import Book
from strata.services.entities.rows import clashes, names_of, told
from strata.services.entities.settling import Border, is_elsewhere, known_here
from strata.services.records.entities import entity_id


def resolved(book: Book, mention: Mention, works: Sequence[str], border: Border, now: int) -> Item | None:
    """The row that a mention is counted for, made where there is none; None where it fits two entities."""
    key, roles = name_key(mention.text), [mention.role] if mention.role else []
    full = " " in key
    named = book.named(key, mention.type)
    roots = dict.fromkeys(map(book.root, named))
    fitting = [
        each
        for each in roots
        if not clashes(book.tree(each), roles, works, full_name=full)
        and not is_elsewhere(book, each, mention, border)
    ]
    if len(fitting) > 1:
        fitting = known_here(book, fitting, border)
    if len(fitting) > 1:
        known = {role_class(each) for each in roles} | {*works}
        fitting = [
            each
            for each in fitting
            if known & {*told(book.tree(each), "roles"), *told(book.tree(each), "works")}
        ]
        if len(fitting) != 1:
            return None
    if fitting:
        called = (
            row for row in book.tree(fitting[0]) if key in names_of(row) and mention.type in row["types"]
        )
        return book.change(next(called)["id"])
    further = "" if not roots else "|".join((*map(role_class, roles), *works))
    for number in count():
        identity = entity_id(book.owner, mention.type, key, f"{further}{number or ''}")
        book.load([identity])
        row = book.rows.get(identity)
        if row is None:
            return book.new(identity, mention.type, now)
        if identity not in named and mention.type in row["types"] and key in names_of(row):
            book.name_again(identity)  # it was recorded after the look-up, or has lost that name
            return resolved(book, mention, works, border, now)
        if not row["seen"] and key not in row["hidden"]:  # only its merges and edits are left
            return book.change(identity)
    return None  # unreachable: some number is free
