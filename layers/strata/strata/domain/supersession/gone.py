"""A newer note that says of a value that it has gone: "no longer", "instead of", "moved from"."""

import re
from collections.abc import Sequence, Set
from itertools import permutations

from strata.domain.supersession.note import Clause, Former, Note, Token
from strata.domain.supersession.values import Reason, has_subject, limited, of_several, others_in, told
from strata.domain.supersession.vocabulary import OF, OWNS, TIMES, WE

_HAN = re.compile("[\u4e00-\u9fff]")


def gone_in(older: Note, newer: Note) -> Reason | None:
    """The newer note says that a value of the older one has gone, or what took its place."""
    for former in newer.former:
        for clause in older.clauses:
            if not clause.sure:
                continue
            gone = [token for token in clause.tokens if token.key in former.keys]
            rest = [token for token in clause.tokens if token.key not in former.keys]
            shared = [token for token in rest if token.key in newer.keys]
            if all(token.kind == "word" for token in gone) and any(
                token.kind == "figure" for token in shared
            ):
                continue  # the value is the same, and the word only stands before it
            if any(_HAN.match(key) or key in TIMES for key in former.keys - clause.keys):
                continue  # another name in Chinese, or the value of some days
            if not gone or not has_subject(shared) or len(shared) * 2 < len(rest):
                continue
            if of_several(gone, clause) or _of_other(shared, gone, former, older):
                continue
            doing = all(token.kind == "word" and token.written.endswith("ing") for token in gone)
            if (gone[0].place > 1 and not doing) or len(shared) == len(rest):
                return Reason(told(shared), told(gone), "")
    return None


def _of_other(subject: Sequence[Token], gone: Sequence[Token], former: Former, older: Note) -> bool:
    """Whether a value has gone from something else than the subject.

    A word beside the subject tells so ("half of the town", "the town's park"), or what limits it ("in Graz").
    """
    keys = {token.key for token in subject} - {"userself"}
    known = older.keys | former.keys | {"userself"}
    if limited(former.after, gone, keys, known):
        return True
    said = next((each for each in former.before if not each.keys.isdisjoint(keys)), None)
    if said is None:
        return False
    others = others_in(said.tokens, known)
    return (
        limited(said, gone, keys, known)
        or any(
            _beside(one, another)
            for one in said.tokens
            if one.key in keys
            for another in others
            if another.before not in WE
        )
        or _owned(said, keys, {token.key for token in others})
    )


def _owned(said: Clause, subject: Set[str], others: Set[str]) -> bool:
    """Whether one of the other words is a part of the subject, or the other way round."""
    return any(
        not one.isdisjoint(subject) and not another.isdisjoint(others)
        for found in OF.finditer(said.folded)
        for one, another in permutations(said.part(*found.span(each)).keys for each in ("one", "other"))
    )


def _beside(one: Token, other: Token) -> bool:
    """Whether two words stand side by side, or one owns the other."""
    first, second = sorted((one, other), key=lambda token: token.place)
    return second.place - first.place <= (2 if second.before in OWNS else 1)
