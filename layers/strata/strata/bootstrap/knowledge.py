"""Knowledge about people."""

from functools import cached_property

from strata.bootstrap.room import Room
from strata.services.knowledge.profile import Profiles
from strata.services.redaction import redacted_text


class Knowledge(Room):
    """Profiles of people."""

    @cached_property
    def profiles(self) -> Profiles:
        app = self._app
        clean = redacted_text if self._settings.redact else str
        return Profiles(app.stores.table, app.clock, app.people.ownership, clean)
