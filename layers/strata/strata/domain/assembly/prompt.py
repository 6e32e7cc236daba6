"""The text of memories in a prompt: one form for every context and tool.

A memory is an entry of its layer's block, its further lines indented, with its type, its title where its text
does not say it, its id, its date and its relevance.
"""

from collections.abc import Sequence

from strata.domain.assembly.items import Remembered
from strata.domain.retrieval import Method
from strata.domain.text.recalled import untagged
from strata.domain.times import rfc3339

BLOCKS = {
    "facts": "memory:facts",
    "profile": "memory:profile",
    "conclusions": "memory:conclusions",
    "episodes": "memory:episodes",
    "sessions": "memory:sessions",
    "observations": "memory:context",
}
"""The layers in the order of the prompt, each with the tag around its entries."""

LAYERS = tuple(BLOCKS)


def as_text(items: Sequence[Remembered], project: str | None = None) -> str:
    """The text of the items for a prompt: one block for each layer, the most relevant first.

    Args:
        items: in the order that decides between equally relevant ones.
        project: the one that was asked for, which is not named.
    """
    return "".join(
        block(layer, [line(item, project) for item in sorted(mine, key=lambda item: -item.relevance)])
        for layer in LAYERS
        if (mine := [item for item in items if item.layer == layer])
    )


def line(item: Remembered, project: str | None = None) -> str:
    """The entry of a memory."""
    said = item.text if item.layer == "observations" else f"[{item.type}] {item.text}"
    notes = [
        f"id {item.id}",
        f"project {item.project}" if item.project not in ("", project) else "",
        rfc3339(item.order)[:10],
        "" if item.superseded_by is None else f"superseded by {item.superseded_by}",
        "" if item.method is Method.RECENCY else f"relevance {item.relevance:.2f}",
    ]
    return entry(said if item.layer != "sessions" else item.text, ", ".join(filter(None, notes)))


def entry(text: str, note: str = "") -> str:
    """An entry of a block: a memory can't close the block, and its further lines are indented."""
    if note:
        text += ("\n" if "\n" in text else " ") + f"({note})"
    return f"- {untagged(text)}".replace("\n", "\n  ") + "\n"


def block(layer: str, entries: Sequence[str]) -> str:
    """Entries in the tags of recalled memory; empty without any."""
    opening, closing = tags(layer)
    return "".join((opening, *entries, closing)) if entries else ""


def tags(layer: str) -> tuple[str, str]:
    """The lines around a layer's entries."""
    return f"<{BLOCKS[layer]}>\n", f"</{BLOCKS[layer]}>\n"
