"""Aider: `.aider.chat.history.md` in the folders where it was started, and its input history.

The form of 0.86. A chat begins with `# aider chat started at <local time>`; what the person wrote has `#### `
before each line, what Aider printed `> `, and the rest is the model's. Only the input history has times of
messages.
"""

import os
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from strata.adapters.chats import files
from strata.adapters.chats.source import Source, tolerant
from strata.ports.chats import ChatMessage, Conversation

_HISTORY, _INPUT = ".aider.chat.history.md", ".aider.input.history"
_START = b"# aider chat started at "
_DEPTH = 4
"""Folders below the home that are looked into."""
_SKIPPED = frozenset(("node_modules", "Library", "AppData", "__pycache__", "venv"))


class Aider(Source):
    """Chats and inputs that Aider keeps."""

    name = "aider"

    def places(self) -> Sequence[Path]:
        """The histories."""
        if self._places.only:
            return files.files(self._places.only, f"**/{_HISTORY}")
        home = self._places.home
        found = []
        for folder, below, names in os.walk(home):
            deep = len(Path(folder).relative_to(home).parts) >= _DEPTH
            below[:] = [] if deep else [each for each in below if each[0] != "." and each not in _SKIPPED]
            found += [Path(folder) / _HISTORY] if _HISTORY in names else []
        return sorted(found)

    @tolerant
    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the chats of every history."""
        for path in self.places():
            if files.later(files.changed(path), since):
                for place, started in self._starts(path):
                    yield Conversation(
                        f"{path.parent}#{place}",
                        partial(self._read, path, place, started),
                        project=files.project_of(str(path.parent)),
                        started=started,
                        updated=started,
                    )

    def _starts(self, path: Path) -> Iterator[tuple[int, datetime]]:
        """The place of each chat in the file, in bytes, and when it began."""
        place = 0
        try:
            with path.open("rb") as lines:
                for line in lines:
                    place += len(line)
                    if line.startswith(_START):
                        try:
                            yield (
                                place,
                                datetime.fromisoformat(line[len(_START) :].decode().strip()).astimezone(),
                            )
                        except ValueError:
                            self.unread[f"{path}: a chat without a time"] += 1
        except OSError as error:
            self.unread[f"{path}: {error.strerror}"] += 1

    @tolerant
    def _read(self, path: Path, place: int, started: datetime) -> Iterator[ChatMessage]:
        times = _times(path.with_name(_INPUT), started)
        asked, said = list[str](), list[str]()

        def told() -> Iterator[ChatMessage]:
            question, answer = "\n".join(asked).strip(), "\n".join(said).strip()
            if question:
                known = times[question]
                yield ChatMessage("user", question, known.popleft() if known else None)
            if answer:
                yield ChatMessage("assistant", answer)
            asked.clear()
            said.clear()

        with path.open("rb") as lines:
            lines.seek(place)
            for raw in lines:
                if raw.startswith(_START):
                    break
                line = raw.decode(errors="replace").rstrip("\r\n")
                if line.startswith("####"):
                    if any(map(str.strip, said)):
                        yield from told()
                    asked.append(line[4:].strip())
                elif not line.startswith(">"):
                    said.append(line)
        yield from told()


def _times(path: Path, since: datetime) -> dict[str, deque[datetime]]:
    """Times of inputs, each of what follows: its lines begin with `+`, below a line `# <local time>`."""
    found: dict[str, deque[datetime]] = defaultdict(deque)
    at, words = None, list[str]()
    for line in (*files.text_lines(path), "# "):
        if line.startswith("# "):
            if at and at >= since and words:
                found["\n".join(words).strip()].append(at)
            try:
                at = datetime.fromisoformat(line[2:].strip()).astimezone()
            except ValueError:
                at = None
            words = []
        elif line.startswith("+"):
            words.append(line[1:].strip())
    return found
