"""What people agree to, as it goes over the wire."""

from typing import Self

from pydantic import StrictBool, model_validator

from strata.domain.wire.base import Wire


class ConsentChange(Wire):
    """A person's word; what is not named stays as it was.

    Attributes:
        ai_consent: whether facts about them may be found and used, by any agent of the tenant.
        persist: whether anything of what they say may be kept.
        erase: with a refusal, whether what was learnt is removed too.
    """

    ai_consent: StrictBool | None = None
    persist: StrictBool | None = None
    erase: StrictBool = False

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.ai_consent is None and self.persist is None:
            raise ValueError("ai_consent or persist is needed, true or false")
        if self.erase and self.ai_consent is not False and self.persist is not False:
            raise ValueError("erase goes with ai_consent false or persist false")
        return self


class ConsentNote(Wire):
    """One statement: what held from then on, who told us, and when (RFC 3339 UTC)."""

    ai_consent: bool | None = None
    persist: bool
    at: str
    by: str


class Consent(Wire):
    """What a person agrees to now; `ai_consent` is absent until they said something.

    `history` has their statements, newest first.
    """

    external_ref: str
    ai_consent: bool | None = None
    persist: bool = True
    updated_at: str | None = None
    history: list[ConsentNote]
