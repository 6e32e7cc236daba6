"""Preferences of users as they go over the wire (agtOS)."""

from typing import Any

from pydantic import ConfigDict, Field, JsonValue, StrictBool, model_validator

from strata.domain.wire.base import Wire
from strata.domain.wire.exact_json import size, to_text

MAX_PREFERENCES = 20_000
"""Bytes of a user's preferences as JSON."""


class PrivacyChange(Wire):
    """Changes of privacy settings; absent ones stay.

    Attributes:
        storeTranscripts: false refuses that anything is stored of the user, true takes that back.
        storeAudio: is kept and given back; no audio is ever stored.
    """

    model_config = ConfigDict(extra="ignore")

    storeTranscripts: StrictBool | None = None  # noqa: N815 - the wire's own name
    storeAudio: StrictBool | None = None  # noqa: N815


class Preferences(Wire):
    """The fields of a user's preferences to change; null takes one away, absent ones stay."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, JsonValue] = Field(init=False)

    privacySettings: PrivacyChange | None = None  # noqa: N815


class PreferencesChange(Wire):
    """A change of a user's preferences, of at most 20 000 bytes as JSON."""

    preferences: Preferences

    @model_validator(mode="after")
    def _fits(self) -> "PreferencesChange":
        if size(to_text(self.preferences.model_dump())) > MAX_PREFERENCES:
            raise ValueError(f"preferences should have at most {MAX_PREFERENCES} bytes as JSON")
        return self


class PreferencesAnswer(Wire):
    """A user's preferences: the fields that were set, and their privacy settings."""

    preferences: dict[str, Any]
