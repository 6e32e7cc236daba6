"""The functions of the records that make keys of rows, found in their modules: a new one joins by itself."""

import inspect
import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import get_type_hints

from strata.ports.rows import Key
from strata.services import records

_MODULES = [
    import_module(f"{records.__name__}.{each.name}") for each in pkgutil.iter_modules(records.__path__)
]

MADE: dict[str, Callable[..., Key]] = {
    name: make
    for module in _MODULES
    for name, make in vars(module).items()
    if inspect.isfunction(make)
    and make.__module__ == module.__name__
    and not name.startswith("_")
    and get_type_hints(make).get("return") is Key
}
