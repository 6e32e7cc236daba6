"""Preferences of users, whose opt-out of transcripts is the refusal of persistence (agtOS)."""

from typing import Any

from strata.domain.errors import Conflict, InvalidRequest
from strata.domain.redaction.texts import without_secrets
from strata.domain.scope import Scope
from strata.domain.wire.consent import ConsentChange
from strata.domain.wire.exact_json import size, to_text, to_value
from strata.domain.wire.preferences import MAX_PREFERENCES, Preferences
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Check, Condition, Equals, Put
from strata.ports.table import Table
from strata.services.people.consent import Consents
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import consent_key, preferences_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

PRIVACY, TRANSCRIPTS, AUDIO = "privacySettings", "storeTranscripts", "storeAudio"


class UserPreferences:
    """Reads and changes preferences."""

    def __init__(self, table: Table, clock: Clock, consents: Consents, *, redacting: bool = True) -> None:
        self._table = table
        self._clock = clock
        self._consents = consents
        self._redacting = redacting

    def get(self, scope: Scope, owner: str) -> dict[str, Any]:
        """A user's preferences with their privacy settings."""
        key, consent = preferences_key(owner), consent_key(owner)
        rows = self._table.get_many(scope, (key, consent))
        fields: dict[str, Any] = to_value(rows[key]["fields"]) if key in rows else {}
        audio = fields.pop(AUDIO, False)
        persist = rows.get(consent, {}).get("persist", True)
        return fields | {PRIVACY: {TRANSCRIPTS: persist, AUDIO: audio}}

    def put(self, scope: Scope, owner: str, change: Preferences, by: str) -> dict[str, Any]:
        """Change the named fields; a refusal of transcripts becomes the person's statement of consent.

        They are settings, so they are kept of a person who refuses storage, too, without the secrets in them.

        Raises:
            InvalidRequest: the preferences would be too large.
            Conflict: the user is being erased; or concurrent writers did not let this one settle.
        """
        privacy = change.privacySettings
        new: dict[str, Any] = dict(change.__pydantic_extra__ or {})
        if self._redacting:
            new = without_secrets(new)
        if privacy is not None and privacy.storeAudio is not None:
            new[AUDIO] = privacy.storeAudio
        settled(self._clock, "the preferences", lambda failed: self._write(scope, owner, new, failed))
        stored = privacy.storeTranscripts if privacy is not None else None
        if stored is not None and stored != self.get(scope, owner)[PRIVACY][TRANSCRIPTS]:
            self._consents.put(scope, owner, ConsentChange(persist=stored), by)
        return self.get(scope, owner)

    def _write(self, scope: Scope, owner: str, new: dict[str, Any], failed: Refused | None) -> None:
        if failed is not None and "erased" in failed:
            raise Conflict("the user is being erased; try again in an hour")
        key = preferences_key(owner)
        row = self._table.get(scope, key)
        before = to_value(row["fields"]) if row else {}
        after = {name: value for name, value in (before | new).items() if value is not None}
        if after == before:
            return
        text = to_text(after)
        if size(text) > MAX_PREFERENCES:
            raise InvalidRequest.of("preferences", f"would have over {MAX_PREFERENCES} bytes as JSON")
        version = (row or {}).get("version", 0)
        seen: Condition = Absent() if row is None else Equals("version", version)
        item = {"user_id": owner, "fields": text, "version": version + 1, "updated_at": self._clock.now_us()}
        there = Check(tombstone_key(owner), Absent())
        transact(self._table, scope, {"preferences": Put(key, item, seen), "erased": there})
