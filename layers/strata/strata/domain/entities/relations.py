"""Relationships that a text states between the entities that it names, by the phrases between them."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from strata.domain.entities.relation_table import KINDS, OF_SPEAKER, TABLE, Line
from strata.domain.entities.shapes import SPEAKER, Mention, Relationship
from strata.domain.facts.patterns.reading import own
from strata.domain.text.folding import fold

__all__ = ["KINDS", "relationships", "takes_back"]

_REACH = 70
"""The most characters between two names that are joined, or before the name that the speaker is joined to."""
_ENDS = re.compile(r"[.!?;\u2026\n]+(?=\s|\Z)|\n")
_DOUBT = re.compile(
    r"\b(?:if|whether|unless|imagine|suppose|pretend|wish|maybe|perhaps|might|hope|never|not|without|translate|n't|\w+n't"
    r"|si|ojala|quizas?|tal vez|acaso|imagina|supon|supongamos|como si|espero que|no|nunca|sin|tampoco|traduce)\b"
)
"""Words before a statement that take it back."""
_AND = re.compile(r",? ?(?:and|y|e|&|,) ?")
_THEN = re.compile(r",? ?(?:and|y|but|pero) ")
_WHO = re.compile(r"^,? ?(?:who|que|quien) ")
_MOST = 8
"""The most names that "and" joins to one subject."""
_WORD = re.compile(r"\w+")
_OWN = re.compile(r",? (?:is |es )?(?:my|our|mi|nuestr[oa]) (?:[\w-]+ )?([\w-]+)(?![\w'-])")


@dataclass(frozen=True, slots=True)
class _Named:
    """A name at one place of the text."""

    start: int
    end: int
    mention: Mention


def relationships(text: str, mentions: Sequence[Mention]) -> list[Relationship]:
    """The relationships that the text states between these mentions of it, and with its speaker; each once."""
    found: dict[tuple[str, str, str], Relationship] = {}
    for each in _stated(text, mentions):
        if each.subject != each.object:
            found.setdefault((each.subject, each.kind, each.object), each)
    return list(found.values())


def _stated(text: str, mentions: Sequence[Mention]) -> Iterator[Relationship]:
    folded, spoken = fold(text, keep_length=True), fold(own(text), keep_length=True)
    ends = [end.start() for end in _ENDS.finditer(folded)]
    named = _places(text, mentions)
    subjects: list[_Named] = []
    before: _Named | None = None
    for name in named:
        at = bisect_left(ends, name.start)
        begin = ends[at - 1] + 1 if at else 0
        asked = at < len(ends) and "?" in folded[ends[at] : ends[at] + 3]
        yield from _with_speaker(text, spoken, begin, name, asked=asked)
        if before is None or before.start < begin or name.start - before.end > _REACH:
            subjects = []
        if subjects:
            between = folded[before.end : name.start] if before else ""
            doubtful = asked or _doubts(folded, max(begin, subjects[0].start - _REACH), subjects[0].start)
            matched = list(_between(text, between, subjects, before, name, doubtful=doubtful))
            yield from matched
            joined = (
                _AND.fullmatch(between) and before in subjects and before.mention.type == name.mention.type
            )
            subjects = [*subjects, name] if joined else subjects if matched else [name]
        else:
            subjects = [name]
        before = name


def takes_back(text: str, quote: str) -> bool:
    """Whether a quoted statement is doubted, denied or asked by the sentence in which it stands."""
    folded = fold(text, keep_length=True)
    start = text.index(quote)
    begin = max((end.end() for end in _ENDS.finditer(folded, 0, start)), default=0)
    stop = _ENDS.search(folded, start + len(quote) - 1)
    asked = "?" in quote or (stop is not None and "?" in stop.group())
    return asked or _doubts(folded, begin, start + len(quote))


def _doubts(folded: str, start: int, end: int) -> bool:
    """Whether words before a statement take it back."""
    return _DOUBT.search(folded, start, end) is not None


def _between(
    text: str,
    between: str,
    subjects: Sequence[_Named],
    before: _Named | None,
    name: _Named,
    *,
    doubtful: bool,
) -> Iterator[Relationship]:
    """The statements of the words between two names: of the name before, or of the subjects after an "and"."""
    then = _THEN.match(between)
    again = [(subjects, between[then.end() :])] if then and before not in subjects else []
    whose = subjects if before in subjects else [before] if before else []
    for ones, words in [*again, (whose, between)]:
        phrase = _WHO.sub("", words.lstrip('"\u201d\u00bb')).strip(" ") if words else ""
        for one in ones:
            line = next(
                (
                    line
                    for line, pattern in _lines(one.mention.type, name.mention.type)
                    if pattern.fullmatch(phrase)
                ),
                None,
            )
            if line is None or (doubtful and not line.asked) or len(ones) > _MOST:
                continue
            pair = (one.mention.text, name.mention.text)
            pair = pair[::-1] if line.turned else pair
            yield Relationship(pair[0], line.kind, pair[1], text[one.start : name.end], line.confidence)


def _with_speaker(text: str, spoken: str, begin: int, name: _Named, *, asked: bool) -> Iterator[Relationship]:
    start = max(begin, name.start - _REACH)
    before = spoken[start : name.start].rstrip(" ")
    for line, pattern in _lines(None, name.mention.type):
        if asked and not line.asked:
            continue
        found = pattern.search(before)
        if found is None or (not line.asked and _doubts(spoken, start, start + found.start())):
            continue
        evidence = text[start + found.start() : name.end]
        pair = (name.mention.text, SPEAKER) if line.turned else (SPEAKER, name.mention.text)
        yield Relationship(pair[0], line.kind, pair[1], evidence, line.confidence)
        return
    follows = _OWN.match(spoken, name.end)
    if name.mention.type == "person" and follows is not None:
        for kind, roles in OF_SPEAKER:
            if follows[1] in roles:
                yield Relationship(SPEAKER, kind, name.mention.text, text[name.start : follows.end()], 0.8)


@cache
def _lines(subject: str | None, object_: str) -> tuple[tuple[Line, re.Pattern[str]], ...]:
    """The lines for these types, with their patterns; None is the speaker."""
    return tuple(
        (line, re.compile(line.phrase if subject else rf"\b(?:{line.phrase})\Z"))
        for line in TABLE
        if (subject in line.subjects if subject else not line.subjects) and object_ in line.objects
    )


def _places(text: str, mentions: Sequence[Mention]) -> list[_Named]:
    """Every place where a mention's name stands, in order, the longest name at each."""
    forms: dict[str, Mention] = {}
    for mention in mentions:
        for form in (mention.text, *mention.also):
            forms.setdefault(form, mention)
    if not forms:
        return []
    own_place = {mention.start: mention for mention in mentions}
    by_word: dict[str, list[str]] = {}
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        if first := _WORD.search(form):
            by_word.setdefault(first.group(), []).append(form)
    found: list[_Named] = []
    for word in _WORD.finditer(text):
        for form in by_word.get(word.group(), ()):
            start = word.start() - form.index(word.group())
            end = start + len(form)
            beyond = not found or start >= found[-1].end
            if beyond and start >= 0 and text.startswith(form, start) and not text[end : end + 1].isalnum():
                found.append(_Named(start, end, own_place.get(start, forms[form])))
                break
    return found
