"""The base of every room of the wiring."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.bootstrap.application import Application


class Room:
    """Services of one capability, each made at its first use from the application's other rooms."""

    def __init__(self, app: "Application") -> None:
        self._app = app
        self._settings = app.settings
