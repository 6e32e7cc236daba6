"""Decides how each kind of row is erased.

A removal holds the action that deletes or empties the row, and the actions on other rows that belong to it.
"""

from collections.abc import Collection
from dataclasses import dataclass

from strata.domain.times import DAY
from strata.ports.rows import (
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
from strata.services.people.devices import OWN
from strata.services.people.holdings import is_expired
from strata.services.people.ownership import TOMBSTONE_SECONDS
from strata.services.privacy.registry import Holding, holding_of
from strata.services.records.audit import audit_of
from strata.services.records.episodes import EPISODE_KIND, episode_place_key
from strata.services.records.erasures import erased, erased_device_key, receipt_subject, tombstone_key
from strata.services.records.events import app_key
from strata.services.records.observations import OBSERVATION_KIND, pointer_key
from strata.services.records.parts import digest
from strata.services.records.sessions import SESSION_KIND

LEFTOVER = Holding("leftovers", "", "", counted=False)
"""Rows that had expired already, so that nobody could read them any more."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The actions that erase one row.

    The first action is the row's own; the others are left out where their conditions do not hold.
    """

    holding: Holding
    actions: tuple[Action, ...]

    @property
    def keys(self) -> set[Key]:
        """The rows that it writes."""
        return {action.key for action in self.actions}

    def without(self, refused: Collection[Action]) -> "Removal | None":
        """The removal without these of its actions; None without the row's own."""
        if self.actions[0] in refused:
            return None
        return Removal(self.holding, tuple(action for action in self.actions if action not in refused))


@dataclass(frozen=True, slots=True)
class Remover:
    """Decides how rows are erased by one erasure, at one time (in microseconds)."""

    erasure_id: str
    now: int

    def removal(self, key: Key, item: Item) -> Removal:
        """The removal of a row that was just read; an expired one may come without its item."""
        if not item:
            return Removal(LEFTOVER, (Delete(key, Absent()),))
        holding = holding_of(key)
        actions = self._actions(holding.name, key, item)
        if is_expired(item, self.now / 1e6):
            return Removal(LEFTOVER, (Delete(key, Absent()), *actions[1:]))
        return Removal(holding, actions)

    def _actions(self, name: str, key: Key, item: Item) -> tuple[Action, ...]:
        actions: tuple[Action, ...]
        match name:
            case "sessions":
                actions = (Put(key, self._emptied(item), Equals("user_id", item["user_id"])),)
            case "observations" | "deleted_observations":
                actions = (Delete(key, _unchanged(item)), *self._with_observation(item))
            case "episodes":
                pointer = self._without_owner(episode_place_key(item["id"]), item["owner"])
                actions = (Delete(key, _unchanged(item)), pointer)
            case "pointers_of_episodes":
                actions = (self._without_owner(key, item["owner"], Equals("owner", item["owner"])),)
            case "audit_entries":
                actions = (self._without_name(key, item),)
            case "event_logs":
                count = Update(app_key(item["app"]), add={"sessions": -1}, condition=Present())
                actions = (Delete(key, Equals("life", item["life"])), count)
            case "devices":
                device: str = item["device_id"]
                actions = (Delete(key, Present()), self._of_device(device), self._erased_device(device))
            case (
                "facts"
                | "heads_of_facts"
                | "deleted_facts"
                | "preferences"
                | "profiles"
                | "changes_of_profiles"
                | "working_memories"
                | "ledger_items"
                | "events"
                | "ids_of_events"
                | "kept_responses"
                | "transcripts"
                | "extractions"
                | "words_to_consolidate"
                | "consolidation_orders"
                | "conclusions"
                | "sightings"
                | "consolidations"
                | "deleted_conclusions"
                | "heads_of_knowledge"
                | "compared_conclusions"
                | "entities"
                | "mentions_of_entities"
                | "relationships_of_entities"
                | "names_of_entities"
                | "heads_of_entities"
                | "notes_of_episodes"
                | "applied_notes_of_episodes"
                | "others"
            ):
                actions = (Delete(key, Present()),)
            case _:
                raise NotImplementedError(f"nothing says how rows of the kind {name} are erased")
        return actions

    def _without_name(self, key: Key, entry: Item) -> Update:
        """An entry of the audit log, about a digest in place of the person."""
        subject = receipt_subject(self.erasure_id, entry["external_ref"])
        told = {name: value for name, value in entry["metadata"].items() if name != "sessionId"}
        return Update(
            key,
            set={"external_ref": subject, "gsi1pk": audit_of(subject), "metadata": told},
            remove=("gsi3pk", "gsi3sk"),
            condition=Present(),
        )

    def _of_device(self, device_id: str) -> Put:
        """A mark that keeps what the device writes late, now that it has no user, from becoming its own."""
        end = self.now // 1_000_000 + TOMBSTONE_SECONDS
        return Put(tombstone_key(OWN + device_id), {"expires_at": end}, Absent())

    def _erased_device(self, device_id: str) -> Put:
        """A mark for good: what the device wrote before may be the person's, and an import may have it."""
        subject = receipt_subject(self.erasure_id, OWN + device_id)
        mark = {"erasure_id": self.erasure_id, "subject": subject, "requested_at": self.now, "device": True}
        return Put(erased_device_key(self.erasure_id, subject), mark)

    def _emptied(self, session: Item) -> Item:
        """The rest of a session for a while: that it keeps nothing, and the attributes of its totals."""
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

    def _without_owner(self, pointer: Key, owner: str, condition: Condition | None = None) -> Action:
        """An episode's pointer with a digest of its owner's name and the erasure in place of the name."""
        gone: Item = {"owner": digest(self.erasure_id, owner), "state": "gone"}
        gone |= {"expires_at": self.now // 1_000_000 + DAY} | erased(self.erasure_id, EPISODE_KIND)
        return Put(pointer, gone, condition)


def _unchanged(row: Item) -> Condition:
    """Holds for the row as it was read: once changed it has other guards."""
    return AllOf((Present(), Equals("updated_at", row["updated_at"])))


def empty_app(app: str) -> Delete:
    """Delete the row of an app that has no log left: callers choose the names of apps."""
    return Delete(app_key(app), AtMost("sessions", 0))
