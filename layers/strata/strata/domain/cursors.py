"""Opaque cursors: where a page ended, sealed with what it is a page of."""

import base64
import json
from collections.abc import Sequence
from typing import Any


def sealed(of: str, place: Sequence[object]) -> str:
    """A cursor that continues the listing `of` after this place, which is JSON."""
    text = json.dumps([of, *place])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def opened(cursor: str, of: str) -> list[Any] | None:
    """The place in a cursor; None where it is none, or another listing's. It may come from anybody."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        made_of, *place = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        # half a surrogate pair would break what it is used for
        json.dumps(place, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        return None
    return place if made_of == of else None
