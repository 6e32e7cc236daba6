"""A note as the rules read it: its clauses, and the words and values of each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from strata.domain.supersession.vocabulary import (
    ALONE,
    BESIDE,
    CHANGE,
    COPULAS,
    ENVIRONMENTS,
    FORMER,
    HOME,
    IDLE,
    IDLE_HAN,
    LABELS,
    ME,
    MONTHS,
    MOVED,
    NUMBERS,
    ONCE,
    PAUSE,
    SOME,
    STATE_WORDS,
    STATES,
    TAIL,
    TIMES,
    UNITS,
    UNSURE,
)
from strata.domain.text.analysis import stem
from strata.domain.text.folding import fold

LONGEST = 400
"""The most characters of a note that is read: a longer one says more than one thing."""

_SENTENCE = re.compile(
    rf"(?:(?<!\d)\.(?=\s|\Z)|(?<=\d)\.(?=\s*\Z|\s+(?!(?i:{MONTHS})\b)[^\W\d_])|[!?;](?=\s|\Z)|[\u3002\uff01\uff1b\uff1f\n])+"
)
_CLAUSE = re.compile(
    r",\s+|\s[-\u2013\u2014]+\s|[\uff0c\u3001:\uff1a](?!\d)\s*|[()]|\s(?:and|but|so|y|e|pero|und|aber)\s(?=\S+ \S+ \S)"
)
_USER = "\x01"
_TOKEN = re.compile(
    r"(?P<user>\x01)|(?P<han>[\u4e00-\u9fff])|(?P<code>[#@/~]?[^\W\u4e00-\u9fff]+(?:[.@/+#:_-]+[^\W\u4e00-\u9fff]+)+[+#]*|[#@/~][^\W\u4e00-\u9fff]+)|(?P<word>[^\W\u4e00-\u9fff]+[+#%]*)|(?P<mark>[%$\u20ac\u00a3])"
)
_HAN_VALUE = re.compile(
    r"\d+\u6708\d+[\u65e5\u53f7]|\d+\u70b9(?:\d+\u5206|\u534a)?|(?:\u5468|\u661f\u671f|\u793c\u62dc)[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u65e5\u5929]|[\u4e00\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343]+(?=[\u70b9\u6708\u53f7\u4eba\u4e2a\u5206\u5c81\u697c\u5929\u5e74\u6b21\u5c0f])|[\u4e0a\u4e0b]\u5348|\u65e9\u4e0a|\u665a\u4e0a|\u4e2d\u5348"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a clause that has a part in what is said.

    Attributes:
        key: its comparable form.
        kind: "figure" for numbers and times, "name" for names and identifiers, else "word".
        place: its position among all words of the clause.
        before: the word right before it.
        written: the word as it was written.
    """

    key: str
    kind: str
    place: int
    before: str
    written: str


@dataclass(frozen=True, slots=True)
class Former:
    """A value that has gone, as a clause names it.

    Attributes:
        keys: its words.
        before: what is said before it, ever more of it: before the phrase that names it, and of the sentence.
        after: what follows it, up to a pause or a value in its place.
    """

    keys: frozenset[str]
    before: "tuple[Clause, ...]"
    after: "Clause"


@dataclass(frozen=True)
class Clause:
    """A part of a note."""

    written: str
    folded: str
    sentence: "Clause | None" = None

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Its words of weight, in order."""
        text = CHANGE.sub(_blank, _told(self.folded))
        return tuple(_tokens(text, self.written))

    @cached_property
    def sure(self) -> bool:
        """Whether it plainly gives a value, and not one beside others."""
        told = _told(self.folded)
        return BESIDE.search(told) is None and UNSURE.search(told) is None

    @cached_property
    def changed(self) -> bool:
        """Whether it says that something is so from now on."""
        return CHANGE.search(self.folded) is not None

    @cached_property
    def states(self) -> bool:
        """Whether it says in the present how something is."""
        return STATES.search(self.folded) is not None

    @cached_property
    def keys(self) -> frozenset[str]:
        """The comparable forms of its words."""
        return frozenset(token.key for token in self.tokens)

    @cached_property
    def moved(self) -> bool:
        """Whether somebody moved."""
        return MOVED.search(self.folded) is not None

    def part(self, start: int, end: int) -> "Clause":
        """The part of it between two positions."""
        return Clause(self.written[start:end], self.folded[start:end])

    @cached_property
    def former(self) -> tuple[Former, ...]:
        """The values that it names as gone; none where one is only not the only one any more."""
        return () if ALONE.search(self.folded) or SOME.search(self.folded) else tuple(_former(self))


@dataclass(frozen=True)
class Note:
    """A short note.

    Attributes:
        folded: its content, folded.
        clauses: its sentences, and the parts of those.
        about: the words of its title.
        speaker: the words before a colon at its beginning.
        sure: whether it plainly tells how things are.
    """

    folded: str
    written: str
    clauses: tuple[Clause, ...]
    about: frozenset[str]
    speaker: frozenset[str]
    sure: bool

    @cached_property
    def telling(self) -> tuple[Clause, ...]:
        """The clauses that say plainly that something is so, or has changed."""
        return tuple(each for each in self.clauses if each.sure and (each.changed or each.states))

    @cached_property
    def environments(self) -> frozenset[str]:
        """The environments that it names, each in a form that all its names share."""
        return frozenset(found.group()[:4] for found in ENVIRONMENTS.finditer(self.folded))

    @cached_property
    def former(self) -> tuple[Former, ...]:
        """The values that the note plainly names as gone."""
        return tuple(former for clause in self.clauses if clause.sure for former in clause.former)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The comparable forms of all its words, those of its title too."""
        return frozenset(token.key for token in _tokens(self.folded, self.written)) | self.about


_DATED = re.compile(r"\A\s*\[[^\]\n]{0,80}\]\s*")
_PREFIX = re.compile(r"\A([^\W\d_][\w'-]*(?: [\w'-]+){0,2}):\s+(?=\S+ \S)")


def read(title: str, content: str) -> Note | None:
    """The note of a title and a content; None for a long one."""
    written = _DATED.sub("", content).strip().replace("\u2019", "'")
    if not written or len(written) > LONGEST:
        return None
    folded = fold(written, keep_length=True)
    prefix = _PREFIX.match(folded)
    if prefix and title and prefix[1] in fold(title, keep_length=True):
        written, folded, prefix = written[prefix.end() :], folded[prefix.end() :], None
    heading = fold(title, keep_length=True)
    if folded.startswith(heading.strip().removesuffix("\u2026").strip()):
        heading, title = "", ""  # a title that is the beginning of the content says nothing of its own
    about, speaker = (
        frozenset(token.key for token in _tokens(CHANGE.sub(_blank, fold(text, keep_length=True)), text))
        - LABELS
        for text in (title, prefix[1] if prefix else "")
    )
    sure = (
        not any(UNSURE.search(_told(each)) for each in _SENTENCE.split(folded))
        and "?" not in folded
        and ONCE.search(folded) is None
        and UNSURE.search(heading) is None
    )
    return Note(folded, written, tuple(_clauses(folded, written)), about, speaker, sure)


def _clauses(folded: str, written: str) -> Iterator[Clause]:
    for start, end in _cut(_SENTENCE, written, 0, len(written)):
        sentence = Clause(written[start:end], folded[start:end])
        yield sentence
        parts = list(_cut(_CLAUSE, written, start, end))
        if len(parts) > 1:
            for at, until in parts:
                yield Clause(written[at:until], folded[at:until], sentence)


def _cut(mark: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in mark.finditer(text, start, end):
        if text[start : found.start()].strip():
            yield start, found.start()
        start = found.end()
    if text[start:end].strip():
        yield start, end


def _told(folded: str) -> str:
    return TAIL.sub(_blank, folded)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _tokens(text: str, written: str) -> Iterator[Token]:
    text = ME.sub(lambda found: _USER.ljust(len(found.group())), text)
    values = {found.start(): found for found in _HAN_VALUE.finditer(text)}
    place, before, end = 0, "", 0
    for found in _TOKEN.finditer(text):
        if found.start() < end:
            continue
        value = values.get(found.start())
        end = (value or found).end()
        word, surface = text[found.start() : end], written[found.start() : end]
        place += 1
        made = ("figure", word) if value else _made(found, word, surface, before, place)
        if made is not None:
            yield Token(made[1], made[0], place, before, surface)
        before = word


def _made(found: re.Match[str], word: str, surface: str, before: str, place: int) -> tuple[str, str] | None:
    """The kind and the comparable form of a word; None for one without weight."""
    if word == _USER:
        return "word", "userself"
    if found["han"]:
        return None if word in IDLE_HAN else ("word", word)
    if word in STATE_WORDS and before in COPULAS and _ENDS.match(found.string, found.end()):
        return "state", word
    if word in HOME:
        return "word", "home"
    if word in IDLE or (len(word) == 1 and not word.isdigit() and not found["mark"]):
        return None
    # the first word of a clause has a capital whatever it is
    kind = _kind(word, surface if place > 1 else surface[1:] or surface, bool(found["code"]))
    return kind, stem(word.removesuffix("'s"))


_ENDS = re.compile(r"\s*(?:\Z|[.,;:!)]|\b(?:in|since|for|now|seit|desde|by|en|auf)\b)")


def _kind(word: str, surface: str, code: bool) -> str:
    if word in TIMES or word in UNITS or word in NUMBERS:
        return "figure"
    if word[0].isdigit() or (len(word) > 1 and word[0] in "vq" and word[1].isdigit()):
        return "figure"
    return "name" if code or surface != surface.lower() or not surface[0].isalpha() else "word"


def _former(clause: Clause) -> Iterator[Former]:
    whole = clause.sentence or clause
    inside = whole.written.find(clause.written)
    for found in (found for pattern in FORMER for found in pattern.finditer(clause.folded)):
        start, end = found.span("former")
        keys = clause.part(start, end).keys - {"userself", "home"}
        if keys:
            before = clause.part(0, found.start()), clause.part(0, start), whole.part(0, inside + start)
            after = clause.part(end, len(clause.written))
            yield Former(keys, before, after.part(0, len(PAUSE.split(after.folded, 1)[0])))
