"""Draws conclusions from all that is stored about a person, and compares them with those that stand."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from strata.domain.knowledge.borders import Border
from strata.domain.knowledge.induction import takes_over
from strata.domain.knowledge.statements import Proposal, Sighting
from strata.ports.rows import Item
from strata.services.records.knowledge import border_fields, border_of_conclusion

Conclude = Callable[[Sequence[Sighting]], list[Proposal]]

QUOTES = 8
"""The quotes that a conclusion shows: the oldest and the newest ones."""
SOURCES = 50

_SHOWN = (
    *("text", "type", "confidence", "sources", "sessions", "quotes", "against", "last", "value"),
    *("agents", "projects", "confined", "apps"),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A session that a person spoke in, with its sightings.

    Attributes:
        session_id: the session.
        border: whose and where it was.
        sightings: the signs in it.
    """

    session_id: str
    border: Border
    sightings: Sequence[Sighting]


@dataclass(frozen=True, slots=True)
class Change:
    """Conclusions that change together: what they were and what they become, by id; None is no conclusion."""

    before: dict[str, Item | None]
    after: dict[str, Item | None]

    @property
    def removes(self) -> int:
        """The number of conclusions that it deletes."""
        return sum(1 for row in self.after.values() if row is None)

    @property
    def ends_pattern(self) -> bool:
        """Whether it does no more than to delete what only repeats."""
        rows = self.before.values()
        return self.removes == len(rows) and all(row and row["type"] == "inductive" for row in rows)


@dataclass(slots=True)
class Drawn:
    """The changes of conclusions that follow from a person's sources, new ones by confidence."""

    new: list[Change] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)


def drawn(sources: Sequence[Source], standing: Sequence[Item], touched: Border, conclude: Conclude) -> Drawn:
    """Compare what follows from a person's sources with the conclusions that stand.

    Conclusions are drawn for each agent and project by itself, then for an agent in all projects, then for
    all agents that nobody configured: a wider one is drawn only where no narrower one says the same. Only
    those whose sources may be together with `touched` are looked at.
    """
    by_source = {each.source: source for source in sources for each in source.sightings}
    sighted = {source.session_id for source in sources}
    known = [row for row in standing if row["by"] == "rules"]
    found = Drawn()
    scopes = list(_scopes(sources, touched))
    drawn_now = {scope for scope, _ in scopes} | {"all"}
    said: set[tuple[str, str]] = set()
    for scope, together in scopes:
        said |= {
            (row["subject"], row["value_key"])
            for row in known
            if row["scope"] not in drawn_now and _is_within(row, scope)
        }
        proposals = [
            each for each in conclude([s for source in together for s in source.sightings]) if each.support
        ]
        rows = [_row(scope, each, by_source) for each in proposals]
        new = {row["id"]: row for row in rows if (row["subject"], row["value_key"]) not in said}
        said |= {(row["subject"], row["value_key"]) for row in rows}
        _compare(new, [row for row in known if row["scope"] == scope], sighted, found)
    found.new.sort(key=lambda change: -max(row["confidence"] for row in change.after.values() if row))
    return found


def _scopes(sources: Sequence[Source], touched: Border) -> Iterator[tuple[str, list[Source]]]:
    """Sources that may be combined, the narrowest first, each set with its name."""
    agent, project = min(touched.agents, default=""), min(touched.projects, default="")
    mine = [each for each in sources if each.border.agents == touched.agents]
    here = [each for each in mine if each.border.projects == touched.projects]
    yield f"agent={agent} project={project}", here
    if len(mine) > len(here):
        yield f"agent={agent}", mine
    if not touched.confined:
        free = [each for each in sources if not each.border.confined]
        if len(free) > len(mine):
            yield "all", free


def _is_within(row: Item, scope: str) -> bool:
    """Whether a conclusion of a narrower set of sources is given wherever one of `scope` is."""
    return not row["confined"] if scope == "all" else row["scope"].startswith(f"{scope} project=")


def _row(scope: str, proposal: Proposal, by_source: dict[str, Source]) -> Item:
    support = sorted(proposal.support, key=lambda each: (each.at, each.source, each.quote))
    newest = support[-1]
    names = list(dict.fromkeys(each.source for each in support))
    sources = [by_source[name] for name in names]
    border = Border.of(
        (agent for each in sources for agent in each.border.agents),
        (project for each in sources for project in each.border.projects),
        confined=any(each.border.confined for each in sources),
        apps=(app for each in sources for app in each.border.apps),
    )
    single = newest.single and newest.stated
    value_key = " ".join(newest.value.casefold().split()) if single else ""
    row = {
        "scope": scope,
        "subject": proposal.subject,
        "value": newest.value,
        "value_key": value_key,
        "single": single,
        "by": "rules",
        "corrected": False,
        "type": proposal.type,
        "text": proposal.text,
        "confidence": proposal.confidence,
        "sources": names[-SOURCES:],
        "sessions": [each.session_id for each in sources][-SOURCES:],
        "quotes": [{"text": each.quote, "source": each.source, "at": each.at} for each in _quoted(support)],
        "against": len(proposal.against),
        "last": newest.at,
    }
    return identified(row | border_fields(border))


def identified(row: Item) -> Item:
    """A conclusion with its id, which follows from its scope, and from its subject and value or its words."""
    subject: str = row["subject"]
    of = (subject, row["value_key"]) if row["by"] == "rules" else ("model", subject.removeprefix("model:"))
    return row | {"id": hashlib.sha256("\x1f".join((row["scope"], *of)).encode()).hexdigest()[:32]}


def _quoted(support: Sequence[Sighting]) -> list[Sighting]:
    """One sighting of each quote; of many the oldest half and the newest half."""
    once = list({(each.source, each.quote): each for each in support}.values())
    return once if len(once) <= QUOTES else [*once[: QUOTES // 2], *once[-QUOTES // 2 :]]


def _compare(new: dict[str, Item], standing: Iterable[Item], sighted: set[str], found: Drawn) -> None:
    """Add the changes from the conclusions that stand in one scope to those that follow now.

    Of the sessions that are `sighted`, those of other scopes are no part of these conclusions any more: their
    agent was configured since.
    """
    left = dict(new)
    for row in standing:
        now = left.pop(row["id"], None)
        if now is not None:
            before = row | {"confidence": row.get("undecayed", row["confidence"])}
            now = upheld(with_past(now, before, sighted - {*row.get("united", ())}), row)
            if any(before.get(name, []) != now[name] for name in _SHOWN):
                found.changed.append(Change({row["id"]: row}, {row["id"]: now}))
            continue
        newer = next((each for each in left.values() if _replaces(each, row)), None)
        if newer is not None:
            del left[newer["id"]]
            newer = newer | {"corrected": True}
            before, after = {newer["id"]: None, row["id"]: row}, {newer["id"]: newer, row["id"]: None}
            found.changed.append(Change(before, after))
        elif set(row["sessions"]) <= sighted:
            found.changed.append(Change({row["id"]: row}, {row["id"]: None}))
    found.new += [Change({name: None}, {name: row}) for name, row in left.items()]


def upheld(now: Item, row: Item) -> Item:
    """A conclusion with what was done to it besides drawing it; further support shows a hidden one again."""
    names = {"corrected", "kept", "united", "facts"} | ({"hidden"} if now["last"] <= row["last"] else set())
    last = max(now["last"], row["last"]) if "united" in row else now["last"]
    return now | {name: row[name] for name in names if name in row} | {"last": last}


def paired(row: Item) -> list[tuple[str, str]] | None:
    """The sessions of a conclusion with their sources, in order; None where a row has not one for each."""
    if len(row["sessions"]) != len(row["sources"]):
        return None
    return list(zip(row["sessions"], row["sources"], strict=True))


def with_past(now: Item, row: Item, sighted: set[str]) -> Item:
    """A conclusion with what it rested on in sessions whose sightings are not kept any more."""
    past = [each for each in row["sessions"] if each not in sighted and each not in now["sessions"]]
    if not past:
        return now
    pairs = paired(row)
    named = row["sources"] if pairs is None else [source for session, source in pairs if session in past]
    sources = [each for each in named if each not in now["sources"]]
    quotes = [each for each in row["quotes"] if each["source"] in sources]
    room = max(0, QUOTES - len(quotes))
    one, other = border_of_conclusion(now), border_of_conclusion(row)
    return (
        now
        | border_fields(one.with_sources_of(other))
        | {
            "sessions": [*past, *now["sessions"]][-SOURCES:],
            "sources": [*sources, *now["sources"]][-SOURCES:],
            "quotes": [*quotes, *now["quotes"][len(now["quotes"]) - room :]][-QUOTES:],
            "confidence": max(row["confidence"], now["confidence"]),
        }
    )


def _replaces(newer: Item, older: Item) -> bool:
    """Whether a newer value takes an older one's place, of which no sighting may be kept any more."""
    if not newer["single"] or newer["last"] < older["last"]:
        return False
    if newer["subject"] == older["subject"]:
        return True
    return bool(older["single"]) and takes_over(_told(older), _told(newer))


def _told(row: Item) -> Sighting:
    """A conclusion's value as it was told last."""
    newest = row["quotes"][-1]
    return Sighting(
        row["subject"],
        row["value"],
        single=True,
        against=False,
        stated=True,
        quote=newest["text"],
        at=newest["at"],
        source=newest["source"],
        message=newest["text"],
    )
