"""The base of every room of the wiring."""

from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.bootstrap.application import Application


class Room:
    """Services of one capability, each made at its first use from the application's other rooms.

    An adapter that is passed in stands in the place of the property of its name, which does not make one.
    """

    def __init__(self, app: "Application") -> None:
        self._app = app
        self._settings = app.settings
        for each in fields(app.overrides):
            adapter = getattr(app.overrides, each.name)
            if adapter is not None and isinstance(getattr(type(self), each.name, None), cached_property):
                vars(self)[each.name] = adapter
