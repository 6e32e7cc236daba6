"""Checkpoints in a file, replaced atomically."""

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

    The file is written aside, synced and renamed; then the folder is synced. So a crash leaves the old or the
    new checkpoint, and concurrent writers never mix theirs. A symbolic link is kept: its target is written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def write(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint by this one.

        Raises:
            CheckpointError: a value has no JSON form or the wrong type.
            OSError: the file cannot be written.
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
        """Read the checkpoint; None when there is none. An unreadable one is set aside.

        Raises:
            OSError: the file exists and cannot be opened.
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
    """Remove temporary files of writers that died."""
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
