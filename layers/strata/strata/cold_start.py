"""Starts a Lambda function."""

import gc
from importlib import import_module
from typing import Any


def handler(name: str) -> Any:
    """The handler of the function whose folder in `functions/` has this name.

    Nothing that is imported or wired here becomes garbage, so it is not searched for any, now or later.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return getattr(import_module("strata.bootstrap").application().handlers, name)()
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
