"""The decision whether a newer note replaces an older one of the same person, agent and project."""

from dataclasses import dataclass

from strata.domain.supersession.attributes import NEED_CHANGE
from strata.domain.supersession.statements import Statement, stated
from strata.domain.supersession.values import same


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a note is superseded: the attribute, and its older and newer value."""

    attribute: str
    older: str
    newer: str


def supersedes(older: Statement, newer: Statement) -> Reason | None:
    """The reason why the newer statement replaces the older one; None if both may hold.

    The older note must say nothing else, since whoever reads the newer one alone would miss it.
    """
    if (older.attribute, older.subject, older.kind) != (newer.attribute, newer.subject, newer.kind):
        return None
    if not older.alone or same(newer.kind, older.value, newer.value):
        return None
    if newer.attribute == "tool" and not (newer.replaced and same("name", older.value, newer.replaced)):
        return None  # several tools may serve one purpose
    if not newer.changed and (newer.attribute in NEED_CHANGE or newer.kind == "name"):
        return None
    return Reason(newer.attribute, older.value, newer.value)


def superseded(older: tuple[str, str], newer: tuple[str, str]) -> Reason | None:
    """The same for two notes, each as its title and its content."""
    before, after = stated(*older), stated(*newer)
    return None if before is None or after is None else supersedes(before, after)
