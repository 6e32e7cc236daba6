"""Opaque cursors: the end of a page, encoded with the name of its listing."""

import base64
import json
from collections.abc import Sequence
from typing import Any, Literal

from strata.domain.errors import InvalidRequest


def sealed(of: str, place: Sequence[object]) -> str:
    """The cursor that continues the listing `of` after `place`, a list of JSON values."""
    text = json.dumps([of, *place])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def opened(cursor: str, of: str) -> list[Any] | None:
    """The place in a cursor of the listing `of`; None for any other text. The cursor is untrusted input."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        made_of, *place = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        # a lone surrogate would fail in UTF-8
        json.dumps(place, ensure_ascii=False).encode()
    except (ValueError, TypeError, RecursionError):
        return None
    return place if made_of == of else None


def foreign(of: Literal["listing", "export"]) -> InvalidRequest:
    """The refusal of a cursor that this listing, or export, did not give."""
    return InvalidRequest.of("cursor", f"is not one that this {of} gave")
