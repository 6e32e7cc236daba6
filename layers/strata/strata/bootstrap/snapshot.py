"""Loads a function's code before Lambda takes the snapshot that it starts from (SnapStart)."""

from collections.abc import Callable
from importlib import import_module


def before_snapshot(load: Callable[[], object]) -> None:
    """Have Lambda call this once, before the snapshot; without snapshots it is loaded at its first use.

    It must open no connection and keep nothing random: every start would share it.
    """
    try:
        runtime = import_module("snapshot_restore_py")  # part of Lambda's own runtimes from Python 3.12 on
    except ImportError:
        return
    runtime.register_before_snapshot(load)
