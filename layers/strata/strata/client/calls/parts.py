"""What the calls are put together from: parameters, bodies, paths, and models that are imported late."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from urllib.parse import quote


class Later:
    """Stands for a module, which is imported at the first look into it."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # what looks around must not cause the import
            raise AttributeError(name)
        return getattr(import_module(self._module), name)


def params(**given: object) -> dict[str, str]:
    """The parameters that were given; several values of one are joined by commas."""
    return {name: _text(value) for name, value in given.items() if value is not None}


def fields(**given: object) -> dict[str, object]:
    """The fields that were given."""
    return {name: value for name, value in given.items() if value is not None}


def path(template: str, *identities: str | int) -> str:
    """The path of one thing; an id may hold any character, `/` included."""
    return template.format(*(_segment(str(identity)) for identity in identities))


def _segment(identity: str) -> str:
    quoted = quote(encodable(identity), safe="")
    return quoted.replace(".", "%2E") if quoted in {".", ".."} else quoted  # else they would lead elsewhere


def encodable(text: str) -> str:
    """The text with halves of surrogate pairs replaced: an address can't hold them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return encodable(str(value))
