"""The decision whether a newer note replaces an older one of the same person, agent and project."""

from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.contradictions.quantities import agree, quantities
from strata.domain.supersession.note import Clause, Note, Token, read
from strata.domain.supersession.vocabulary import (
    AND,
    ARTICLES,
    JOINS,
    OPPOSITE,
    PASSING,
    PERIOD,
    TOWARDS,
    UNITS,
)
from strata.domain.text.folding import fold

_SEVERAL = 2
"""So many words without a name or a figure tell nothing of their own."""
_HAN_NUMERALS = frozenset("一二两三四五六七八九十百千万")


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a note is superseded: what both are about, and the older and newer value.

    `newer` is empty where the newer note says that the older value has gone.
    """

    about: str
    older: str
    newer: str


def supersedes(older: Note, newer: Note) -> Reason | None:
    """The reason why the newer note replaces the older one; None if both may hold."""
    if not newer.sure or "?" in older.folded or PASSING.search(older.folded):
        return None
    if older.environments != newer.environments or _of_two_times(older, newer):
        return None
    if older.keys.isdisjoint(newer.keys) or not (newer.about <= older.keys and older.about <= newer.keys):
        return None
    if _other_speaker(older, newer) or _other_speaker(newer, older):
        return None
    reason = _named(older, newer) or _framed(older, newer)
    if reason is None or _says_more(older, newer, reason) or _is_same(older, newer, reason):
        return None
    return reason


def superseded(older: tuple[str, str], newer: tuple[str, str]) -> Reason | None:
    """The same for two notes, each as its title and its content."""
    before, after = read(*older), read(*newer)
    return None if before is None or after is None else supersedes(before, after)


def _other_speaker(one: Note, other: Note) -> bool:
    personal = "userself" in one.keys or other.speaker
    return bool(personal) and not one.speaker <= other.keys


def _framed(older: Note, newer: Note) -> Reason | None:
    """Both say the same of the same thing but for one value."""
    for after in newer.telling:
        for before in older.clauses:
            if before.sure and (
                reason := _differing(before, after, older.speaker & newer.speaker | older.about & newer.about)
            ):
                return reason
    return None


def _differing(before: Clause, after: Clause, title: frozenset[str]) -> Reason | None:
    around = after.sentence or after
    mine = [token for token in after.tokens if token.key not in before.keys and token.key != "home"]
    theirs = [token for token in before.tokens if token.key not in around.keys and token.key != "home"]
    shared = [token for token in around.tokens if token.key in before.keys]
    if after.moved:
        shared += [token for token in before.tokens if token.key == "home"]
    if not after.changed and around is not after:
        shared = [token for token in after.tokens if token.key in before.keys]
    weight = sum(2 if token.kind == "name" else 1 for token in shared if token.key != "userself")
    rest = [token for token in theirs if token.kind == "word" and token.key != "userself"]
    if after.changed and len(rest) == 1 and weight > 1 and len(theirs) > 1:
        theirs = [token for token in theirs if token.kind != "word"]
    if not mine or not theirs or not _subject(shared):
        return None
    kind = _kind(mine)
    if kind == "word" and not (
        weight > 1
        and len(mine) == len(theirs) == 1
        and mine[0].before == theirs[0].before in JOINS | ARTICLES
    ):
        return None
    if (
        kind is None
        or kind != _kind(theirs)
        or _other_way(shared, before)
        or _of_several(theirs, before)
        or not _together(mine, after)
        or not _together(theirs, before)
    ):
        return None
    if kind in ("name", "word") and not _same_place(theirs, mine, before, after):
        return None
    if (kind != "figure" and not after.changed) or {token.key for token in shared} <= title:
        return None
    return Reason(_told(shared), _told(theirs), _told(mine))


def _says_more(older: Note, newer: Note, reason: Reason) -> bool:
    """Whether the older note has, in another clause, a value or several words that the newer one lacks."""
    gone = {
        token for clause in older.clauses for token in clause.tokens if token.written in reason.older.split()
    }
    keys = {token.key for token in gone}
    return any(
        _tells([token for token in clause.tokens if token.key not in newer.keys])
        for clause in older.clauses
        if clause.keys.isdisjoint(keys)
    )


def _tells(tokens: Sequence[Token]) -> bool:
    """Whether words tell something of their own: a name, a figure, or several words."""
    valued = any(token.kind in ("name", "figure") and token.key not in UNITS for token in tokens)
    return valued or len(tokens) > _SEVERAL or any(token.key in _HAN_NUMERALS for token in tokens)


def _is_same(older: Note, newer: Note, reason: Reason) -> bool:
    """Whether both values are one amount in two units or forms."""
    if not _is_amount(reason.older) or not _is_amount(reason.newer):
        return False
    mine, theirs = quantities(older.folded), quantities(newer.folded)
    return len(mine) == len(theirs) and all(map(agree, mine, theirs))


def _is_amount(value: str) -> bool:
    """Whether a value has nothing but quantities: "eu-west-1" has more."""
    rest = fold(value, keep_length=True)
    found = quantities(rest)
    for each in found:
        rest = rest[: each.start] + " " * (each.end - each.start) + rest[each.end :]
    return bool(found) and not rest.strip()


def _of_two_times(older: Note, newer: Note) -> bool:
    """Whether the notes tell of two months, quarters or years: what one costs says nothing about the next one."""
    mine, theirs = (
        {period[period.lastindex or 0] for period in PERIOD.finditer(note.folded)} for note in (older, newer)
    )
    return bool(mine and theirs) and mine != theirs


def _kind(tokens: Sequence[Token]) -> str | None:
    kinds = {token.kind for token in tokens}
    if kinds == {"figure"} and all(token.key in UNITS for token in tokens):
        return None
    return kinds.pop() if len(kinds) == 1 else None


def _subject(shared: Sequence[Token]) -> bool:
    return any(token.key != "userself" and (token.kind != "figure" or "." in token.key) for token in shared)


def _together(tokens: Sequence[Token], clause: Clause) -> bool:
    """Whether no other word of weight stands between these."""
    first, last = tokens[0].place, tokens[-1].place
    inside = [token for token in clause.tokens if first <= token.place <= last and token.key != "home"]
    apart = last - first + 1 - len(tokens)
    return len(inside) == len(tokens) <= 4 and (tokens[0].kind == "figure" or not apart)


def _other_way(shared: Sequence[Token], before: Clause) -> bool:
    """Whether one clause goes to where the other one comes from."""
    return any(
        {one.before, other.before} in OPPOSITE
        for one in shared
        for other in before.tokens
        if one.key == other.key
    )


def _of_several(value: Sequence[Token], clause: Clause) -> bool:
    """Whether a name stands beside another one in a list."""
    return value[0].kind == "name" and (
        value[0].before in AND
        or any(token.before in AND and token.place == value[-1].place + 2 for token in clause.tokens)
    )


def _same_place(theirs: Sequence[Token], mine: Sequence[Token], before: Clause, after: Clause) -> bool:
    """Whether both names stand behind the subject, and are joined to it in one way."""
    if theirs[0] is before.tokens[0] or mine[0] is after.tokens[0]:
        return False
    one, other = theirs[0].before, mine[0].before
    if after.moved:
        return other in TOWARDS
    return one == other or not ({one, other} & JOINS)


def _told(tokens: Sequence[Token]) -> str:
    return " ".join(dict.fromkeys(token.written for token in tokens))


def _named(older: Note, newer: Note) -> Reason | None:
    """The newer note says that a value of the older one has gone, or what took its place."""
    for former in newer.former:
        for clause in older.clauses:
            if not clause.sure:
                continue
            gone = [token for token in clause.tokens if token.key in former]
            rest = [token for token in clause.tokens if token.key not in former]
            shared = [token for token in rest if token.key in newer.keys]
            if all(token.kind == "word" for token in gone) and any(
                token.kind == "figure" for token in shared
            ):
                continue  # the value is the same, and the word only stands before it
            if not gone or not _subject(shared) or len(shared) * 2 < len(rest):
                continue
            doing = all(token.kind == "word" and token.written.endswith("ing") for token in gone)
            if (gone[0].place > 1 and not doing) or len(shared) == len(rest):
                return Reason(_told(shared), _told(gone), "")
    return None
