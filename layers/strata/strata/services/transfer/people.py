"""The actions that import profiles with their history, preferences and devices."""

from strata.domain.imports import ERASED, UNKEPT, NotTaken
from strata.domain.redaction.texts import without_secrets
from strata.domain.times import microseconds
from strata.domain.wire.exact_json import to_text, to_value
from strata.domain.wire.profile_lines import (
    DeviceLine,
    PastProfileLine,
    PreferencesLine,
    ProfileLine,
    StatementOfProfile,
)
from strata.ports.rows import Absent, Action, Check, Item, Put
from strata.services.people.permission import persistence_check
from strata.services.records.erasures import tombstone_key
from strata.services.records.owners import owned
from strata.services.records.people import DEVICE_KIND, device_key, preferences_key
from strata.services.records.profiles import past_profile_key, profile_key
from strata.services.transfer.plan import Plan

PeopleLine = ProfileLine | PastProfileLine | PreferencesLine | DeviceLine

UNLEARNT = "this person refuses that anything is learnt about them"


def plan_of(line: PeopleLine, *, refuses: bool, redacting: bool) -> Plan:
    """The plan of a row; of a person who refuses, with their own statements alone.

    Raises:
        NotTaken: nothing of it may be imported.
    """
    owner = line.user_id
    guards: dict[str, Action] = {ERASED: Check(tombstone_key(owner), Absent())}
    match line:
        case ProfileLine():
            statements = {
                name: [_statement(each, redacting) for each in every if each.by == "person" or not refuses]
                for name, every in line.statements.items()
            }
            if refuses and not any(statements.values()):
                raise NotTaken(UNLEARNT)
            row: Item = {
                "user_id": owner,
                "version": line.version,
                "updated_at": microseconds(line.updated_at),
                "statements": {name: every for name, every in statements.items() if every},
            } | ({"refused": line.refused} if line.refused else {})
            return Plan(Put(profile_key(owner), row, Absent()), guards | {UNKEPT: persistence_check(owner)})
        case PastProfileLine():
            told = [each for each in line.changes if each.by == "person" or not refuses]
            if not told:
                raise NotTaken(UNLEARNT)
            changes = [{"field": each.field} | _statement(each, redacting) for each in told]
            row = {"user_id": owner, "version": line.version, "at": microseconds(line.at), "changes": changes}
            kept = {UNKEPT: persistence_check(owner)}
            return Plan(Put(past_profile_key(owner, line.version), row, Absent()), guards | kept)
        case PreferencesLine():
            row = {
                "user_id": owner,
                "fields": _without_secrets(line.preferences) if redacting else line.preferences,
                "version": line.version,
                "updated_at": microseconds(line.updated_at),
            }
            return Plan(Put(preferences_key(owner), row, Absent()), guards)
        case DeviceLine():
            row = {
                "device_id": line.device_id,
                "user_id": owner,
                "updated_at": microseconds(line.updated_at),
            } | owned(owner, DEVICE_KIND)
            return Plan(Put(device_key(line.device_id), row, Absent()), guards)


def _without_secrets(preferences: str) -> str:
    return to_text(without_secrets(to_value(preferences)))


def _statement(line: StatementOfProfile, redacting: bool) -> Item:
    """A statement as profiles store it, without its field."""
    said = line.model_dump(exclude={"field", "at"})
    words = {"value": said.pop("value")}
    rest = {name: value for name, value in said.items() if value}
    return rest | (without_secrets(words) if redacting else words) | {"at": microseconds(line.at)}
