"""Consent, access to personal data, and erasure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.client.call import Call, enveloped, model
from strata.client.calls.parts import Later, fields, params, path

if TYPE_CHECKING:
    from strata.domain.wire import consent, erasures
else:
    consent = Later("strata.domain.wire.consent")
    erasures = Later("strata.domain.wire.erasures")


def get_consent(user_id: str) -> Call[consent.Consent]:
    """A person's consent, with its history.

    `GET /api/rgpd/users/{externalRef}/consent`.
    """
    where = path("/api/rgpd/users/{}/consent", user_id)
    return Call("GET", where, enveloped(model(lambda: consent.Consent)))


def put_consent(
    user_id: str, ai_consent: bool | None = None, *, persist: bool | None = None, erase: bool | None = None
) -> Call[consent.Consent]:
    """Record a person's consent; `erase` removes what was learnt about a person who refuses.

    `PUT /api/rgpd/users/{externalRef}/consent`.
    """
    body = fields(ai_consent=ai_consent, persist=persist, erase=erase)
    where = path("/api/rgpd/users/{}/consent", user_id)
    return Call("PUT", where, enveloped(model(lambda: consent.Consent)), body=body)


def personal_data(user_id: str, *, cursor: str | None = None) -> Call[erasures.PersonalData]:
    """A page of everything that is stored about a person; `next` is the cursor of the following page.

    `GET /api/rgpd/users/{externalRef}/ai-data`.
    """
    where = path("/api/rgpd/users/{}/ai-data", user_id)
    return Call("GET", where, enveloped(model(lambda: erasures.PersonalData)), params(cursor=cursor))


def erase_personal_data(user_id: str) -> Call[erasures.ErasureStarted]:
    """Start erasing everything that is stored about a person; `erasure` returns the progress.

    `DELETE /api/rgpd/users/{externalRef}/ai-data`.
    """
    where = path("/api/rgpd/users/{}/ai-data", user_id)
    return Call("DELETE", where, enveloped(model(lambda: erasures.ErasureStarted)))


def erasure(erasure_id: str) -> Call[erasures.Erasure]:
    """The progress of an erasure, and the receipt when it is complete.

    `GET /api/rgpd/erasures/{erasure_id}`.
    """
    return Call("GET", path("/api/rgpd/erasures/{}", erasure_id), enveloped(model(lambda: erasures.Erasure)))
