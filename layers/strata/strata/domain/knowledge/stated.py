"""Values that people state of themselves, by the frames of `frames`: attribute, value, and whether it changed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from strata.domain.facts.patterns.guards import is_said, own_part
from strata.domain.facts.patterns.reading import clauses, own, spoken
from strata.domain.knowledge.common import common_stem
from strata.domain.knowledge.frames import (
    CHANGE,
    FOR_GOOD,
    FRAMES,
    KINDS,
    LEAD,
    MARK,
    NEWLY,
    OTHERS,
    PASSING,
    PERSONS,
    SELF,
    SOON,
    SWITCHED,
    TURN,
    VERB,
    Frame,
)
from strata.domain.knowledge.mentions import is_silent
from strata.domain.knowledge.statements import TURNED, Said, Sighting
from strata.domain.knowledge.values import STOPS, VAGUE, WORD, is_name, kind_of, noun_of, value_at
from strata.domain.knowledge.wording import quoted
from strata.domain.supersession.vocabulary import TIMES
from strata.domain.text.folding import fold
from strata.domain.text.sentences import Sentence

LONGEST = 600
"""The most characters of a message that are read: who says much tells of more than one moment."""

LONGEST_QUOTE = 200
"""The most characters of several sentences that are quoted together."""

_END = re.compile(
    r"[,;:!?()\n]|(?<!\bst)(?<!\bdr)(?<!\bdra)(?<!\bmr)(?<!\bmrs)\.(?=\s|\Z)|\s-\s|[\u2013\u2014]|\s(?:so|and|but|because|cause|cos|porque|pero|y|asi que|para que)\s"
)
_SELF = re.compile(r"\b(?:i|we|i'm|we're|my|our|mi|nuestr[oa]) ")
_AHORA = re.compile(r"(?:ahora|ya) ")
_OWNED = re.compile(r"\b(?:my|our|mi|nuestr[oa])\b")
_NO_ATTRIBUTE = frozenset("plan plans planes idea mind vida life tema subject topic".split())  # noqa: SIM905


def stated(said: Said) -> Iterator[Sighting]:
    """The statements of a person about themselves in a message, at most once a clause."""
    if len(said.text) > LONGEST:
        return
    written = own(said.text)
    folded = own_part(fold(written, keep_length=True))
    about: tuple[str, ...] | None = None
    for sentence in spoken(folded):
        if PASSING.search(folded, sentence.start, sentence.end):
            continue
        read = sentence.start
        for start in _starts(folded, sentence):
            if start < read or not _is_said(written, folded, sentence, start):
                continue
            found = _read(written, folded, sentence, start)
            if found is None:
                continue
            about = about or stems(folded)
            read = found.end
            quote = said.text[start : found.end].strip()
            yield Sighting(
                found.subject,
                found.value,
                single=True,
                against=False,
                stated=True,
                quote=quote,
                at=said.at,
                source=said.source,
                says=quoted(" ".join(quote.split()), said.text),
                changes=found.changes,
                about=about,
            )


def turns(said: Said) -> Iterator[Sighting]:
    """A message that tells of a change of something that only an earlier statement names."""
    if len(said.text) > LONGEST:
        return
    written = own(said.text)
    folded = own_part(fold(written, keep_length=True))
    if not TURN.search(folded) or not SELF.search(folded) or PASSING.search(folded):
        return
    told = [
        each for each in spoken(folded) if not each.asks and is_said(written, folded, each.start, each.end)
    ]
    if told:
        start, end = told[0].start, told[0].end
        for each in told[1:]:
            end = each.end if each.end - start <= LONGEST_QUOTE else end
        quote = said.text[start:end].strip()
        yield Sighting(
            TURNED,
            quote,
            single=False,
            against=False,
            stated=True,
            quote=quote,
            at=said.at,
            source=said.source,
            says=quoted(quote, said.text),
            changes=True,
            about=stems(folded),
        )


def _starts(folded: str, sentence: Sentence) -> list[int]:
    """The places where a statement may begin: at clauses, after "since last Monday" and the like, at "I" and "my"."""
    starts = {start for start, _ in clauses(folded, sentence)}
    leads = (LEAD.match(folded, start, sentence.end) for start in starts)
    selves = (
        found.start()
        for found in _SELF.finditer(folded, sentence.start, sentence.end)
        if not OTHERS.search(folded, max(sentence.start, found.start() - 40), found.start())
    )
    return sorted({*starts, *(lead.end() for lead in leads if lead), *selves})


def _is_said(written: str, folded: str, sentence: Sentence, start: int) -> bool:
    return "\u00bf" not in written[sentence.start : start] and is_said(
        written, folded, sentence.start, start + 1
    )


def stems(folded: str) -> tuple[str, ...]:
    """The stems of the words that name subjects, each once, and what they are kinds of."""
    told = {found.group() for found in WORD.finditer(folded) if not is_silent(found.group())}
    return tuple(
        sorted({common_stem(word) for word in told} | {KINDS[word] for word in told if word in KINDS})
    )


@dataclass(frozen=True, slots=True)
class _Read:
    subject: str
    value: str
    end: int
    changes: bool


def _read(written: str, folded: str, sentence: Sentence, start: int) -> _Read | None:
    stop = _END.search(folded, start, sentence.end)
    end = stop.start() if stop else sentence.end
    if end == sentence.end and sentence.asks:
        return None
    if switched := _switched(written, folded, sentence, start):
        return switched
    for frame in FRAMES:
        match = frame.pattern.match(folded, start, sentence.end)
        if match is None:
            continue
        if match.end() > end:
            stop = _END.search(folded, match.end(), sentence.end)
            end = stop.start() if stop else sentence.end
        subject = _subject(frame, match)
        if not subject or _is_of_others(frame, match, folded, start, end):
            continue
        span = value_at(written, folded, match.start("v"), end)
        if span is None or (not frame.changes and SOON.search(folded, sentence.start, sentence.end)):
            continue
        value = written[span[0] : span[1]]
        if frame.subject and all(word in TIMES for word in fold(value).split()):
            continue
        if not is_name(value) and _is_of_a_person(frame, match):
            continue
        kind = kind_of(value)
        lead = folded[max(sentence.start, start - 30) : start]
        led = _AHORA.match(folded, start) or any(found.end() == len(lead) for found in LEAD.finditer(lead))
        told = (f"\0{lead}" if led else "") + folded[start:end]
        if (kind and (frame.changes or kind == "diet")) or _holds(
            frame, value, told, changed=bool(kind or CHANGE.search(folded))
        ):
            subject = kind or subject
            if subject in VAGUE or (frame.subject == VERB and not kind):
                subject = f"{subject} {fold(value)}"
            return _Read(subject, value, end, frame.changes or NEWLY.search(told) is not None)
    return None


def _past(folded: str, start: int) -> int:
    while start < len(folded) and folded[start].isspace():
        start += 1
    return start


def _switched(written: str, folded: str, sentence: Sentence, start: int) -> _Read | None:
    """The name that is told right after "I changed dentists" and the like."""
    match = SWITCHED.match(folded, start, sentence.end)
    if match and (match["n"] or match["m"]) in _NO_ATTRIBUTE:
        return None
    if match is None or (sentence.asks and not _END.search(folded, match.end(), sentence.end)):
        return None
    after = _END.search(folded, match.end(), sentence.end)
    told = _read(written, folded, sentence, _past(folded, after.end())) if after else None
    if told is not None and told.subject in KINDS.values():
        return None
    for word in WORD.finditer(folded, match.end(), min(sentence.end, match.end() + 60)):
        if written[word.start()].isupper() and word.group() not in STOPS:
            span = value_at(written, folded, word.start(), sentence.end)
            stop = _END.search(folded, word.end(), sentence.end)
            end = stop.start() if stop else sentence.end
            if span and not OTHERS.search(folded, start, span[0]):
                return _Read(noun_of(match["n"] or match["m"]), written[span[0] : span[1]], end, changes=True)
    return None


def _subject(frame: Frame, match: re.Match[str]) -> str:
    if frame.subject and frame.subject != VERB:
        return frame.subject
    return noun_of(match["n"])


def _is_of_others(frame: Frame, match: re.Match[str], folded: str, start: int, end: int) -> bool:
    """Whether the clause is about somebody else; "my dance partner is Ana" is not."""
    owned = "n" in match.groupdict() and _OWNED.search(match.group())
    if owned:
        return " de " not in match["n"] and OTHERS.match(match["n"]) is not None
    return (
        OTHERS.search(folded, start, match.start("v") if frame.subject not in {"", VERB} else end) is not None
    )


def _is_of_a_person(frame: Frame, match: re.Match[str]) -> bool:
    return not frame.subject and PERSONS.match(match["n"]) is not None


def _holds(frame: Frame, value: str, told: str, *, changed: bool) -> bool:
    """Whether what the frame needs is there."""
    marked = MARK.search(told) is not None
    if "both" in frame.needs:
        return marked and ((changed and "name" not in frame.needs) or is_name(value))
    if frame.needs == "lead":
        return marked and told.startswith("\0")
    if frame.needs == "change name":
        return changed and is_name(value)
    if frame.needs == "mark change":
        return marked and (changed or is_name(value) or FOR_GOOD.search(told) is not None)
    return not frame.needs or ("name" in frame.needs and is_name(value)) or ("mark" in frame.needs and marked)
