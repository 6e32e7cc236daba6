"""Log lines: JSON for CloudWatch, or a plain line for a person; on neither anything that a user wrote."""

import logging
import sys
from functools import cached_property
from typing import Literal

from strata.entrypoints.observing.invocation import current
from strata.entrypoints.observing.told import told, without_exception

SERVICE = "strata"


class JsonLines(logging.Formatter):
    """One JSON object a line; what makes it is loaded with the first line."""

    @cached_property
    def _lines(self) -> logging.Formatter:
        from strata.entrypoints.observing.json_lines import JsonFormatter  # noqa: PLC0415

        return JsonFormatter()

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        return self._lines.format(record)


class PlainLines(logging.Formatter):
    """`LEVEL logger [request]: message`, and below it where an exception came from."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one readable line."""
        line = without_exception(record)
        invocation = current.get()
        request = invocation.correlation_id if invocation is not None else None
        name = f"{line.name} [{request}]" if request else line.name
        text = f"{line.levelname} {name}: {line.getMessage()}"
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + told(record.exc_info[1])
        return text


class _Handler(logging.StreamHandler):  # type: ignore[type-arg]
    """Ours, so that setting up again finds it."""


def set_up(style: Literal["json", "text"], level: str) -> None:
    """Send what `strata` logs, from `level` up, to stdout as JSON or to stderr as plain lines.

    What libraries log is shown from WARNING up: below that some of them print whole requests.

    Raises:
        ValueError: there is no such level.
    """
    formatter = JsonLines() if style == "json" else PlainLines()
    handler = _Handler(sys.stdout if style == "json" else sys.stderr)
    handler.setFormatter(formatter)
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
