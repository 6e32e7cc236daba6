"""The port `Bodies` over a folder of this machine."""

import os
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from strata.adapters.bodies.names import is_name, path_of
from strata.adapters.folders import sync_folder
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope


class FolderBodies:
    """Bodies as files, `{tenant}/{name}`; the folder is created with the first one, for its owner alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, scope: Scope, name: str, body: bytes) -> None:
        """Store a body durably: write it aside, rename it, and sync both."""
        target = self._folder / path_of(scope, name)
        aside = target.with_name(f".{uuid.uuid4().hex}")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            target.parent.mkdir(mode=0o700, exist_ok=True)
            try:
                with aside.open("xb") as file:
                    file.write(body)
                    file.flush()
                    os.fsync(file.fileno())
                aside.replace(target)
            except OSError:
                aside.unlink(missing_ok=True)
                raise
            sync_folder(target.parent)
            sync_folder(self._folder)
        except OSError as error:
            raise Unavailable(f"a body can't be written: {error.strerror}") from error

    def get_many(self, scope: Scope, names: Sequence[str]) -> dict[str, bytes]:
        """The bodies of these names; absent ones are left out."""
        found = {}
        for name in names:
            try:
                found[name] = (self._folder / path_of(scope, name)).read_bytes()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise Unavailable(f"a body can't be read: {error.strerror}") from error
        return found

    def list(self, scope: Scope, after: str | None, limit: int) -> list[tuple[str, int]]:
        """Names after `after`, each with the time at which it was stored."""
        folder = (self._folder / path_of(scope, "any")).parent
        try:
            names = sorted(each for each in os.listdir(folder) if is_name(each) and each > (after or ""))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise Unavailable(f"bodies can't be listed: {error.strerror}") from error
        found: list[tuple[str, int]] = []
        for name in names[:limit]:
            with suppress(FileNotFoundError):
                found.append((name, (folder / name).stat().st_mtime_ns // 1000))
        return found

    def delete_many(self, scope: Scope, names: Sequence[str]) -> None:
        """Erase bodies; absent ones are ignored."""
        for name in names:
            try:
                (self._folder / path_of(scope, name)).unlink(missing_ok=True)
            except OSError as error:
                raise Unavailable(f"a body can't be deleted: {error.strerror}") from error
