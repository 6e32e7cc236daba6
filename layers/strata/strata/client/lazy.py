"""Names of packages that are imported at their first use, so that importing the package costs nothing."""

from collections.abc import Callable, Mapping
from importlib import import_module


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package: `homes` are the modules inside it, with the names that each defines."""
    modules = {name: f"{package}.{module}" for module, names in homes.items() for name in names.split()}

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return load
