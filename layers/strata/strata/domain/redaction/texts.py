"""Redacts secrets, and logs their kinds, never the secrets."""

import logging
from collections import Counter
from collections.abc import Mapping
from typing import Any

from strata.domain.redaction.redact import redact, redact_field
from strata.domain.text.strings import cut
from strata.domain.wire.fields import MAX_CONTENT, MAX_IDENT, MAX_LABEL, MAX_TAG, MAX_TITLE

_log = logging.getLogger("strata.redaction")


def note_redactions(found: Mapping[str, int]) -> None:
    """Log the kinds of redacted secrets, with their counts."""
    if found:
        _log.warning("redacted %s", ", ".join(f"{kind} x{count}" for kind, count in sorted(found.items())))


def redacted_text(text: str) -> str:
    """The text without its secrets."""
    text, found = redact(text)
    note_redactions(found)
    return text


def redacted_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """An observation's texts without their secrets.

    They keep within their limits, although the mark of a redaction may be longer than the secret.
    """
    found: Counter[str] = Counter()

    def clean(text: str, limit: int, name: str = "") -> str:
        text, here = redact_field(name, text) if name else redact(text)
        found.update(here)
        return cut(text, limit) if here else text

    changed: dict[str, Any] = {
        name: clean(fields[name], limit) for name, limit in _LIMITS.items() if fields.get(name)
    }
    if fields.get("tags"):
        changed["tags"] = [clean(tag, MAX_TAG) for tag in fields["tags"]]
    if fields.get("metadata"):
        changed["metadata"] = {
            key: clean(value, MAX_IDENT, key) if isinstance(value, str) else value
            for key, value in fields["metadata"].items()
        }
    note_redactions(found)
    return fields | changed


def without_secrets(fields: dict[str, Any]) -> dict[str, Any]:
    """The names and texts of fields without their secrets, in objects and lists to any depth."""
    found: Counter[str] = Counter()

    def clean(value: Any, name: str = "") -> Any:
        if isinstance(value, str):
            text, here = redact_field(name, value) if name else redact(value)
            found.update(here)
            return text
        if isinstance(value, list):
            return [clean(each, name) for each in value]
        if isinstance(value, dict):
            return {clean(inner): clean(each, inner) for inner, each in value.items()}
        return value

    cleaned: dict[str, Any] = clean(fields)
    note_redactions(found)
    return cleaned


_LIMITS = {"type": MAX_LABEL, "title": MAX_TITLE, "content": MAX_CONTENT, "topic_key": MAX_IDENT}
