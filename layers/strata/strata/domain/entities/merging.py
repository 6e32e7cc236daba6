"""One mention for each entity of a text, whatever finds the names."""

from collections.abc import Iterable, Iterator, Sequence

from strata.domain.entities import vocabulary as known
from strata.domain.entities.name import Name
from strata.domain.entities.shapes import EntityType, Mention
from strata.domain.text.folding import fold

Span = tuple[int, int, EntityType, float]
"""Beginning and end of a name in a text, its type, and how sure that is."""


def mentions_of(text: str, spans: Iterable[Span]) -> list[Mention]:
    """The mentions of what a model found, by the rules of `Mention`: no title, article or possessive."""
    return in_order(text, [name for span in spans if (name := _named(text, span)) is not None])


def in_order(text: str, found: Sequence[Name]) -> list[Mention]:
    """The mentions of these names in the order of the text, each entity once."""
    return sorted(_distinct(text, found), key=lambda mention: (mention.start, mention.end))


def _named(text: str, span: Span) -> Name | None:
    start, end, kind, confidence = span
    written = text[start:end].rstrip()
    for possessive in ("'s", "\u2019s"):
        written = written.removesuffix(possessive)
    first, _, rest = written.partition(" ")
    while rest and (
        fold(first).rstrip(".") in known.TITLES or first in {"the", "a", "an", "el", "la", "los", "las"}
    ):
        start += len(written) - len(rest)
        written = rest
        first, _, rest = written.partition(" ")
    words = tuple(fold(written).split())
    if not words or all(word in known.NEVER for word in words):
        return None
    return Name(0, 0, start, start + len(written), words, type=kind, confidence=confidence)


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
