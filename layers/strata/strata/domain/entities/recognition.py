"""The people, places, organizations, events and things that a text names, by rules for English and Spanish."""

from collections.abc import Iterator, Sequence

from strata.domain.entities.kinds import judge
from strata.domain.entities.name import Name
from strata.domain.entities.names import names
from strata.domain.entities.reading import words
from strata.domain.entities.shapes import EntityType, Mention


def recognize(text: str) -> list[Mention]:
    """The entities that a text names, in their order; each once, in its longest form."""
    read = words(text)
    found = list(judge(read, names(read)))
    return sorted(_distinct(text, found), key=lambda mention: (mention.start, mention.end))


def _distinct(text: str, found: Sequence[Name]) -> Iterator[Mention]:
    """One mention for each entity; shorter forms of a name go with it, whether they alone would tell its type or not."""
    first: dict[tuple[EntityType, str], Name] = {}
    for name in found:
        if name.type is not None:
            known = first.setdefault((name.type, name.whole), name)
            known.role = known.role or name.role
    longest: dict[tuple[EntityType, str], Name] = {}
    shorter: dict[int, set[str]] = {}
    by_length = sorted(first.items(), key=lambda item: -len(item[0][1]))
    for (kind, _), name in by_length:
        ends = (name.folded[0], name.folded[-1]) if kind == "person" else name.folded[:1]
        longer = next((longest[kind, end] for end in ends if (kind, end) in longest), None)
        if longer is not None and set(name.folded) <= set(longer.folded):
            longer.role = longer.role or name.role
            shorter[longer.start].add(name.text(text))
            continue
        shorter[name.start] = set()
        longest |= {(kind, end): name for end in ends if (kind, end) not in longest}
    for name in found:
        person = longest.get(("person", name.whole))
        if name.type is None and person is not None:
            shorter[person.start].add(name.text(text))
    for (kind, _), name in by_length:
        if name.start in shorter:
            also = tuple(sorted(shorter[name.start] - {name.text(text)}))
            yield Mention(name.text(text), kind, name.start, name.end, also, name.role, name.confidence)
