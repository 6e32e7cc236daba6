"""The project that a folder belongs to."""

from pathlib import Path

LONGEST_PROJECT = 200


def project_at(folder: Path) -> str:
    """The name of the checkout that a folder is in, else of the folder."""
    root = next((place for place in (folder, *folder.parents) if (place / ".git").exists()), folder)
    return root.name[:LONGEST_PROJECT] or "default"
