"""Preferences of users as they go over the wire (agtOS)."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Self

from pydantic import (
    ConfigDict,
    Field,
    JsonValue,
    ModelWrapValidatorHandler,
    PrivateAttr,
    StrictBool,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from strata.domain.wire.base import Wire
from strata.domain.wire.exact_json import size, to_text
from strata.domain.wire.fields import OptionalIdent, plain

MAX_PREFERENCES = 20_000
"""Bytes of a user's preferences as JSON."""
_USER = ("userId", "user_id")
_IDENT: TypeAdapter[str | None] = TypeAdapter(OptionalIdent)
_SHOWN = 100
"""Characters of a name that an error repeats."""


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold().removesuffix("s")


_PRIVACY = {
    _folded(path.rpartition(".")[2]): path
    for path in ("privacySettings", "privacySettings.storeTranscripts", "privacySettings.storeAudio")
}
"""The places of privacy settings, by their names as they are taken for one another."""
_LIKE = 0.92
"""How much of its letters a misspelt name shares with the right one: all but one in twelve."""


def _meant(name: str) -> str | None:
    """The privacy setting that a name is, or is a misspelling of."""
    return next((_PRIVACY[each] for each in get_close_matches(_folded(name), _PRIVACY, 1, _LIKE)), None)


def _names(value: Any) -> Iterable[str]:
    """The names of fields in a value, to any depth."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case dict() as fields:
                yield from fields
                waiting += fields.values()
            case list() as items:
                waiting += items


def _refuse_misplaced(fields: Any, right: str) -> None:
    """Refuse privacy settings anywhere but in the field of this name: they would change nothing."""
    if not isinstance(fields, dict):
        return
    for name in _names({name: each for name, each in fields.items() if name != right}):
        if (meant := _meant(name)) is not None:
            raise ValueError(
                f"{name[:_SHOWN]} stands for nothing here: preferences.{meant} is the privacy setting"
            )


def _user(name: str, given: Any) -> str | None:
    """The user in a field of this name; None where it is empty."""
    try:
        return _IDENT.validate_python(given)
    except ValidationError as error:
        raise ValueError(f"{name}: {plain(error.errors()[0]['msg'])}") from None


def _or_itself(schema: dict[str, JsonValue]) -> None:
    """Let the document say that the body may have any fields, and need not have the one that it knows."""
    schema.pop("required", None)
    schema["additionalProperties"] = True


class PrivacyChange(Wire):
    """Changes of privacy settings; absent ones stay.

    Attributes:
        storeTranscripts: false refuses that anything is stored of the user, true takes that back.
        storeAudio: is kept and given back; no audio is ever stored.
    """

    storeTranscripts: StrictBool | None = None  # noqa: N815 - the wire's own name
    storeAudio: StrictBool | None = None  # noqa: N815

    @model_validator(mode="before")
    @classmethod
    def _is_known(cls, given: Any) -> Any:
        """Refuse what is no privacy setting: a misspelt refusal must not pass for one."""
        for name in given if isinstance(given, dict) else ():
            if name not in cls.model_fields:
                raise ValueError(
                    f"{name[:_SHOWN]} is no privacy setting: {' and '.join(cls.model_fields)} are"
                )
        return given


class Preferences(Wire):
    """The fields of a user's preferences to change; null takes one away, absent ones stay."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, JsonValue] = Field(init=False)

    privacySettings: PrivacyChange | None = None  # noqa: N815

    @model_validator(mode="before")
    @classmethod
    def _has_privacy_in_its_place(cls, given: Any) -> Any:
        _refuse_misplaced(given, "privacySettings")
        return given


class PreferencesChange(Wire):
    """A change of a user's preferences, of at most 20 000 bytes as JSON.

    A body without `preferences` is taken for the preferences themselves, as agtOS's clients send them. Its
    `userId`, or `user_id`, is none of them.
    """

    model_config = ConfigDict(json_schema_extra=_or_itself)
    whole = "preferences"

    preferences: Preferences
    _users: frozenset[str] = PrivateAttr(frozenset())

    @property
    def users(self) -> frozenset[str]:
        """The users that a body of preferences themselves names."""
        return self._users

    @model_validator(mode="wrap")
    @classmethod
    def _has_privacy_in_its_place(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(given, dict) or cls.whole in given:
            _refuse_misplaced(given, cls.whole)
            return handler(given)
        users = frozenset(user for name in _USER if (user := _user(name, given.get(name))) is not None)
        change = handler({cls.whole: {name: each for name, each in given.items() if name not in _USER}})
        change._users = users
        return change

    @model_validator(mode="after")
    def _fits(self) -> "PreferencesChange":
        if size(to_text(self.preferences.model_dump())) > MAX_PREFERENCES:
            raise ValueError(f"preferences should have at most {MAX_PREFERENCES} bytes as JSON")
        return self


class PreferencesAnswer(Wire):
    """A user's preferences: the fields that were set, and their privacy settings."""

    preferences: dict[str, Any]
