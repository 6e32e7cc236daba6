"""Small rules about strings."""

MORE = "…"
"""Stands where something was left out."""


def cut(text: str, runes: int) -> str:
    """The first `runes` code points of `text`."""
    return text if len(text) <= runes else text[:runes]


def shortened(text: str, runes: int) -> str:
    """The text, or its beginning in at most this many characters: whole words, if it has spaces, and "…"."""
    if len(text) <= runes:
        return text
    beginning = text[: max(0, runes - 1)]
    return (beginning.rpartition(" ")[0] or beginning).rstrip() + MORE


def both_ends(text: str, runes: int) -> str:
    """The text, or its beginning and end with "…" between, `runes` in all, in whole words if it has spaces.

    Who pastes something asks before it or after it.
    """
    if len(text) <= runes:
        return text
    half = (runes - len(f" {MORE} ")) // 2
    beginning, end = text[:half], text[len(text) - half :]
    if not text[half].isspace():
        beginning = beginning.rpartition(" ")[0] or beginning
    if not text[len(text) - half - 1].isspace():
        end = end.partition(" ")[2] or end
    return f"{beginning.rstrip()} {MORE} {end.lstrip()}"


def encodable(text: str) -> str:
    """The text with every lone surrogate replaced, which UTF-8 cannot encode."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def project_name(project: str) -> str:
    """The canonical name of a project: case and surrounding white space are ignored."""
    return project.strip().lower()
