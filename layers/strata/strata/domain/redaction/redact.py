"""Redaction of secrets, before anything is hashed or stored.

A secret becomes `[redacted:<kind>]`; the name in front of it stays. The time is linear in the text's length.
"""

import re
from collections import Counter

from strata.domain.redaction.forms import FORMS, SPACED, Form
from strata.domain.redaction.named import named_secrets

_SHORTEST = 16
"""The fewest characters of a secret that has a form of its own."""

_SPACED = [(form.hint, form) for form in SPACED]
_FORMS = [(form.hint, form) for form in FORMS]
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def redact(text: str) -> tuple[str, Counter[str]]:
    """The text without its secrets, and the number of secrets of each kind."""
    text, found = _redacted(text)
    if not text.isascii() and _INVISIBLE.search(
        text
    ):  # they hide a secret from the patterns, not from a reader
        visible, more = _redacted(_INVISIBLE.sub("", text))
        if more:
            return visible, found + more
    return text, found


def redact_field(name: str, value: str) -> tuple[str, Counter[str]]:
    """The same of a field's value, which may be a secret for its name alone, such as `password`."""
    text, found = redact(value)
    if found:
        return text, found
    begin = f'"{name}": "'
    line = begin + value.replace('"', "'").replace("\n", " ") + '"'
    kind = next((each.kind for each in named_secrets(line) if each.start == len(begin)), None)
    return (text, found) if kind is None else (f"[redacted:{kind}]", Counter([kind]))


def form_of_secret(text: str) -> str | None:
    """The kind of a secret of a known form in the text, such as an identifier; None if there is none."""
    for form in (*SPACED, *FORMS):
        if form.hint in text and any(map(form.is_secret, form.pattern.finditer(text))):
            return form.kind
    return None


def _redacted(text: str) -> tuple[str, Counter[str]]:
    found: Counter[str] = Counter()
    forms = [form for hint, form in _SPACED if hint in text]
    words = " ".join([word for word in text.split() if len(word) >= _SHORTEST])
    if words:
        forms += [form for hint, form in _FORMS if hint in words]
    for form in forms:
        text = _without(form, text, found)
    return _without_named(text, found), found


def _without(form: Form, text: str, found: Counter[str]) -> str:
    def replace(match: re.Match[str]) -> str:
        if not form.is_secret(match):
            return match[0]
        found[form.kind] += 1
        mark = f"[redacted:{form.kind}]"
        if "secret" not in match.re.groupindex:
            return mark
        start = match.start()
        return match[0][: match.start("secret") - start] + mark + match[0][match.end("secret") - start :]

    return form.pattern.sub(replace, text)


def _without_named(text: str, found: Counter[str]) -> str:
    parts: list[str] = []
    end = 0
    for secret in named_secrets(text):
        if secret.start >= end:
            parts += (text[end : secret.start], f"[redacted:{secret.kind}]")
            end = secret.end
            found[secret.kind] += 1
    return "".join([*parts, text[end:]]) if parts else text
