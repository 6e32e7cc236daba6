"""Configuration files: read, planned, and replaced as a whole.

What was added to a file is noted beside Strata's data, so that it can be taken out to the byte while nobody
has changed the file since.
"""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from strata.cli.export_files import replacing
from strata.cli.failures import CommandError
from strata.cli.setup.entries import Edited, Entry, Format, Unreadable, is_there

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Plan:
    """A file's bytes before and after a change, None where there is no file, and what to note of it then."""

    path: Path
    before: bytes | None
    after: bytes | None
    note: dict[str, Any] | None = None


class Notes:
    """Notes of what was added to which file, in a file of this folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "setup.json"

    def of(self, path: Path) -> dict[str, Any]:
        """The note of a file; empty without one."""
        return dict(self._all().get(str(path)) or {})

    def keep(self, path: Path, note: dict[str, Any] | None) -> None:
        """Remember this of a file, or forget it."""
        rest = {name: kept for name, kept in self._all().items() if name != str(path)}
        text = json.dumps(rest | ({str(path): note} if note else {}), indent=1)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        _replace(self._path, text.encode())

    def _all(self) -> dict[str, Any]:
        try:
            noted = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return noted if isinstance(noted, dict) else {}


def planned(path: Path, form: Format, entries: Sequence[Entry], notes: Notes, *, remove: bool) -> Plan:
    """The change that adds the entries to a file, or removes Strata's.

    Raises:
        CommandError: the file can't be read as what it should be.
    """
    before = path.read_bytes() if path.exists() else None
    note = notes.of(path)
    try:
        text = (before or b"").decode()
        bom = _BOM if text.startswith(_BOM) else ""
        text = text.removeprefix(_BOM)
        document = form.read(text)
        if not remove and all(is_there(document, entry) for entry in entries if entry.needed):
            return Plan(path, before, before)
        bare = _bare(text, form, note, before)
        document = form.read(bare)
        if remove:
            gone = note.get("created") and not document
            after = None if before is None or gone else (bom + bare).encode()
            return Plan(path, before, after)
        edited = Edited(bare)
        for entry in entries:
            if not is_there(document, entry) and (entry.needed or not document):
                form.add(edited, entry)
        form.read(edited.text)
    except (Unreadable, UnicodeDecodeError) as error:
        said = error if isinstance(error, Unreadable) else "is not UTF-8"
        raise CommandError(f"{path} {said}; nothing was changed") from error
    content = (bom + edited.text).encode()
    created = before is None or bool(note.get("created"))
    kept = {"sha256": _digest(content), "added": edited.added, "made": edited.made, "created": created}
    return Plan(path, before, content, kept)


def _bare(text: str, form: Format, note: dict[str, Any], content: bytes | None) -> str:
    """The text without Strata's entries: to the byte where the file is as it was left."""
    if note and note.get("sha256") == _digest(content or b""):
        for place, length in note["added"]:
            text = text[:place] + text[place + length :]
        return text
    return form.remove(text, [tuple(path) for path in note.get("made", ())])


def carry_out(plan: Plan, notes: Notes) -> None:
    """Change the file, unless somebody changed it meanwhile.

    Raises:
        CommandError: it is not as it was read.
    """
    target = Path(os.path.realpath(plan.path))
    if (target.read_bytes() if target.exists() else None) != plan.before:
        raise CommandError(f"{plan.path} was changed by something else meanwhile; nothing was changed")
    if plan.after is None:
        target.unlink()
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, plan.after)
    notes.keep(plan.path, plan.note)


def _replace(target: Path, content: bytes) -> None:
    """Replace a file at once; its permissions and owner stay, a new one is its owner's alone."""
    had = target.stat() if target.exists() else None
    with replacing(target) as out:
        out.buffer.write(content)
        if had and hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(out.fileno(), had.st_uid, had.st_gid)


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
