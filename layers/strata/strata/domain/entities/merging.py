"""One mention for each entity of a text, whatever finds the names."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from strata.domain.entities import vocabulary as known
from strata.domain.entities.name_lists import first_names
from strata.domain.entities.shapes import EntityType, Mention
from strata.domain.entities.spelling import files_in
from strata.domain.text.folding import fold

_ARTICLES = frozenset(("the", "a", "an", "el", "la", "los", "las"))

_ACRONYM = 4
"""The fewest letters of an acronym; shorter ones may be somebody's initials."""
_VOWELS = frozenset("aeiouy")


class Span(NamedTuple):
    """A name at one place of a text.

    Attributes:
        start: where it begins.
        end: where it ends.
        type: its type.
        confidence: how sure that is, above 0 and at most 1.
        role: the word for who a person is to the speaker, or for what else it is told to be, or "".
        hint: as of a `Mention`.
    """

    start: int
    end: int
    type: EntityType
    confidence: float
    role: str = ""
    hint: str = ""

    def folded(self, text: str) -> tuple[str, ...]:
        """Its words in lower case and without accents."""
        return tuple(fold(text[self.start : self.end]).split())


def mentions_of(text: str, spans: Iterable[Span]) -> list[Mention]:
    """The mentions of what a model found, by the rules of `Mention`: no title, article or possessive."""
    return in_order(text, [name for span in spans if (name := bare(text, span)) is not None])


def in_order(text: str, names: Sequence[Span]) -> list[Mention]:
    """The mentions of these names in the order of the text, each entity once, without files and identifiers."""
    files = list(files_in(text)) if names else []
    ends = [end for _, end in files]

    def is_file(name: Span) -> bool:
        after = bisect_right(ends, name.start)
        return after < len(files) and files[after][0] < name.end

    named = [each for each in names if not is_file(each)]
    return sorted(_distinct(text, named), key=lambda mention: (mention.start, mention.end))


def bare(text: str, span: Span) -> Span | None:
    """A name without a person's title, article and possessive; None if nothing is left that names something.

    Nobody is called by an exclamation ("Yeah John") or an acronym without a vowel ("LGBTQ").
    """
    start = span.start
    written = text[start : span.end].rstrip()
    for possessive in ("'s", "\u2019s"):
        written = written.removesuffix(possessive)
    first, _, rest = written.partition(" ")
    person = span.type == "person"
    titles = known.TITLES | known.EXCLAMATIONS if person else frozenset[str]()
    while rest and (fold(first).rstrip(".") in titles or first in _ARTICLES):
        start += len(written) - len(rest)
        written = rest
        first, _, rest = written.partition(" ")
    words = fold(written).split()
    if not words or (person and _is_acronym(written)):
        return None
    if all(word in known.NEVER and not (person and word in first_names()) for word in words):
        return None
    return span._replace(start=start, end=start + len(written))


def _is_acronym(written: str) -> bool:
    return len(written) >= _ACRONYM and written.isupper() and _VOWELS.isdisjoint(fold(written))


def _distinct(text: str, found: Sequence[Span]) -> Iterator[Mention]:
    """One mention for each entity; the shorter forms of its name go with the longest."""
    first: dict[tuple[EntityType, tuple[str, ...]], Span] = {}
    for name in found:
        key = (name.type, name.folded(text))
        earlier = first.setdefault(key, name)
        first[key] = earlier._replace(role=earlier.role or name.role, hint=earlier.hint or name.hint)
    longest: dict[tuple[EntityType, str], Span] = {}
    shorter: dict[int, set[str]] = {}
    roles: dict[int, str] = {}
    by_length = sorted(first.items(), key=lambda item: -len(" ".join(item[0][1])))
    for (kind, words), name in by_length:
        ends = (words[0], words[-1]) if kind == "person" else words[:1]
        longer = next((longest[kind, end] for end in ends if (kind, end) in longest), None)
        if longer is not None and set(words) <= set(longer.folded(text)):
            roles[longer.start] = roles[longer.start] or name.role
            shorter[longer.start].add(text[name.start : name.end])
            continue
        shorter[name.start], roles[name.start] = set(), name.role
        longest |= {(kind, end): name for end in ends if (kind, end) not in longest}
    for (kind, _), name in by_length:
        if name.start in shorter:
            written = text[name.start : name.end]
            also = tuple(sorted(shorter[name.start] - {written}))
            role = roles[name.start]
            yield Mention(written, kind, name.start, name.end, also, role, name.confidence, name.hint)
