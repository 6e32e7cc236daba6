"""Where checkpoints are kept."""

from __future__ import annotations

import os
from typing import Protocol

from strata.client.working_memory.checkpoints import Checkpoint, Reading
from strata.client.working_memory.files import CheckpointFile


class CheckpointStore(Protocol):
    """Where checkpoints are kept: `CheckpointFile`, `CheckpointField`, or something of one's own."""

    def write(self, checkpoint: Checkpoint) -> None:
        """Keep this one instead of the one before."""

    def read(self) -> Reading:
        """The one that is kept."""


class AsyncCheckpointStore(Protocol):
    """The same to be awaited: `AsyncCheckpointField`."""

    async def write(self, checkpoint: Checkpoint) -> None:
        """Keep this one instead of the one before."""

    async def read(self) -> Reading:
        """The one that is kept."""


FilePath = str | os.PathLike[str]


def store_at(target: FilePath | CheckpointStore) -> CheckpointStore:
    """The store itself, or a file at this path."""
    return CheckpointFile(target) if isinstance(target, str | os.PathLike) else target
