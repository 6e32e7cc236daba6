"""An entity's page in Markdown, by rules, with links to its sources and to other entities."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, urlencode

from strata.domain.entities.wording import words_of
from strata.domain.text.recalled import untagged
from strata.domain.times import rfc3339
from strata.domain.wire.conclusions import Conclusion
from strata.domain.wire.entities import Entity, EntityEnd, EntityRelationship
from strata.domain.wire.episodes import Episode

_MARKS = re.compile(
    r"[\\`*_{}\[\]<>|~]|^[-+=#]|&(?=#?\w+;)|(?<=\bwww)\.|:(?=//)|(?<=\w)@(?=\w)", re.IGNORECASE
)
"""Marks of Markdown, those that begin a list or a heading, references ("&lt;"), and what makes links of addresses."""
_NUMBERED = re.compile(r"^(\d+)(?=[.)])")
_LONGEST = 400


def page(
    entity: Entity,
    relationships: Sequence[EntityRelationship],
    conclusions: Sequence[Conclusion],
    episodes: Sequence[Episode],
    *,
    prose: Sequence[tuple[str, Sequence[str]]] = (),
    query: Mapping[str, str] | None = None,
) -> str:
    """The page: names and figures, relationships, conclusions, and the episodes that name the entity.

    `prose` is what a model wrote: sentences with the ids of their sources. Links to the pages of other entities
    have the parameters of `query`, so that who sees this one may follow them.
    """
    asked = f"?{urlencode(query)}" if query else ""
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
    shown = {each.id: f"/episodic/{quote(each.conversation_id, safe='')}" for each in episodes}
    if prose:
        lines += ["", " ".join(f"{_plain(text)}{_sources(sources, shown)}" for text, sources in prose)]
    lines += _part("Relationships", [_relationship(entity, each, shown, asked) for each in relationships])
    lines += _part(
        "Conclusions", [f"{_plain(each.text)}{_sources(each.sources, shown)}" for each in conclusions]
    )
    lines += _part(
        "Episodes",
        [
            f"[{each.id}]({shown[each.id]}), {rfc3339(each.timestamp * 1000)[:10]}: {_plain(each.summary)}"
            for each in episodes
        ],
    )
    return "\n".join(lines) + "\n"


def _part(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *(f"- {each}" for each in lines)] if lines else []


def _relationship(entity: Entity, told: EntityRelationship, shown: Mapping[str, str], asked: str) -> str:
    mine = {entity.id, *entity.merged}
    outward = told.subject.id in mine
    other = told.object if outward else told.subject
    return (
        f"{_plain(words_of(told.kind, outward=outward))} {_link(other, asked)}{_sources(told.sources, shown)}"
    )


def _link(end: EntityEnd, asked: str) -> str:
    name = _plain(end.name)
    return name if end.id == "user" else f"[{name}](/api/entities/{end.id}/page{asked})"


def _sources(sources: Sequence[str], shown: Mapping[str, str]) -> str:
    """Links to the conversations of the page's episodes that something rests on, and the number of its other sources."""
    links = [f"[{each}]({shown[each]})" for each in sources if each in shown]
    rest = len(sources) - len(links)
    more = [f"{rest} more"] if links and rest else [f"{rest} sources"] if rest else []
    return f" ({', '.join([*links[:5], *more])})" if sources else ""


def _plain(text: str) -> str:
    """One line of text that Markdown shows as it is."""
    line = untagged(" ".join(text.split()))[:_LONGEST]
    return _NUMBERED.sub(r"\1\\", _MARKS.sub(r"\\\g<0>", line))
