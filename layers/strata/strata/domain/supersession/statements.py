"""The value that a note states of an attribute that has one at a time, if it states one plainly."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from strata.domain.supersession import named
from strata.domain.supersession.attributes import Said, attribute_of
from strata.domain.supersession.values import Value, values
from strata.domain.supersession.vocabulary import (
    CHANGE,
    CHANGE_VERBS,
    CONFIGURED,
    DAYS,
    ENDED,
    ENVIRONMENTS,
    LABELS,
    NOISE,
    PASSING,
    PLACES,
    PLAIN_VERBS,
    SUBJECTS_NOT,
    TAIL,
    UNSURE,
    VERBS,
)
from strata.domain.text.analysis import stem
from strata.domain.text.folding import fold

LONGEST = 400
"""The most characters of a note that is read: a longer one says more than one thing."""
_SUBJECT = 6
"""The most words of a subject."""

_PREFIX = re.compile(r"\A\s*(?:\[[^\]\n]{0,80}\]\s*)?(?:([^\W\d_][\w'-]*(?: [\w'-]+){0,2}):\s+(?=\S+ \S))?")
_CLAUSE = re.compile(
    r"[.!?]+(?=\s|\Z)(?!\s(?:januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember)\b)|\n+|;\s*|,\s+|\s[-\u2013\u2014]+\s|:\s+(?=\S+ \S+ \S+ \S+ \S)|\(|\)"
    r"|\b(?:and|but|so that|so|because|y|e|pero|porque|para que|und|aber|weil|denn|damit)\s+"
)
_SENTENCE_ENDS = re.compile(r"\s*[.!?\n]")
_WORD = re.compile(r"=|\d[\d.,:]*|[^\W\d_][\w+#/-]*|[€$£%]")
_OWNED = re.compile(r"(?<=\w)['\u2019]s\b")
_CHANGE_PHRASES = re.compile(
    r"\b(?:from (?:now|today|this \w+|monday) on|as of|a partir de|en adelante|ab sofort|from \w+ on)\b"
)
_ME = re.compile(
    r"\b(?:the user's|user's|the user|user(?= (?:lives|works|is)\b)|my|i'm|i've|i|mi|mein\w?|ich)\b|\b(?:vivo|trabajo)\b"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A value of an attribute of something.

    Attributes:
        attribute: the attribute in a word or two, such as "version".
        subject: its words, stemmed and sorted: notes about the same thing agree in it.
        kind: the kind of the value, see `values`.
        value: the value in a comparable form.
        changed: whether the note says that it is so from now on.
        alone: whether the note says nothing else.
        replaced: the value that the note names as the former one.
    """

    attribute: str
    subject: str
    kind: str
    value: str
    changed: bool
    alone: bool
    replaced: str = ""


def stated(title: str, content: str) -> Statement | None:
    """The first plain statement of a note; None where there is none, or the note leaves doubt about it."""
    if len(content) > LONGEST:
        return None
    content = _OWNED.sub("", content)
    prefix = _PREFIX.match(content)
    begin = prefix.end() if prefix else 0
    folded = fold(content, keep_length=True)
    passing = PASSING.search(folded, begin)
    folded = folded[:begin] + TAIL.sub(_since, folded[begin:])
    speaker = content[prefix.start(1) : prefix.end(1)] if prefix and prefix[1] else ""
    context = _about(title, folded, speaker)
    if passing or context is None or not sure(folded[begin:]):
        return None
    clauses = [clause for clause in _clauses(folded, begin) if folded[clause[0] : clause[1]].strip(" .'\"")]
    for start, end in clauses:
        made = _of_clause(folded[start:end], content[start:end])
        if made is not None:
            subject = " ".join(sorted({*made.subject.split(), *context}))
            return replace(made, subject=subject, alone=len(clauses) == 1)
        if not _SENTENCE_ENDS.match(folded, end):
            return None  # the next clause may be about what this one names
    return None


def _since(tail: re.Match[str]) -> str:
    """A tail's place, with a word for the change that it tells of."""
    because = tail.group().lstrip().startswith(_BECAUSE)
    return ("" if because else "since").ljust(len(tail.group()))


_BECAUSE = ("because", "so that", "porque", "para que", "por ", "weil", "damit", "during")


def sure(folded: str) -> bool:
    """Whether nothing in a folded note keeps it from being a plain statement."""
    return UNSURE.search(ENDED.sub(" ", folded)) is None


def _about(title: str, content: str, speaker: str) -> set[str] | None:
    """The words that title and speaker add to the subject; None where the title leaves doubt."""
    folded = fold(title, keep_length=True)
    if not sure(folded):
        return None
    there = {stem(word) for word in _WORD.findall(content)}
    said = {word for text in (folded, fold(speaker)) for word in _WORD.findall(text)}
    named_words = {stem(word) for word in said - NOISE - LABELS - CHANGE - PLAIN_VERBS}
    spoken_by = {stem(word) for word in _WORD.findall(fold(speaker)) if word not in LABELS}
    return (named_words - there) | spoken_by


def _clauses(folded: str, begin: int) -> Iterator[tuple[int, int]]:
    start = begin
    for mark in _CLAUSE.finditer(folded, begin):
        if mark.start() > start:
            yield start, mark.start()
        start = mark.end()
    if start < len(folded):
        yield start, len(folded)


def _of_clause(folded: str, written: str) -> Statement | None:
    changed = bool(_CHANGE_PHRASES.search(folded)) or any(word in CHANGE for word in _WORD.findall(folded))
    if (person := named.personal(folded, written)) is not None:
        changed = changed or named.tells_of_a_move(folded)
        return Statement(person.attribute, stem(person.about), "name", person.value, changed, True)
    found = named.replaced(folded) or _first(folded, written, changed)
    if isinstance(found, Statement):
        return found
    found = found or named.attribute(folded, written) or named.used(folded) or named.made(folded, written)
    subject = found and _subject(found.about)
    if found is None or not subject:
        return None
    return Statement(found.attribute, subject, "name", found.value, changed, True, found.former)


def _first(folded: str, written: str, changed: bool) -> Statement | None:
    """The statement about the first value in a clause that has an attribute."""
    made = (_typed(folded, value, changed) for value in values(folded, written))
    return next((each for each in made if each is not None), None)


def _typed(folded: str, value: Value, changed: bool) -> Statement | None:
    """The statement of a clause about a value that stands in it."""
    before, after = folded[: value.start], folded[value.end :]
    before = re.sub(r":\s*\Z", " = ", before)
    words = _WORD.findall(_CHANGE_PHRASES.sub(" since ", before))
    verb = _verb(words) or _leading(words, before, after)
    if verb is None:
        return None
    every = {*words, *_WORD.findall(after)}
    attribute = attribute_of(Said(value, verb, every, words[-1], changed))
    if attribute is None:
        return None
    limit = "limit" if {*words, verb} & VERBS["limit"] else ""
    days = frozenset() if attribute in ("schedule", "deadline") else DAYS
    is_place = attribute in ("address", "region")
    subject = _subject(f"{before} {value.subject} {after} {limit}", place=is_place, dropped=days)
    kind = "version" if attribute == "version" else value.kind
    return Statement(attribute, subject, kind, value.value, changed, True) if subject else None


def _leading(words: Sequence[str], before: str, after: str) -> str | None:
    """The verb at the beginning of "we raised the limit to 5", or at the end of a German clause."""
    last = words[-1] if words else ""
    if last in ("for", "durante") and set(words[:2]) & VERBS["keep"]:
        return "keep"
    if last not in ("to", "a", "al", "auf", "den", "nach"):
        return None
    first = [word for word in words[:4] if word in CHANGE_VERBS]
    final = [word for word in _WORD.findall(after) if word in CHANGE_VERBS] if "wurde" in before else []
    return next(iter([*first, *final]), None)


def _verb(before: Sequence[str]) -> str | None:
    """The verb right before a value, by way of words without a meaning of their own."""
    for word in reversed(before):
        if word in PLAIN_VERBS or word in CHANGE_VERBS or any(word in group for group in VERBS.values()):
            return word
        if word not in NOISE and word not in CHANGE and word not in CONFIGURED:
            return None
    return None


_WITHOUT = (
    NOISE | CHANGE | PLAIN_VERBS | frozenset().union(*VERBS.values()) | {"deadline", "abgabe", "tamano"}
)


def _subject(text: str, *, place: bool = False, dropped: frozenset[str] = frozenset()) -> str | None:
    """The words that a statement is about; None where there are none, or one of them rules it out."""
    text = _ME.sub(" userself ", _CHANGE_PHRASES.sub(" since ", text))
    kept = [word for word in _WORD.findall(text) if word not in _WITHOUT and word not in dropped]
    if not kept or len(kept) > _SUBJECT or any(word in SUBJECTS_NOT or word[0].isdigit() for word in kept):
        return None
    if place:
        kept = [word for word in kept if word not in PLACES] or kept
    elif set(kept) <= ENVIRONMENTS:
        return None
    return " ".join(sorted({"production" if word == "prod" else stem(word) for word in kept}))
