"""Building blocks of calls: parameters, bodies, paths, and lazily imported models."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from urllib.parse import quote


class Later:
    """Stands for a module and imports it when an attribute is first read."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # introspection must not trigger the import
            raise AttributeError(name)
        return getattr(import_module(self._module), name)


def params(**given: object) -> dict[str, str]:
    """The given parameters; several values of one are joined by commas."""
    return {name: _text(value) for name, value in given.items() if value is not None}


def fields(**given: object) -> dict[str, object]:
    """The given fields."""
    return {name: value for name, value in given.items() if value is not None}


def path(template: str, *identities: str | int) -> str:
    """The path with these ids, which may contain any character, `/` included."""
    return template.format(*(_segment(str(identity)) for identity in identities))


def _segment(identity: str) -> str:
    quoted = quote(encodable(identity), safe="")
    return quoted.replace(".", "%2E") if quoted in {".", ".."} else quoted  # else they would lead elsewhere


def encodable(text: str) -> str:
    """The text with lone surrogates replaced: a URL cannot contain them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return encodable(str(value))
