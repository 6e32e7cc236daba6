"""What erases a row, and what goes with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from strata.domain.times import DAY
from strata.ports import (
    Absent,
    Action,
    AllOf,
    AnyOf,
    AtMost,
    Condition,
    Delete,
    Equals,
    Item,
    Key,
    Present,
    Put,
    Update,
)
from strata.services.observations.change import POINTER_SECONDS, guard_keys
from strata.services.people.ownership import TOMBSTONE_SECONDS
from strata.services.privacy.erasure.find import is_over
from strata.services.privacy.registry import Holding, holding_of
from strata.services.records.episodes import EPISODE_KIND, episode_place_key
from strata.services.records.erasures import erased
from strata.services.records.events import app_key
from strata.services.records.observations import OBSERVATION_KIND, pointer_key
from strata.services.records.parts import digest
from strata.services.records.sessions import SESSION_KIND

LEFTOVER = Holding("leftovers", (), "", "", counted=False)
"""What was past its time already, so that nobody could read it any more."""


@dataclass(frozen=True, slots=True)
class Removal:
    """What erases one row. The first action is the row's own; the others may fail, and are left out then."""

    holding: Holding
    actions: tuple[Action, ...]

    @property
    def keys(self) -> set[Key]:
        """The rows that it writes."""
        return {action.key for action in self.actions}

    def without(self, failed: Sequence[int]) -> "Removal | None":
        """What is left of it where these of its actions do not hold."""
        if 0 in failed:
            return None
        left = tuple(action for place, action in enumerate(self.actions) if place not in failed)
        return Removal(self.holding, left)


@dataclass(frozen=True, slots=True)
class RemovalMaker:
    """Makes removals for one erasure, at one time (in microseconds)."""

    erasure_id: str
    now: int

    def of(self, key: Key, item: Item) -> Removal:
        """What erases a row that was just read; without its item it is one that is past its time."""
        if not item:
            return Removal(LEFTOVER, (Delete(key, Absent()),))
        removal = self._of(holding_of(key), key, item)
        if is_over(item, self.now / 1e6):
            return Removal(LEFTOVER, (Delete(key, Absent()), *removal.actions[1:]))
        return removal

    def _of(self, holding: Holding, key: Key, item: Item) -> Removal:
        match holding.name:
            case "sessions":
                return Removal(holding, (Put(key, self._emptied(item), Equals("user_id", item["user_id"])),))
            case "observations" | "deleted_observations":
                return Removal(holding, (Delete(key, _unchanged(item)), *self._with_observation(item)))
            case "episodes":
                place = episode_place_key(item["id"])
                return Removal(holding, (Delete(key, _unchanged(item)), self._nobodys(place, item["owner"])))
            case "pointers_of_episodes":
                return Removal(holding, (self._nobodys(key, item["owner"], Equals("owner", item["owner"])),))
            case "event_logs":
                count = Update(app_key(item["app"]), add={"sessions": -1}, condition=Present())
                return Removal(holding, (Delete(key, Equals("life", item["life"])), count))
            case _:
                return Removal(holding, (Delete(key, Present()),))

    def _emptied(self, session: Item) -> Item:
        """What stays of a session for a while: that it keeps nothing, and what its totals are folded by."""
        folded = {name: session[name] for name in ("project", "counted") if session.get("counted")}
        end = self.now // 1_000_000 + TOMBSTONE_SECONDS
        return folded | {"persist": False, "expires_at": end} | erased(self.erasure_id, SESSION_KIND)

    def _with_observation(self, row: Item) -> list[Action]:
        gone = {"state": "gone", "expires_at": self.now // 1_000_000 + POINTER_SECONDS}
        mine = AnyOf((Absent(), Equals("observation_id", row["id"])))
        pointer = Update(
            pointer_key(row["id"]),
            set=gone | erased(self.erasure_id, OBSERVATION_KIND),
            condition=Present(),
        )
        return [pointer, *(Delete(key, mine) for key in guard_keys(row))]

    def _nobodys(self, pointer: Key, owner: str, condition: Condition | None = None) -> Action:
        """An episode's pointer without its owner's name: a digest of that and the erasure from now on."""
        gone: Item = {"owner": digest(self.erasure_id, owner), "state": "gone"}
        gone |= {"expires_at": self.now // 1_000_000 + DAY} | erased(self.erasure_id, EPISODE_KIND)
        return Put(pointer, gone, condition)


def _unchanged(row: Item) -> Condition:
    """A row that was changed since it was read has other guards."""
    return AllOf((Present(), Equals("updated_at", row["updated_at"])))


def empty_app(app: str) -> Delete:
    """Drops the row of an app that has no log left: apps are named by callers."""
    return Delete(app_key(app), AtMost("sessions", 0))
