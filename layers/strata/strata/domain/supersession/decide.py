"""The decision whether a newer note replaces an older one of the same person, agent and project."""

from collections.abc import Sequence

from strata.domain.contradictions.quantities import agree, quantities
from strata.domain.supersession.gone import gone_in
from strata.domain.supersession.note import Clause, Note, Token, read
from strata.domain.supersession.values import Reason, has_subject, limited, of_several, told
from strata.domain.supersession.vocabulary import (
    ARTICLES,
    COPULAS,
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
    reason = gone_in(older, newer) or _framed(older, newer)
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
    gone = frozenset().union(*(former.keys for former in around.former)) - after.keys
    kept = around.keys - gone
    mine = [token for token in after.tokens if token.key not in before.keys and token.key != "home"]
    theirs = [token for token in before.tokens if token.key not in kept and token.key != "home"]
    shared = [token for token in around.tokens if token.key in before.keys & kept]
    if after.moved:
        shared += [token for token in before.tokens if token.key == "home"]
    if not after.changed and around is not after:
        shared = [token for token in after.tokens if token.key in before.keys]
    weight = sum(2 if token.kind == "name" else 1 for token in shared if token.key != "userself")
    rest = [token for token in theirs if token.kind == "word" and token.key != "userself"]
    if after.changed and len(rest) == 1 and weight > 1 and len(theirs) > 1:
        theirs = [token for token in theirs if token.kind != "word"]
    if not mine or not theirs or not has_subject(shared):
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
        or _of_another(kind, around, before)
        or (gone and limited(around, theirs, before.keys, before.keys | gone))
        or _other_way(shared, before)
        or of_several(theirs, before)
        or not _together(mine, after)
        or not _together(theirs, before)
    ):
        return None
    if kind in ("name", "word") and not _same_place(theirs, mine, before, after):
        return None
    if (kind != "figure" and not after.changed) or {token.key for token in shared} <= title:
        return None
    return Reason(told(shared), told(theirs), told(mine))


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


def _of_another(kind: str, newer: Clause, older: Clause) -> bool:
    """Whether the newer clause says that another value of this kind has gone than the older one gives."""
    return any(
        token.kind == kind and token.key in former.keys
        for former in newer.former
        if former.keys.isdisjoint(older.keys)
        for token in newer.tokens
    )


def _together(tokens: Sequence[Token], clause: Clause) -> bool:
    """Whether no other word of weight stands between these."""
    first, last = tokens[0].place, tokens[-1].place
    inside = [token for token in clause.tokens if first <= token.place <= last and token.key != "home"]
    if any(token.before in COPULAS for token in tokens[1:]):
        return False  # what the value is of has a figure, too
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


def _same_place(theirs: Sequence[Token], mine: Sequence[Token], before: Clause, after: Clause) -> bool:
    """Whether both names stand behind the subject, and are joined to it in one way."""
    if theirs[0] is before.tokens[0] or mine[0] is after.tokens[0]:
        return False
    one, other = theirs[0].before, mine[0].before
    if after.moved:
        return other in TOWARDS
    return one == other or not ({one, other} & JOINS)
