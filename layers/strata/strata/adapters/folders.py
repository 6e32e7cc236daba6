"""Folders of this machine."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Sync the folder's entries, where the platform can open folders."""
    if os.name != "posix":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
