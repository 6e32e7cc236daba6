"""Reads the rows of entities: their names, their class in the totals, and what mentions tell of them."""

import json
from collections.abc import Iterable, Sequence

from strata.domain.entities.roles import apart
from strata.domain.entities.spelling import name_key
from strata.ports.rows import Item


def names_of(row: Item) -> set[str]:
    """The keys of the names that lead to an entity's row."""
    stated = row["stated"]
    said = [form for each in row["seen"].values() for form in each["forms"]]
    said += [stated["name"]] if stated.get("name") else []
    return {name_key(each) for each in [*said, *stated.get("aliases", ())]} - {*row["hidden"], ""}


def is_edited(row: Item) -> bool:
    """Whether a person changed, split, merged or deleted an entity: that outlives its mentions."""
    merged = row["merged_into"] is not None and row["merged_by"] == "person"
    return bool(row["stated"] or row["hidden"] or row["apart"] or row["buried"] or merged)


def class_of(tree: Sequence[Item]) -> str:
    """An entity's class in the totals: its type, whether a name is stated, and the borders of its sources."""
    root = tree[0]
    borders = {
        (each["agent_id"], each["project"], each["confined"])
        for row in tree
        for each in row["seen"].values()
        if each["life"] > row["buried"]
    }
    named = bool(root["stated"].get("name"))
    if "deleted_at" in root or not (borders or named):
        return ""
    return json.dumps([root["type"], named, sorted(borders, key=json.dumps)], separators=(",", ":"))


def told(rows: Iterable[Item], what: str) -> set[str]:
    """The roles ("roles") or the workplaces ("works") that mentions tell of an entity."""
    return {each for row in rows for slot in row["seen"].values() for each in slot[what]}


def clashes(rows: list[Item], roles: Iterable[str], works: Iterable[str], *, full_name: bool) -> bool:
    """Whether a mention with these roles and workplaces is of a namesake."""
    here, there = told(rows, "works"), {*works}
    moved = bool(here and there) and not here & there and not full_name
    return moved or apart(told(rows, "roles"), roles, full_name=full_name)


def slot_of(row: Item) -> str:
    """The part of an entity that a mention is counted in: one for each agent, project and life."""
    life, agent, project, confined = (row[name] for name in ("life", "agent_id", "project", "confined"))
    return json.dumps([life, agent, project or None, confined], separators=(",", ":"))
