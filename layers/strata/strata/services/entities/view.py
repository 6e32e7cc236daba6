"""Entities as an agent may see them in a project: what other agents and projects named is left out."""

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt

from strata.domain.entities.spelling import name_key
from strata.domain.errors import NotFound
from strata.domain.knowledge.borders import Border
from strata.domain.times import rfc3339
from strata.domain.wire.entities import Entity
from strata.ports.rows import Item
from strata.services.entities.book import Book


@dataclass(frozen=True, slots=True)
class Sight:
    """The viewer: an agent (None for no agent in particular), and the project that it asks in, if any.

    What the agents of `configured` were told is theirs alone, also what they were told before.
    """

    agent_id: str | None = None
    project: str | None = None
    configured: Container[str] = field(default=frozenset(), compare=False)

    def admits(self, told: Item) -> bool:
        """Whether what one agent's source in one project tells may be seen."""
        return self.reaches(told["agent_id"], told["project"], told["confined"])

    def reaches(self, agent_id: str | None, project: str | None, confined: bool) -> bool:
        """Whether what is told by a source of this agent in this project may be seen."""
        if not _reaches((self.agent_id, self.project), agent_id, project, confined):
            return False
        return self.agent_id is not None or agent_id is None or agent_id not in self.configured


@lru_cache(4096)
def _reaches(
    viewer: tuple[str | None, str | None], agent_id: str | None, project: str | None, confined: bool
) -> bool:
    return Border.of([agent_id], [project], confined=confined).admits(*viewer)


@dataclass(frozen=True, slots=True)
class Glance:
    """The fields that lists order entities by, and the parts of rows that they come from."""

    name: str
    aliases: list[str]
    count: int
    parts: list[tuple[Item, Item]]


def seen(row: Item, sight: Sight) -> list[Item]:
    """The parts of an entity's row that may be seen, without those that were deleted."""
    return [each for each in row["seen"].values() if each["life"] > row["buried"] and sight.admits(each)]


def glance(tree: Sequence[Item], sight: Sight, *, deleted: bool = False) -> Glance | None:
    """An entity's names and count from its rows, the merge's target first; None where nothing may be seen.

    With `deleted` only deleted ones are shown, as they would be if they were restored.
    """
    root, stated = tree[0], tree[0]["stated"]
    if ("deleted_at" in root) != deleted:
        return None
    rows = [row | {"buried": 0} for row in tree] if deleted else tree
    parts = [(row, part) for row in rows for part in seen(row, sight)]
    if not parts and not (stated.get("name") and sight == Sight()):
        return None
    forms: Counter[str] = Counter()
    for row, part in parts:
        forms.update({form: n for form, n in part["forms"].items() if name_key(form) not in row["hidden"]})
    every = forms or Counter({form: n for _, part in parts for form, n in part["forms"].items()})
    own = {form for row, part in parts if row is rows[0] for form in part["forms"]} & every.keys()
    name = stated.get("name") or max(own or every, key=lambda form: _fitness(form, every[form], root["type"]))
    aliases = dict.fromkeys([name, *sorted(forms, key=lambda form: (-forms[form], form))])
    known = {row["id"] for row, _ in parts}
    for row in tree:
        theirs = row["stated"].get("name")
        if theirs and name_key(theirs) not in row["hidden"] and (row["id"] in known or sight == Sight()):
            aliases |= {theirs: None}
        aliases |= dict.fromkeys(row["stated"].get("aliases") or ())
    return Glance(name, list(aliases), sum(part["count"] for _, part in parts), parts)


def shown(tree: Sequence[Item], sight: Sight, *, deleted: bool = False) -> Entity | None:
    """An entity from its rows, as `glance` reads them."""
    told = glance(tree, sight, deleted=deleted)
    if told is None:
        return None
    root, stated, parts, count = tree[0], tree[0]["stated"], told.parts, told.count
    sure = sum(part["sure"] for _, part in parts) / count if count else 1.0
    return Entity(
        id=root["id"],
        name=told.name,
        type=root["type"],
        aliases=told.aliases,
        roles=sorted({role for _, part in parts for role in part["roles"]}),
        confidence=round(stated.get("confidence", repeated(sure, count)), 3),
        mention_count=count,
        first_seen=rfc3339(min(part["first"] for _, part in parts)) if parts else None,
        last_seen=rfc3339(max(part["last"] for _, part in parts)) if parts else None,
        merged=[row["id"] for row in tree[1:]],
        stated=sorted(stated),
    )


def visible(book: Book, identity: str, sight: Sight) -> Entity:
    """An entity that may be seen, its rows read into the book; the id of a merged one leads to its target.

    Raises:
        NotFound: there is none.
    """
    book.load([identity])
    entity = shown(book.tree(identity), sight) if identity in book.rows else None
    if entity is None:
        raise NotFound("no such entity")
    return entity


def repeated(sure: float, count: int) -> float:
    """The confidence of what several sources say with this mean confidence: each adds less than the last."""
    return 1 - (1 - sure) / sqrt(max(count, 1))


def _fitness(form: str, count: int, kind: str) -> tuple[int, bool, int, str]:
    """Orders the forms of a name: a person's full name first, then capitals, then what is said most often."""
    words = len(form.split()) if kind == "person" else 0
    return min(words, 3), not (form.islower() or form.isupper()), count, form
