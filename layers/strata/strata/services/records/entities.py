"""Rows of the entities that a person's memories name: entities, their names, mentions and relationships."""

from strata.domain.entities.spelling import endings
from strata.ports.rows import Item, Key
from strata.services.records.owners import owned
from strata.services.records.parts import digest, numbered, part

ENTITIES_PREFIX = "ENTITIES#"
ENTITY_PREFIX = "ENTITY#"
MENTION_PREFIX = "MENTION#"
NAME_PREFIX = "NAME#"
EDGE_PREFIX = "EDGE#"
ENTITY_KIND = "entity"
DUE_PK = "ENTITIES_DUE"


def entities_pk(owner: str) -> str:
    """The partition of all entities that an owner's memories name."""
    return ENTITIES_PREFIX + part(owner)


def entities_head_key(owner: str) -> Key:
    """The owner's totals of entities, and the merges that the sweep proposes: `{version, counts, proposals}`.

    gsi2 lists it under `DUE_PK` while there is something to do for the sweep.
    """
    return Key(entities_pk(owner), "HEAD")


def entity_id(owner: str, kind: str, name_key: str, further: str = "") -> str:
    """The id of the entity that an owner's memories call so; `further` tells namesakes apart."""
    return digest(owner, kind, name_key, further)[:32]


def entity_key(owner: str, entity_id: str) -> Key:
    """An entity: what its mentions say, what the person stated of it, and its merges."""
    return Key(entities_pk(owner), ENTITY_PREFIX + part(entity_id))


def mentions_prefix(source: str) -> str:
    """Begins the sort keys of the mentions in one source."""
    return f"{MENTION_PREFIX}{part(source)}#"


def mention_key(owner: str, source: str, kind: str, name: str) -> Key:
    """A mention in a source: it is counted once, however often the source is delivered."""
    return Key(entities_pk(owner), mentions_prefix(source) + digest(kind, name))


def names_prefix(name: str, kind: str) -> str:
    """Begins the sort keys of the entities of this type that are called so, or whose names end so."""
    return f"{NAME_PREFIX}{part(name)}#{kind}#"


def entity_name_key(owner: str, name: str, kind: str, entity_id: str) -> Key:
    """A name of an entity, or an ending of one: `{entity, whole}`."""
    return Key(entities_pk(owner), names_prefix(name, kind) + entity_id)


def name_rows(owner: str, row: Item, name_keys: set[str]) -> dict[Key, Item]:
    """The rows that find an entity by these names: one for each word that a name can be read from."""
    found: dict[Key, Item] = {}
    for kind in row["types"]:
        for place, ending in (
            (at, each) for name in sorted(name_keys) for at, each in enumerate(endings(name))
        ):
            key = entity_name_key(owner, ending, kind, row["id"])
            item: Item = {"entity": row["id"], "whole": not place} | owned(owner, ENTITY_KIND)
            if not place or key not in found:
                found[key] = item
    return found


def edge_key(owner: str, subject: str, kind: str, object: str) -> Key:  # noqa: A002
    """A relationship between two entities, with the sources that state it."""
    return Key(entities_pk(owner), f"{EDGE_PREFIX}{subject}#{part(kind)}#{object}")


def entity_places(owner: str, kind: str, last: int, identity: str) -> Item:
    """gsi1: the owner's entities, gsi2: those of a type; the last seen ones first when read backwards."""
    place = f"{numbered(last)}#{identity}"
    pk = f"ENTITIES_OF#{part(owner)}"
    return {"gsi1pk": pk, "gsi1sk": place, "gsi2pk": f"{pk}#{kind}", "gsi2sk": place} | owned(
        owner, ENTITY_KIND
    )


def entities_of(owner: str, kind: str | None = None) -> str:
    """gsi1: an owner's entities; gsi2: those of one type."""
    return f"ENTITIES_OF#{part(owner)}" + (f"#{kind}" if kind else "")


def mentions_of(owner: str, identity: str) -> str:
    """gsi1: the mentions of an entity, by time."""
    return f"MENTIONS_OF#{part(owner)}#{identity}"


def mentioned_in(session_id: str) -> str:
    """gsi2: the mentions in what a session left."""
    return f"MENTIONED_IN#{part(session_id)}"


def mention_places(row: Item) -> Item:
    """gsi1: with the other mentions of its entity; gsi2: with those of its session."""
    owner, source = row["owner"], row["source"]
    return {
        "gsi1pk": mentions_of(owner, row["entity"]),
        "gsi1sk": f"{numbered(row['at'])}#{source}",
        "gsi2pk": mentioned_in(row["session_id"]),
        "gsi2sk": f"{owner}#{source}",
    } | owned(owner, ENTITY_KIND)


def edges_to(owner: str, target: str) -> str:
    """gsi1: the relationships whose object an entity is."""
    return f"EDGES_TO#{part(owner)}#{target}"
