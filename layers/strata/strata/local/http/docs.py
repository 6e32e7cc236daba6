"""The API's documentation as one page, `/docs`, drawn by its own script from `/openapi.json`.

The page loads nothing from elsewhere, needs no key, and is shown in no frame and read by no other origin; the
guard lets a link of any page open it.
"""

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from strata.local.http.messages import Response

PATH = "/docs"
LEADING = frozenset({"/", "/docs/"})
"""Paths that lead to the page."""


def page() -> Response:
    """The page, with a policy that runs its own script and style only."""
    body, policy = _read()
    return Response(
        200,
        [
            ("content-type", "text/html; charset=utf-8"),
            ("content-length", str(len(body))),
            ("content-security-policy", policy),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("cache-control", "no-cache"),
        ],
        body,
    )


def redirect(query: str) -> Response:
    """The way from a path that leads to the page."""
    where = f"{PATH}?{query}" if query else PATH
    return Response(307, [("location", where), ("content-length", "0"), ("cache-control", "no-cache")])


@cache
def _read() -> tuple[bytes, str]:
    """The page and its Content-Security-Policy."""
    text = files("strata.local.http").joinpath("docs.html").read_text(encoding="utf-8")
    directives = ["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'"]
    directives.append("frame-ancestors 'none'")
    for element in ("script", "style"):
        found = re.findall(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
        allowed = " ".join(f"'sha256-{_digest(each)}'" for each in found)
        directives.append(f"{element}-src {allowed}")
    return text.encode(), "; ".join(directives)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
