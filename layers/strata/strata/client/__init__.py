"""What an agent imports to speak to Strata: `from strata.client import Client`.

Names are loaded at their first use, so that importing this package costs nothing by itself.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.client.client import Client
    from strata.client.errors import StrataClientError
    from strata.client.session import ClientSession

__all__ = ["Client", "ClientSession", "StrataClientError"]

_HOMES = {
    "Client": "strata.client.client",
    "ClientSession": "strata.client.session",
    "StrataClientError": "strata.client.errors",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
