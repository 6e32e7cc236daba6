"""Log lines: JSON for CloudWatch, or a plain line for a person; on neither anything that a user wrote.

An exception is told by its type and by where it came from. Its message is left out unless it is one of our
own errors: what a library raises may quote the very text that it stumbled over.
"""

import copy
import logging
import sys
import traceback
from typing import Literal

from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from strata.domain.errors import StrataError
from strata.entrypoints.observing.invocation import current

SERVICE = "strata"


class JsonLines(LambdaPowertoolsFormatter):
    """One JSON object a line, with the request it belongs to."""

    def __init__(self) -> None:
        super().__init__(
            service=SERVICE,
            use_rfc3339=True,
            utc=True,
            serialize_stacktrace=False,
            json_default=lambda value: type(value).__name__,
        )

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        line = _without_exception(record)
        line.logger = record.name
        invocation = current.get()
        if invocation is not None:
            line.correlation_id = invocation.correlation_id
            line.function_request_id = invocation.request_id
            line.function_name = invocation.function
            line.cold_start = invocation.cold_start
        if record.exc_info and record.exc_info[1] is not None:
            line.exception_name = type(record.exc_info[1]).__name__
            line.exception = told(record.exc_info[1])
        return super().format(line)


class PlainLines(logging.Formatter):
    """`LEVEL logger [request]: message`, and below it where an exception came from."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as one readable line."""
        line = _without_exception(record)
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


def told(error: BaseException) -> str:
    """An exception, with those it came from, by types and places; the message of our own errors only."""
    chain, seen = [], set[int]()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        chain.append("".join(traceback.format_tb(cause.__traceback__)) + named(cause))
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\nwhich led to\n".join(reversed(chain))


def named(error: BaseException) -> str:
    """An exception on one line."""
    return (
        f"{type(error).__name__}: {error.message}" if isinstance(error, StrataError) else type(error).__name__
    )


def _without_exception(record: logging.LogRecord) -> logging.LogRecord:
    line = copy.copy(record)
    line.exc_info = line.exc_text = None
    return line
