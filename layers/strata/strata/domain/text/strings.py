"""Small rules about strings."""


def cut(text: str, runes: int) -> str:
    """The first `runes` code points of `text`."""
    return text if len(text) <= runes else text[:runes]


def encodable(text: str) -> str:
    """The text with every half of a surrogate pair replaced, which UTF-8 can't say."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def project_name(project: str) -> str:
    """The one spelling of a project: its case and surrounding white space do not count."""
    return project.strip().lower()
