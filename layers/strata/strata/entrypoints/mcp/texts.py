"""The tools' texts for a model: what was done, and memories in tags that separate them from other text."""

import json
from collections.abc import Iterable, Mapping

from strata.domain.assembly.prompt import block, entry
from strata.domain.assembly.titles import titled
from strata.domain.text.strings import shortened
from strata.domain.wire.entities import Entity
from strata.domain.wire.observations import Observation, SavedObservation, TimelineEntry
from strata.domain.wire.questions import Statement

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
            return "Not kept: this person or session wants nothing stored."


def changed(memory: Observation) -> str:
    """The outcome of a change."""
    return f"Changed {memory.id}, which is now:\n{whole(memory)}"


def whole(memory: Observation) -> str:
    """One observation with all its fields that matter to a reader."""
    about = {
        "id": str(memory.id),
        "project": memory.project,
        "scope": memory.scope,
        "saved": _minute(memory.created_at),
        "changed": _minute(memory.updated_at) if memory.revision_count > 1 else None,
        "superseded by": None if memory.superseded_by is None else str(memory.superseded_by),
        "topic_key": memory.topic_key,
        "tags": ", ".join(memory.tags or ()),
        "metadata": json.dumps(memory.metadata, ensure_ascii=False) if memory.metadata else None,
        "session": memory.session_id,
    }
    facts = [f"{name}: {value}" for name, value in about.items() if value]
    lines = [f"[{memory.type}] {memory.title}", *facts, memory.content]
    return block("observations", list(map(entry, lines)))


def to_forget(meant: Iterable[Statement]) -> str:
    """The statements that a text means, to be forgotten by their ids."""
    lines = [entry(each.text, f"id {each.id}") for each in meant]
    if not lines:
        return "Nothing that is known matches these words."
    return "Nothing is forgotten yet. Call this again with the ids of what is to be deleted:\n" + block(
        "observations", lines
    )


def forgotten(gone: Iterable[Statement], named: int) -> str:
    """The statements that were forgotten, of so many that were named."""
    ids = [each.id for each in gone]
    missing = "" if len(ids) == named else f" {named - len(ids)} of the ids are of nothing that is known."
    return f"Forgotten: {', '.join(ids) or 'nothing'}.{missing}"


def page(markdown: str) -> str:
    """An entity's page."""
    return block("observations", [entry(markdown.strip())])


def namesakes(found: Iterable[Entity]) -> str:
    """The entities that a name may mean, to ask for one of them."""
    lines = [entry(f"{each.name}: {', '.join([each.type, *each.roles])}", f"id {each.id}") for each in found]
    return "Ask for one of these by its id:\n" + block("observations", lines)


def elsewhere(projects: Mapping[str, int]) -> str:
    """The projects in which a search would find something; empty where it would not."""
    if not projects:
        return ""
    named = ", ".join(f"{json.dumps(name, ensure_ascii=False)} ({count})" for name, count in projects.items())
    return f" In other projects there is: {named}."


def around(entries: Iterable[TimelineEntry], anchor: int) -> str:
    """An observation among its neighbours in time, oldest first."""
    lines = []
    for each in entries:
        here = ", the one asked for" if each.id == anchor else ""
        said = titled(each.type, each.title, shortened(each.content, TIMELINE_RUNES))
        lines.append(entry(said, f"id {each.id}, {_minute(each.created_at)}{here}"))
    return block("observations", lines)


def _minute(time: str) -> str:
    """An RFC 3339 time, cut to the minute."""
    return time[:16].replace("T", " ")
