"""Stores of checkpoints."""

from __future__ import annotations

import os
from typing import Protocol

from strata.client.working_memory.checkpoints import Checkpoint, Reading
from strata.client.working_memory.files import CheckpointFile


class CheckpointStore(Protocol):
    """Stores checkpoints: `CheckpointFile`, `CheckpointField`, or your own."""

    def write(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint by this one."""

    def read(self) -> Reading:
        """Read the checkpoint."""


class AsyncCheckpointStore(Protocol):
    """As `CheckpointStore`, to be awaited: `AsyncCheckpointField`."""

    async def write(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint by this one."""

    async def read(self) -> Reading:
        """Read the checkpoint."""


FilePath = str | os.PathLike[str]


def store_at(target: FilePath | CheckpointStore) -> CheckpointStore:
    """The store itself, or a file at this path."""
    return CheckpointFile(target) if isinstance(target, str | os.PathLike) else target
