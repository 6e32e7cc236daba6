"""Filters of a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from strata.domain.filters import EVERYTHING, Filters
from strata.domain.wire.observations import GLOBAL_SCOPE
from strata.ports.rows import Item
from strata.ports.search import Label, Narrowing, Span
from strata.services.records.episodes import NO_PROJECT, episodes_pk, project_of
from strata.services.records.kinds import NOBODY, metadata_label
from strata.services.records.observations import GLOBAL_PK, project_pk

Clauses = tuple[tuple[tuple[str, str], ...], ...]
"""A conjunction of disjunctions of (field, value), as in `SearchQuery.where`."""


class Filter(Protocol):
    """The memories of a kind that a search may find, in the forms that the engine and the table need."""

    @property
    def without(self) -> frozenset[int]:
        """The ids of memories that are left out; `clauses` does not contain them, since they may be many."""

    def clauses(self) -> Clauses:
        """The filter for the engine: each inner tuple needs one match."""

    def narrowing(self) -> Narrowing:
        """The rest of the filter for the engine."""

    def admits(self, row: Item) -> bool:
        """Whether a row, as it is now, passes the filter."""

    def partitions(self) -> Sequence[str] | None:
        """The partitions that hold the change notes of such memories; None for all places."""


def narrowing(only: Filters) -> Narrowing:
    """The filters for the engine, but for the user, which is a facet."""
    labels: list[tuple[Label, ...]] = [
        (Label(name, value),)
        for name in ("agent_id", "session_id")
        if (value := getattr(only, name)) is not None
    ]
    if only.tags_any:
        labels.append(tuple(Label("tag", tag) for tag in only.tags_any))
    labels += [(Label("tag", tag),) for tag in only.tags_all]
    labels += [(Label(metadata_label(each.key), each.value, each.prefix),) for each in only.metadata]
    bounds = {
        "created_at": (only.created_after, only.created_before),
        "updated_at": (only.updated_after, only.updated_before),
    }
    spans = [Span(name, *ends) for name, ends in bounds.items() if ends != (None, None)]
    return Narrowing(tuple(labels), tuple(spans))


@dataclass(frozen=True, slots=True)
class ObservationFilter:
    """A project's observations with the tenant's global ones, of a type, of a scope.

    With a user, observations of other users are left out; `without` holds the ids of others to leave out.
    Superseded ones are left out unless `superseded` is true. `only` are the caller's further filters.
    """

    project: str | None = None
    type: str | None = None
    scope: str | None = None
    user: str | None = None
    without: frozenset[int] = frozenset()
    superseded: bool = False
    only: Filters = EVERYTHING

    def clauses(self) -> Clauses:
        clauses: list[tuple[tuple[str, str], ...]] = []
        if self.project is not None:
            clauses.append((("project", self.project), ("scope", GLOBAL_SCOPE)))
        if self.type:
            clauses.append((("type", self.type),))
        if self.scope:
            clauses.append((("scope", self.scope),))
        if self.user is not None:
            clauses.append((("user_id", self.user), ("user_id", NOBODY)))
        if self.only.user_id is not None:
            clauses.append((("user_id", self.only.user_id),))
        return tuple(clauses)

    def narrowing(self) -> Narrowing:
        return narrowing(self.only)

    def admits(self, row: Item) -> bool:
        return (
            (self.project in (None, row["project"]) or row["scope"] == GLOBAL_SCOPE)
            and self.type in (None, "", row["type"])
            and self.scope in (None, "", row["scope"])
            and (self.user is None or row.get("user_id") in (None, self.user))
            and row["id"] not in self.without
            and (self.superseded or row.get("superseded_by") is None)
            and self.only.admits(row)
        )

    def partitions(self) -> Sequence[str] | None:
        return None if self.project is None else (project_pk(self.project), GLOBAL_PK)


@dataclass(frozen=True, slots=True)
class EpisodeFilter:
    """Episodes of an agent, of an owner, or of both; `or_of_none` admits those of no agent as well.

    With a project, those of other projects are left out, and those of none are not.
    `without` holds the ids of episodes to leave out; `only` are the caller's further filters.
    """

    agent_id: str | None = None
    owner: str | None = None
    or_of_none: bool = False
    project: str | None = None
    without: frozenset[int] = frozenset()
    only: Filters = EVERYTHING

    def clauses(self) -> Clauses:
        clauses: list[tuple[tuple[str, str], ...]] = []
        if self.agent_id is not None:
            mine = ("agent_id", self.agent_id)
            clauses.append((mine, ("agent_id", NOBODY)) if self.or_of_none else (mine,))
        if self.owner is not None:
            clauses.append((("owner", self.owner),))
        if self.project is not None:
            clauses.append((("project", self.project), ("project", NO_PROJECT)))
        return tuple(clauses)

    def narrowing(self) -> Narrowing:
        return narrowing(self.only)

    def admits(self, row: Item) -> bool:
        agent = row.get("agent_id")
        mine = self.agent_id in (None, agent) or (self.or_of_none and agent is None)
        return (
            mine
            and self.owner in (None, row["owner"])
            and (self.project is None or project_of(row) in (self.project, NO_PROJECT))
            and row["id"] not in self.without
            and self.only.admits(row)
        )

    def partitions(self) -> Sequence[str] | None:
        return None if self.owner is None else (episodes_pk(self.owner),)
