"""Small rules about strings."""


def cut(text: str, runes: int) -> str:
    """The first `runes` code points of `text`."""
    return text if len(text) <= runes else text[:runes]


def encodable(text: str) -> str:
    """The text with every lone surrogate replaced, which UTF-8 cannot encode."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def project_name(project: str) -> str:
    """The canonical name of a project: case and surrounding white space are ignored."""
    return project.strip().lower()
