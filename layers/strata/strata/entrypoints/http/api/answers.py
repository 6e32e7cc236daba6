"""Responses of the routes, fitted into the limit of a Lambda function: 6 MB, counted after escaping."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MOST = 5_800_000
"""Largest escaped body in bytes: a function's response escapes non-ASCII (AWS Lambda quotas: 6 MB)."""

_SAFE = MOST // 6
"""A text of this many bytes cannot exceed `MOST`: escaping turns one byte into six at most."""

_AROUND = 10_000
"""Bytes reserved for the JSON around a list."""

Dump = Callable[[Any], bytes]


@dataclass(frozen=True, slots=True)
class Reply:
    """A response with notes for the client, sent as headers."""

    answer: Any
    degraded: bool = False
    """Only the newest rows were ranked, or words alone found them. Shows as `Strata-Degraded: index`."""
    behind: bool = False
    """Totals, or the projects by them, lack changes that wait to be counted: `Strata-Degraded: totals`."""
    unwritten: bool = False
    """A language model that is set did not answer, and rules did: `Strata-Degraded: model`."""
    left_out: int = 0
    """Rows that did not fit into the answer. Shows as `Strata-Left-Out`."""

    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Other projects in which a search that found nothing would find something: `Strata-Elsewhere`."""

    @property
    def headers(self) -> dict[str, Any]:
        """The notes as response headers."""
        away = ("index", self.degraded), ("totals", self.behind), ("model", self.unwritten)
        parts = [name for name, late in away if late]
        degraded = {"Strata-Degraded": ", ".join(parts)} if parts else {}
        if self.elsewhere:
            degraded["Strata-Elsewhere"] = json.dumps(dict(self.elsewhere))
        return degraded | ({"Strata-Left-Out": str(self.left_out)} if self.left_out else {})


def fitting(answer: Any, dump: Dump) -> tuple[bytes, int]:
    """The response as JSON, and the number of rows dropped from the end of a list to make it fit.

    Lists start with the most relevant rows, so the end is dropped.
    """
    body = dump(answer)
    if not isinstance(answer, list) or len(body) <= _SAFE or _weight(body) <= MOST:
        return body, 0
    kept, size = 0, 2
    for row in answer:
        size += _weight(dump([row]))
        if size > MOST:
            break
        kept += 1
    return dump(answer[:kept]), len(answer) - kept


def newest_fitting(newest: Iterable[str]) -> tuple[list[str], int]:
    """Of JSON texts, newest first, those that fit, oldest first; and the number of the others."""
    kept, size, left_out = [], _AROUND, 0
    for text in newest:
        size += len(json.dumps(text))
        if size > MOST:
            left_out += 1
        else:
            kept.append(text)
    return kept[::-1], left_out


def _weight(body: bytes) -> int:
    """Bytes of a body in a function's response."""
    return len(json.dumps(body.decode()))
