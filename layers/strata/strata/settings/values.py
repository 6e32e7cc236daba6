"""Types of settings: time spans, weights of the ranking, origins, a tenant, a log level."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from strata.domain.errors import InvalidRequest
from strata.domain.ranking.params import RankingParams
from strata.domain.scope import Scope

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)?")
# RFC 6454, 6.1: a scheme, a name, and the port unless it is the scheme's own; schemes of apps, too.
_ORIGIN = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?:\[[0-9a-f:.]+\]|[^\s\[\]:/@?#\\,*]+)(?P<port>:\d{1,5})?"
)
_OWN_PORTS = {"http": ":80", "https": ":443"}
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, None: 1}


def _seconds(value: object) -> object:
    """Seconds from a number or from spans such as `15m`, `1h30m` or `900s`."""
    if not isinstance(value, str):
        return value
    parts = list(_DURATION.finditer(value.strip()))
    if not parts or "".join(part.group() for part in parts) != value.strip():
        raise ValueError("must be seconds, or a span such as 15m, 1h30m or 900s")
    return int(sum(float(part.group(1)) * _SECONDS[part.group(2)] for part in parts))


def _weights(value: object) -> object:
    """A mapping from comma-separated `name=number` pairs."""
    if not isinstance(value, str):
        return value
    pairs = [pair.partition("=") for pair in value.split(",") if pair.strip()]
    if any(not equals for _, equals, _ in pairs):
        raise ValueError("must be name=number pairs, comma separated")
    return {name.strip(): number.strip() for name, _, number in pairs}


def _known_weights(value: dict[str, float]) -> dict[str, float]:
    known = RankingParams.__dataclass_fields__.keys()
    if unknown := sorted(value.keys() - known):
        raise ValueError(f"there is no weight {', '.join(unknown)}; there are {', '.join(known)}")
    return value


def _origins(value: object) -> object:
    """Origins from a comma-separated text."""
    if not isinstance(value, str):
        return value
    return tuple(_origin(part.strip().lower()) for part in value.split(",") if part.strip())


def _origin(text: str) -> str:
    found = _ORIGIN.fullmatch(text)
    if found is None:
        raise ValueError(f"must be origins such as https://app.example:8443, comma separated, not {text!r}")
    port = found["port"]
    return text.removesuffix(port) if port and port == _OWN_PORTS.get(found["scheme"]) else text


def _tenant(value: str) -> str:
    try:
        return Scope(value).tenant
    except InvalidRequest as error:
        raise ValueError(error.details[0].message) from None


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


Seconds = Annotated[int, BeforeValidator(_seconds), Field(ge=0)]
Weights = Annotated[dict[str, float], BeforeValidator(_weights), AfterValidator(_known_weights)]
Origins = Annotated[tuple[str, ...], BeforeValidator(_origins)]
Tenant = Annotated[str, AfterValidator(_tenant)]
LogLevel = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(_upper)]
