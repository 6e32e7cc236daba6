"""Attempts of the records that block a function."""

import json
from typing import IO


class Tries:
    """Counts the attempts of a consumer's blocking record, in the locked file."""

    def __init__(self, consumer: str, file: "IO[str]") -> None:
        self._consumer = consumer
        self._file = file
        file.seek(0)
        text = file.read()
        try:
            self._all: dict[str, dict[str, float]] = json.loads(text) if text else {}
        except ValueError:  # a crash in the middle of writing it; counting starts again
            self._all = {}

    @property
    def resume_at(self) -> float:
        """Time of the next attempt (seconds since 1970)."""
        return self._all.get(self._consumer, {}).get("resume_at", 0.0)

    def count(self, sequence: int, resume_at: float) -> int:
        """Count one more attempt of a record."""
        last = self._all.get(self._consumer, {})
        count = int(last["count"]) + 1 if last.get("sequence") == sequence else 1
        self._all[self._consumer] = {"sequence": sequence, "count": count, "resume_at": resume_at}
        self._write()
        return count

    def clear(self) -> None:
        """Forget the record: it succeeded, or was skipped."""
        if self._all.pop(self._consumer, None) is not None:
            self._write()

    def _write(self) -> None:
        self._file.truncate(0)
        if self._all:
            json.dump(self._all, self._file)
        self._file.flush()
