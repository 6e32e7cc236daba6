"""The lines of ended sessions that a language model chose, in place of those that rules made."""

import secrets
from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.domain.text.strings import shortened
from strata.domain.worth.gist import LONGEST_GIVEN
from strata.ports.clock import Clock
from strata.ports.rows import Action, AllOf, Equals, Update
from strata.ports.table import Table
from strata.services.records.change_notes import change_notes
from strata.services.records.episodes import episode_key
from strata.services.records.kinds import EPISODES
from strata.services.records.sessions import session_key


class SessionLines:
    """Replaces a session's line, and the summary of its episode."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def replacing(self, scope: Scope, session_id: str, line: str) -> Sequence[Action]:
        """The actions that write the line; none where the session has lost its own since it ended.

        They fail where the session, its episode or either text changed since they were read.
        """
        key = session_key(session_id)
        session = self._table.get(scope, key) or {}
        before = session.get("about")
        if not before or before == shortened(session.get("summary") or "", LONGEST_GIVEN):
            return []  # it was forgotten, or somebody has written a summary meanwhile
        number = session.get("episode")
        same = AllOf((Equals("about", before), Equals("episode", number)))
        actions: list[Action] = [Update(key, set={"about": line}, condition=same)]
        if number is not None:
            now, owner = self._clock.now_us(), session["episode_owner"]
            written = {"summary": line, "updated_at": now, "write": secrets.randbits(53)}
            change = Update(episode_key(owner, number), set=written, condition=Equals("summary", before))
            actions += [change, *change_notes(EPISODES, {"owner": owner, "id": number}, now)]
        return actions
