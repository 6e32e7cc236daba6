"""Consent of people, as it goes over the wire."""

from typing import Annotated, Self

from pydantic import BeforeValidator, ConfigDict, StrictBool, model_validator
from pydantic.config import JsonDict
from pydantic.json_schema import SkipJsonSchema

from strata.domain.wire.base import Wire

_STATED = ("ai_consent", "persist")


def _says(field: str, value: JsonDict) -> JsonDict:
    return {"properties": {field: value}, "required": [field]}


def _of_all_channels(value: object) -> None:
    if value is not None:
        raise ValueError(
            "a person's consent is for all channels; that of one session is /api/rgpd/sessions/{id}/consent"
        )


class ConsentChange(Wire):
    """A person's statement about consent. Absent fields stay as they are.

    Attributes:
        ai_consent: whether any agent of the tenant may extract and use facts about them.
        persist: whether anything that they say may be stored.
        external_type: is refused: a statement about one channel would be taken for one about all of them.
        erase: with a refusal, whether the facts already stored are deleted too.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"erase": {"const": True}}, "required": ["erase"]},
            "then": {"anyOf": [_says(field, {"const": False}) for field in _STATED]},
            "else": {"anyOf": [_says(field, {"type": "boolean"}) for field in _STATED]},
        }
    )

    ai_consent: StrictBool | None = None
    persist: StrictBool | None = None
    erase: StrictBool = False
    external_type: Annotated[SkipJsonSchema[None], BeforeValidator(_of_all_channels)] = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.ai_consent is None and self.persist is None:
            raise ValueError("ai_consent or persist is needed, true or false")
        if self.erase and self.ai_consent is not False and self.persist is not False:
            raise ValueError("erase goes with ai_consent false or persist false")
        return self


class SessionConsentChange(Wire):
    """Whether anything may be learnt from a session; both names say the same."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": _says("consent", {"const": True}),
            "then": {"properties": {"ai_consent": {"enum": [True, None]}}},
            "else": {
                "if": _says("consent", {"const": False}),
                "then": {"properties": {"ai_consent": {"enum": [False, None]}}},
                "else": _says("ai_consent", {"type": "boolean"}),
            },
        }
    )

    consent: StrictBool | None = None
    ai_consent: StrictBool | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if None not in (self.consent, self.ai_consent) and self.consent != self.ai_consent:
            raise ValueError("consent and ai_consent contradict each other: one of them is enough")
        if self.consent is None and self.ai_consent is None:
            raise ValueError("consent or ai_consent is needed, true or false")
        return self

    @property
    def allowed(self) -> bool:
        """The consent that it states."""
        return self.consent is not False and self.ai_consent is not False


class SessionConsent(Wire):
    """The consent for a session, and its person where the session has one. Times are RFC 3339 UTC."""

    session_id: str
    ai_consent: bool
    external_ref: str | None = None
    updated_at: str


class ConsentNote(Wire):
    """One statement of the history: the consent from then on, the caller, and the time (RFC 3339 UTC)."""

    ai_consent: bool | None = None
    persist: bool
    at: str
    by: str


class Consent(Wire):
    """The current consent of a person. `ai_consent` is absent until they have stated it.

    `history` lists their statements, newest first.
    """

    external_ref: str
    ai_consent: bool | None = None
    persist: bool = True
    updated_at: str | None = None
    history: list[ConsentNote]
