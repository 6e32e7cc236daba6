"""Logging: JSON for CloudWatch, or plain lines for a person; neither contains users' texts."""

import logging
import sys
from functools import cached_property
from typing import Literal

from strata.entrypoints.observing.exceptions import described, without_exception
from strata.entrypoints.observing.invocation import current
from strata.entrypoints.observing.repeats import Repeats

SERVICE = "strata"


class JsonLines(logging.Formatter):
    """One JSON object a line; the formatter is loaded with the first line."""

    @cached_property
    def _lines(self) -> logging.Formatter:
        from strata.entrypoints.observing.json_lines import JsonFormatter  # noqa: PLC0415

        return JsonFormatter()

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        return self._lines.format(record)


class PlainLines(logging.Formatter):
    """`LEVEL logger [request]: message`, followed by the origin of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        """Format the record as one readable line."""
        line = without_exception(record)
        invocation = current.get()
        request = invocation.correlation_id if invocation is not None else None
        name = f"{line.name} [{request}]" if request else line.name
        text = f"{line.levelname} {name}: {line.getMessage()}"
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + described(record.exc_info[1])
        return text


class _Handler(logging.StreamHandler):  # type: ignore[type-arg]
    """Our handler, recognized when logging is set up again.

    Attributes:
        repeats: holds repeated warnings back; None where each is to be written.
    """

    repeats: Repeats | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record, unless it only repeats one. No record fails who logs it."""
        try:
            told = record if self.repeats is None else self.repeats.told(record)
        except Exception:
            self.handleError(record)
            return
        if told is not None:
            super().emit(told)


def set_up(style: Literal["json", "text"], level: str) -> None:
    """Log `strata` from `level` up, to stdout as JSON or to stderr as plain lines.

    Libraries log from WARNING up: below that some of them print whole requests. As plain lines, and unless
    everything is asked for, a warning that repeats is written once a minute.

    Raises:
        ValueError: there is no such level.
    """
    formatter = JsonLines() if style == "json" else PlainLines()
    handler = _Handler(sys.stdout if style == "json" else sys.stderr)
    handler.setFormatter(formatter)
    if style == "text" and level.upper() != "DEBUG":
        handler.repeats = Repeats()
    root, own = logging.getLogger(), logging.getLogger(SERVICE)
    for logger in (root, own):
        for old in [each for each in logger.handlers if isinstance(each, _Handler)]:
            logger.removeHandler(old)
    own.setLevel(level.upper())
    own.addHandler(handler)
    own.propagate = False
    if not root.handlers:
        root.addHandler(handler)
    elif style == "json":
        for each in root.handlers:  # on Lambda, the runtime's
            each.setFormatter(formatter)
