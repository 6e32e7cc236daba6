"""The tools' texts for a model: memories line by line, in tags that separate them from other text."""

from collections.abc import Iterable, Sequence

from strata.domain.retrieval import Method
from strata.domain.text.recalled import untagged
from strata.domain.text.strings import cut
from strata.domain.times import rfc3339
from strata.domain.wire.observations import Observation, SavedObservation, TimelineEntry
from strata.services.search.hits import ObservationHit

SEARCH_RUNES = 1000
TIMELINE_RUNES = 300
AWAY = "The search index is away or not whole: memories may be missing here.\n"


def saved(done: SavedObservation) -> str:
    """The outcome of a save."""
    match done.action:
        case "created":
            return f"Saved as {done.id}."
        case "updated":
            return f"Updated {done.id}, revision {done.revision_count}: its topic was known."
        case "deduplicated":
            return f"Known already as {done.id}, seen {done.duplicate_count} times."
        case _:
            return "Not kept: its session keeps nothing."


def found(hits: Sequence[ObservationHit], project: str | None, runes: int) -> str:
    """Observations, one an entry; the project is named if it is not the one asked for."""
    return block("memory:context", [_hit(hit, project, runes) for hit in hits])


def sessions(summaries: Iterable[str]) -> str:
    """Summaries of sessions."""
    return block("memory:sessions", list(summaries))


def whole(memory: Observation) -> str:
    """One observation with all its fields that matter to a reader."""
    about = {
        "id": str(memory.id),
        "project": memory.project,
        "scope": memory.scope,
        "saved": _minute(memory.created_at),
        "changed": _minute(memory.updated_at) if memory.revision_count > 1 else None,
        "topic_key": memory.topic_key,
        "tags": ", ".join(memory.tags or ()),
        "session": memory.session_id,
    }
    facts = [f"{name}: {value}" for name, value in about.items() if value]
    return block("memory:context", [f"[{memory.type}] {memory.title}", *facts, memory.content])


def around(entries: Iterable[TimelineEntry], anchor: int) -> str:
    """An observation among its neighbours in time, oldest first."""
    lines = []
    for entry in entries:
        here = ", the one asked for" if entry.id == anchor else ""
        when = _minute(entry.created_at)
        lines.append(
            f"{_said(entry.type, entry.title, entry.content, TIMELINE_RUNES)} (id {entry.id}, {when}{here})"
        )
    return block("memory:context", lines)


def block(tag: str, entries: Sequence[str]) -> str:
    """Entries in the tags of recalled memory; empty without any.

    A memory can't close the block, and its further lines are indented.
    """
    if not entries:
        return ""
    lines = [f"- {untagged(entry)}".replace("\n", "\n  ") for entry in entries]
    return "\n".join([f"<{tag}>", *lines, f"</{tag}>"]) + "\n"


def _hit(hit: ObservationHit, project: str | None, runes: int) -> str:
    elsewhere = f", project {hit.project}" if hit.project != project else ""
    said = _said(hit.type, hit.title, hit.content, runes)
    relevance = "" if hit.method is Method.RECENCY else f", relevance {hit.relevance:.2f}"
    return f"{said} (id {hit.id}{elsewhere}, {rfc3339(hit.created_at)[:10]}{relevance})"


def _said(kind: str, title: str, content: str, runes: int) -> str:
    end = "…" if len(content) > runes else ""
    return f"[{kind}] {title}: {cut(content, runes).rstrip()}{end}"


def _minute(time: str) -> str:
    """An RFC 3339 time, cut to the minute."""
    return time[:16].replace("T", " ")
