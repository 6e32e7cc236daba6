"""The value that one clause gives of a subject, and the signs that it is one of several, or of a part only."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from strata.domain.supersession.note import Clause, Token
from strata.domain.supersession.vocabulary import AND, DAYS, JOINS, LIMIT, TIMES
from strata.domain.text.folding import fold


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a note is superseded: what both are about, and the older and newer value.

    `newer` is empty where the newer note says that the older value has gone.
    """

    about: str
    older: str
    newer: str


def told(tokens: Sequence[Token]) -> str:
    """The words as they were written, each once."""
    return " ".join(dict.fromkeys(token.written for token in tokens))


def has_subject(shared: Sequence[Token]) -> bool:
    """Whether the words that two clauses share tell what both are about."""
    return any(token.key != "userself" and (token.kind != "figure" or "." in token.key) for token in shared)


def of_several(value: Sequence[Token], clause: Clause) -> bool:
    """Whether a value stands beside another one of its kind: "8080 and 8443", "in Graz and in Linz"."""
    after = (token for token in clause.tokens if token.place == value[-1].place + 2)
    return any(token.before in AND for token in (*value, *after)) or any(
        token.kind == value[0].kind and token.before == value[0].before in JOINS and token not in value
        for token in clause.tokens
    )


def limited(clause: Clause, gone: Sequence[Token], subject: Container[str], known: Container[str]) -> bool:
    """Whether a preposition limits what is said to something that is not known, or to some days.

    "In Graz", "for guests" and "on Sundays" do. A name may also be the new value, as in "runs in Graz instead of Linz",
    unless it belongs to the subject, as in "the office in Graz".
    """
    if DAYS.search(clause.folded) and not any(token.key in TIMES for token in gone):
        return True
    for found in LIMIT.finditer(clause.folded):
        for token in others_in(clause.part(found.end(), len(clause.written)).tokens[:1], known):
            before = clause.part(0, found.start())
            last = before.tokens[-1] if before.tokens else None
            beside = last is None or (
                last.key in subject and before.folded.endswith(fold(last.written, keep_length=True))
            )
            if beside or found["aim"] or token.kind != "name" or gone[0].kind != "name":
                return True
    return False


def others_in(tokens: Iterable[Token], known: Container[str]) -> list[Token]:
    """The words and names that are not known."""
    return [token for token in tokens if token.kind != "figure" and token.key not in known]
