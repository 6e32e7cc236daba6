"""Checkpoints in a file: the whole new one or the whole old one, whenever the machine stops."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from strata.client.working_memory.checkpoints import Checkpoint, Reading, encoded, stamp

logger = logging.getLogger("strata.client")

_ABANDONED = 3_600.0


class CheckpointFile:
    """A checkpoint at `path`, for this machine's user alone (mode 600).

    It is written beside its place, synced, and renamed into it; then the folder is synced. So a crash leaves
    the old checkpoint or the new one, and several writers never leave a mixture. A link stays one: what it
    leads to is written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def write(self, checkpoint: Checkpoint) -> None:
        """Keep this checkpoint instead of the one before.

        Raises:
            CheckpointError: something in it is no JSON, or of a wrong type.
            OSError: the file can't be written.
        """
        content = encoded(checkpoint.document())
        target = self.path.resolve()
        folder = target.parent
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync(folder)
        _sweep(target)

    def read(self) -> Reading:
        """The checkpoint; None when there is none, or one that can't be read, which is then set aside.

        Raises:
            OSError: the file is there and can't be opened.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return Reading(None)
        try:
            return Reading(Checkpoint.from_dict(json.loads(content)))
        except (ValueError, RecursionError) as error:
            problem = str(error)
        target = self.path.resolve()
        aside = target.with_name(f"{target.name}.corrupt-{stamp()}")
        try:
            target.replace(aside)
        except OSError as error:
            logger.warning("a checkpoint can't be read, nor set aside: %s", type(error).__name__)
            return Reading(None, problem)
        logger.warning("a checkpoint can't be read and was set aside as %s", aside.name)
        return Reading(None, problem, str(aside))


def _sweep(target: Path) -> None:
    """Remove what writers left who died while they wrote."""
    with suppress(OSError):
        for left in target.parent.iterdir():
            ours = left.name.startswith(f".{target.name}.") and left.name.endswith(".tmp")
            if ours and time.time() - left.stat().st_mtime > _ABANDONED:
                left.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Make a rename in this folder durable, where the system lets a folder be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
