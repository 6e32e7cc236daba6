"""Chooses the memory by the environment variables of KAOS's agents."""

import os
from collections.abc import Mapping

from strata.client.kaos.interface import CONTEXT_LIMIT, Memory
from strata.client.kaos.local import MAX_EVENTS_PER_SESSION, MAX_SESSIONS, LocalMemory
from strata.client.kaos.null import NullMemory

_TYPES = ("local", "remote", "null")
_YES = frozenset({"true", "1", "yes", "y", "on", "t"})
_NO = frozenset({"false", "0", "no", "n", "off", "f"})


def memory_from_env(environment: Mapping[str, str] | None = None) -> Memory:
    """The memory that `MEMORY_ENABLED` and `MEMORY_TYPE` (`local`, `remote`, `null`) name.

    `MEMORY_MAX_SESSIONS` and `MEMORY_MAX_SESSION_EVENTS` limit a local one; a remote one is at `STRATA_URL`,
    and its limits are the server's. `MEMORY_CONTEXT_LIMIT` becomes its `context_limit`. An empty value counts
    as unset.

    Raises:
        ValueError: naming the variable that can't be used.
        StrataClientError: `STRATA_URL` is not an address.
    """
    given = os.environ if environment is None else environment
    limit = _number(given, "MEMORY_CONTEXT_LIMIT", CONTEXT_LIMIT)
    sessions = _number(given, "MEMORY_MAX_SESSIONS", MAX_SESSIONS)
    events = _number(given, "MEMORY_MAX_SESSION_EVENTS", MAX_EVENTS_PER_SESSION)
    kind = _value(given, "MEMORY_TYPE", "local").lower()
    if kind not in _TYPES:
        raise ValueError(f"MEMORY_TYPE must be one of {', '.join(_TYPES)}, not '{kind}'")
    memory: Memory
    if not _flag(given, "MEMORY_ENABLED", default=True) or kind == "null":
        memory = NullMemory()
    elif kind == "remote":
        from strata.client.kaos.remote import RemoteMemory  # noqa: PLC0415 - a local one needs no HTTP

        memory = RemoteMemory(given.get("STRATA_URL"), key=given.get("STRATA_API_KEY"))
    else:
        memory = LocalMemory(sessions, events)
    memory.context_limit = limit
    return memory


def _value(given: Mapping[str, str], name: str, default: str) -> str:
    return given.get(name, "").strip() or default


def _number(given: Mapping[str, str], name: str, default: int) -> int:
    text = _value(given, name, str(default))
    if not (text.isdecimal() and int(text) > 0):
        raise ValueError(f"{name} must be a whole number from 1 on, not '{text}'")
    return int(text)


def _flag(given: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = _value(given, name, str(default)).lower()
    if text not in _YES | _NO:
        raise ValueError(f"{name} must be true or false, not '{text}'")
    return text in _YES
