"""An entity's page in Markdown, by rules, with links to its sources and to other entities."""

import re
from collections.abc import Sequence

from strata.domain.entities.wording import words_of
from strata.domain.text.recalled import untagged
from strata.domain.times import rfc3339
from strata.domain.wire.conclusions import Conclusion
from strata.domain.wire.entities import Entity, EntityEnd, EntityRelationship
from strata.domain.wire.episodes import Episode

_MARKS = re.compile(r"[\\`*_{}\[\]<>#|~!&]|^[-+=]|(?<=\bwww)\.|:(?=//)|(?<=\w)@(?=\w)", re.IGNORECASE)
"""Marks of Markdown, those that begin a list, and those by which addresses become links."""
_NUMBERED = re.compile(r"^(\d+)(?=[.)])")
_LONGEST = 400


def page(
    entity: Entity,
    relationships: Sequence[EntityRelationship],
    conclusions: Sequence[Conclusion],
    episodes: Sequence[Episode],
    prose: Sequence[tuple[str, Sequence[str]]] = (),
) -> str:
    """The page: names and figures, relationships, conclusions, and the episodes that name the entity.

    `prose` is what a model wrote: sentences with the ids of their sources.
    """
    others = [each for each in entity.aliases if each != entity.name]
    several = entity.mention_count != 1
    told = f"{entity.type}, named in {entity.mention_count} {'memories' if several else 'memory'}"
    if entity.first_seen and entity.last_seen:
        first, last = entity.first_seen[:10], entity.last_seen[:10]
        told += f" between {first} and {last}" if first != last else f" on {first}"
    lines = [f"# {_plain(entity.name)}", "", f"*{told}; confidence {entity.confidence:.2f}*"]
    if others:
        lines += ["", f"Also: {', '.join(map(_plain, others))}"]
    if entity.roles:
        lines += ["", f"Role: {', '.join(map(_plain, entity.roles))}"]
    shown = {each.id for each in episodes}
    if prose:
        lines += ["", " ".join(f"{_plain(text)}{_sources(sources, shown)}" for text, sources in prose)]
    lines += _part("Relationships", [_relationship(entity, each, shown) for each in relationships])
    lines += _part(
        "Conclusions", [f"{_plain(each.text)}{_sources(each.sources, shown)}" for each in conclusions]
    )
    lines += _part(
        "Episodes",
        [
            f'<a id="{each.id}"></a>{rfc3339(each.timestamp * 1000)[:10]}: {_plain(each.summary)}'
            for each in episodes
        ],
    )
    return "\n".join(lines) + "\n"


def _part(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *(f"- {each}" for each in lines)] if lines else []


def _relationship(entity: Entity, told: EntityRelationship, shown: set[str]) -> str:
    mine = {entity.id, *entity.merged}
    outward = told.subject.id in mine
    other = told.object if outward else told.subject
    return f"{_plain(words_of(told.kind, outward=outward))} {_link(other)}{_sources(told.sources, shown)}"


def _link(end: EntityEnd) -> str:
    name = _plain(end.name)
    return name if end.id == "user" else f"[{name}](/api/entities/{end.id}/page)"


def _sources(sources: Sequence[str], shown: set[str]) -> str:
    """Links to the episodes of the page that something rests on, and the number of its other sources."""
    links = [f"[{number}](#{each})" for number, each in enumerate(sources, 1) if each in shown]
    rest = len(sources) - len(links)
    more = [f"{rest} more"] if links and rest else [f"{rest} sources"] if rest else []
    return f" ({', '.join([*links[:5], *more])})" if sources else ""


def _plain(text: str) -> str:
    """One line of text that Markdown shows as it is."""
    line = untagged(" ".join(text.split()))[:_LONGEST]
    return _NUMBERED.sub(r"\1\\", _MARKS.sub(r"\\\g<0>", line))
