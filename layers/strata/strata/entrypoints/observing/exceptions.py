"""Formats exceptions by type and origin.

The message is left out unless the error is our own: a library's message may quote the text that caused it.
"""

import copy
import logging
import traceback

from strata.domain.errors import StrataError


def described(error: BaseException) -> str:
    """An exception and its causes by types and locations, with the messages of our own errors only."""
    chain, seen = [], set[int]()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        chain.append("".join(traceback.format_tb(cause.__traceback__)) + summarized(cause))
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\nwhich led to\n".join(reversed(chain))


def summarized(error: BaseException) -> str:
    """An exception on one line."""
    return (
        f"{type(error).__name__}: {error.message}" if isinstance(error, StrataError) else type(error).__name__
    )


def without_exception(record: logging.LogRecord) -> logging.LogRecord:
    """A copy of the record without its exception."""
    line = copy.copy(record)
    line.exc_info = line.exc_text = None
    return line
