"""Facts by patterns, without a language model: English and Spanish, precision before recall.

A turn is read by sentences and clauses (`reading`). The patterns of `tables` are matched at the beginning of a
clause, so "I live in Leeds" matches and "my sister says I live in Leeds" does not. `guards` reject sentences that
are no statements, and `values`, `names`, `places`, `roles` and `occasions` read the value. To recognise another
way to state a fact, add a line to a table.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from strata.domain.facts.found import Category, FoundFact
from strata.domain.facts.patterns import goings_on, guards, places, roles, values
from strata.domain.facts.patterns.occasions import occasions
from strata.domain.facts.patterns.reading import HIDDEN, clauses, own, spoken
from strata.domain.facts.patterns.tables.english import ENGLISH
from strata.domain.facts.patterns.tables.rule import Rule
from strata.domain.facts.patterns.tables.spanish import SPANISH
from strata.domain.facts.patterns.tables.stops import TAILS
from strata.domain.facts.patterns.turns import Span, Turn
from strata.domain.text.folding import fold
from strata.domain.text.sentences import Sentence

_RULES = ENGLISH + SPANISH
_SHORTEST = 5
"""The fewest characters of a clause with a fact."""
_TASTES = ("preference", "dislike")
_OF_THEMSELVES = ("name", "role", "place", "preference", "dislike")
_SUBJECT = "i "
_HAS_SUBJECT = re.compile(r"(?:i|we)\b")
_GOES_ON = re.compile(
    rf"(?: (?:{'|'.join(sorted({' '.join(tail) for tail in TAILS}, key=len, reverse=True))}|anymore|too))?"
    r"[\s,;:\u2013\u2014-]*(?:(?:and|but|&|plus|yet|while|although|though)\s+)*(?:(?:so|also|then)\s+)?"
)
"""The text between a fact and a clause that has no subject of its own: "I love skiing a lot, and hate olives"."""


@dataclass(frozen=True, slots=True)
class _Told:
    category: Category
    span: Span
    value: str
    says: str
    sentence: Sentence


def extract(text: str) -> list[tuple[str, str]]:
    """Category and value of each fact in a user's turn, for the evaluation."""
    return [(fact.category, fact.value) for fact in facts_in(text)]


def facts_in(turn: str) -> list[FoundFact]:
    """The facts that a person states about themselves in one turn, in order.

    Raises for no text; the time is linear in its length.
    """
    own_words = own(turn)
    folded = guards.own_part(fold(own_words, keep_length=True))
    read = Turn(own_words, folded, casual=not any(c.isupper() for c in own_words.replace("I", "")))
    told: list[_Told] = []
    for sentence in spoken(folded):
        if guards.ORDERS_MEMORY.search(folded[sentence.start : sentence.end]):
            told = [each for each in told if each.category != "role"]
            break
        told += _told_in(read, sentence)
    return [
        FoundFact(each.category, each.value, each.says, turn[each.sentence.start : each.sentence.end].strip())
        for each in _without_repeats(told)
    ]


def _told_in(turn: Turn, sentence: Sentence) -> Iterator[_Told]:
    starts = [
        (start, marked)
        for start, marked in clauses(turn.folded, sentence)
        if sentence.end - start >= _SHORTEST
        and guards.is_said(turn.written, turn.folded, sentence.start, start)
    ]
    named = False
    ends = set[int]()
    for start, marked in starts:
        for rule, told in _of_clause(turn, sentence, start, marked, ends):
            named = named or told.category == "name"
            if _says_i(rule, turn, start, ends):
                ends.add(told.span.end)
            yield told
            yield from _town_of(turn, told)
        if _in_question(turn, sentence, start):
            continue
        for occasion in occasions(turn, start, sentence):
            yield _Told("date", occasion.span, occasion.value, occasion.value, sentence)
    if named:
        yield from _introduced(turn, sentence, starts)


def _of_clause(
    turn: Turn, sentence: Sentence, start: int, marked: bool, ends: set[int]
) -> Iterator[tuple[Rule, _Told]]:
    """The facts of a clause; one without a subject takes that of a fact that ends before it, at one of `ends`."""
    for rule in _RULES:
        for told in _apply(rule, turn, sentence, start, marked):
            yield rule, told
    if any(end < start and _goes_on(turn, sentence, end, start) for end in ends):
        yield from _with_subject(turn, sentence, start)


def _with_subject(turn: Turn, sentence: Sentence, start: int) -> list[tuple[Rule, _Told]]:
    """The facts of a clause read with "I" before it; positions remain, for a joint is longer than "I"."""
    first, last = sentence.start, sentence.end
    begin = start - first - len(_SUBJECT)
    folded = turn.folded[first : first + begin] + _SUBJECT + turn.folded[start:last]
    alone = replace(turn, written=turn.written[first:last], folded=folded)
    within = replace(sentence, start=0, end=last - first)
    found: list[tuple[Rule, _Told]] = []
    for rule in ENGLISH:
        told = list(_apply(rule, alone, within, begin, marked=False))
        if all(goings_on.is_own(alone, within, begin, each.span, rule.category) for each in told):
            found += [
                (rule, replace(each, span=_moved(each.span, first), sentence=sentence)) for each in told
            ]
    return found


def _goes_on(turn: Turn, sentence: Sentence, end: int, start: int) -> bool:
    """Whether a clause takes its subject from a fact that ends before it."""
    if _GOES_ON.fullmatch(turn.folded, end, start) is None:
        return False
    return goings_on.is_joined(turn, sentence, end, start)


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _says_i(rule: Rule, turn: Turn, start: int, ends: set[int]) -> bool:
    """Whether a clause states a fact with "I", its own or that of the clause before, and orders nothing."""
    if rule.category not in _OF_THEMSELVES or "request" in rule.flags or rule.read is values.order:
        return False
    return bool(ends) or _HAS_SUBJECT.match(turn.folded, start) is not None


def _apply(rule: Rule, turn: Turn, sentence: Sentence, start: int, marked: bool) -> Iterator[_Told]:
    if "marked" in rule.flags and not marked:
        return
    match = rule.pattern.match(turn.folded, start, sentence.end)
    if match is None or not _is_meant(rule, turn, sentence, start):
        return
    grouped = "v" in rule.pattern.groupindex
    at = match.start("v") if grouped else match.end()
    if rule.read is not None:
        spans = rule.read(turn, at, sentence.end)
    else:
        spans = [Span(at, match.end("v"))] if values.stands_alone(turn.folded[at : match.end("v")]) else []
    for span in spans:
        value = " ".join(turn.written[span.start : span.end].split())
        if HIDDEN in value or _is_asked(rule, turn, sentence, start, span):
            continue
        if rule.category == "role" and guards.claims_power(fold(value, keep_length=True)):
            continue
        if rule.category in _TASTES and _is_passing(rule, turn, span):
            continue
        yield _Told(rule.category, span, value, _says(rule.says, value), sentence)


def _says(says: str, value: str) -> str:
    """The fact; a place that is told by one near it ("near Galway") needs no "in"."""
    if value.split(maxsplit=1)[0].casefold() in places.NEAR:
        says = says.replace(" in {}", " {}").replace(" en {}", " {}")
    return says.format(value)


def _is_passing(rule: Rule, turn: Turn, span: Span) -> bool:
    """Whether a taste concerns only the task at hand; a tool in use for the task counts in general."""
    if rule.read is values.tool:
        return guards.is_in_this(turn.folded, span.end)
    return guards.is_for_this(turn.folded, span.start, span.end)


def _is_meant(rule: Rule, turn: Turn, sentence: Sentence, start: int) -> bool:
    """Whether an instruction is permanent, or needs no word that says so."""
    contact = rule.category == "contact_language"
    for_good = guards.is_for_good(turn.folded, sentence.start if contact else start, sentence.end)
    if for_good or not (contact or "standing" in rule.flags):
        return True
    return "standing" not in rule.flags and not guards.is_once(turn.folded, sentence.start, sentence.end)


def _is_asked(rule: Rule, turn: Turn, sentence: Sentence, start: int, span: Span) -> bool:
    """Whether a statement is in fact a question."""
    if "request" in rule.flags:
        return False
    before = turn.written[sentence.start : start]
    if _in_question(turn, sentence, start):
        return True
    whole = not any(mark in before for mark in ",;:(")
    return sentence.asks and whole and not turn.folded[span.end : sentence.end].strip(" ,")


def _in_question(turn: Turn, sentence: Sentence, start: int) -> bool:
    """Whether a clause belongs to the question that an inverted mark opened before it."""
    before = turn.written[sentence.start : start]
    return "¿" in before and not any(mark in before[before.rindex("¿") :] for mark in ",;:(")


def _town_of(turn: Turn, told: _Told) -> Iterator[_Told]:
    if told.category == "role":
        for town in roles.town_of_work(turn, told.span, told.sentence.end):
            value = turn.written[town.start : town.end]
            yield _Told("place", town, value, f"Works in {value}", told.sentence)


def _introduced(turn: Turn, sentence: Sentence, starts: list[tuple[int, bool]]) -> Iterator[_Told]:
    """Facts that follow a name without a verb: "I'm Marta, a nurse, from Murcia"."""
    for start, marked in starts[1:]:
        if not marked:
            continue
        for span in roles.trade(turn, start, sentence.end):
            told = _Told("role", span, turn.written[span.start : span.end], "", sentence)
            told = _Told("role", span, told.value, f"Works as {told.value}", sentence)
            yield told
            yield from _town_of(turn, told)
        for word in ("from ", "de "):
            if turn.folded.startswith(word, start):
                for span in places.place(turn, start + len(word), sentence.end)[:1]:
                    value = turn.written[span.start : span.end]
                    yield _Told("place", span, value, f"Comes from {value}", sentence)


def _without_repeats(told: list[_Told]) -> list[_Told]:
    """Without overlaps and repeats in a category, and without preferences that name the contact language."""
    kept: list[_Told] = []
    languages = [each.span for each in told if each.category == "contact_language"]
    for each in told:
        if each.category == "preference" and any(_overlap(each.span, other) for other in languages):
            continue
        same = (
            other.category == each.category
            and (
                _overlap(other.span, each.span)
                or fold(other.value, keep_length=True) == fold(each.value, keep_length=True)
            )
            for other in kept
        )
        if not any(same):
            kept.append(each)
    return sorted(kept, key=lambda each: each.span.start)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
