"""How often the records of the stream were tried that hold a function back."""

import json
from typing import IO


class Tries:
    """How often the record that holds a consumer back was tried, kept in the locked file as long as it is."""

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
        """Before this time (seconds since 1970) nothing is tried again."""
        return self._all.get(self._consumer, {}).get("resume_at", 0.0)

    def count(self, sequence: int, resume_at: float) -> int:
        """Count one more try of a record."""
        last = self._all.get(self._consumer, {})
        count = int(last["count"]) + 1 if last.get("sequence") == sequence else 1
        self._all[self._consumer] = {"sequence": sequence, "count": count, "resume_at": resume_at}
        self._write()
        return count

    def clear(self) -> None:
        """Forget the record: it went through, or was skipped."""
        if self._all.pop(self._consumer, None) is not None:
            self._write()

    def _write(self) -> None:
        self._file.truncate(0)
        if self._all:
            json.dump(self._all, self._file)
        self._file.flush()
