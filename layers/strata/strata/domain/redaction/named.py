"""Secrets that only their name tells: assignments, headers, options of commands, and sentences.

A stem such as `pass` or `key` is found first, by a plain search; the patterns are tried there alone. Every
repetition is bounded, so the time is linear in the length of the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from strata.domain.redaction.judges import (
    JUDGED,
    Judge,
    after,
    follows,
    is_chosen,
    is_given,
    is_given_key,
    is_key,
    is_password,
    is_token,
)
from strata.domain.redaction.words import compiled


@dataclass(frozen=True, slots=True)
class Found:
    """A secret by its position in the text, and its kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class _Named:
    """A name and the secret behind it.

    Attributes:
        kind: the name of the secret in its mark.
        stem: a literal in lower case that the pattern begins with, in any case.
        source: the pattern, which matches from the stem on; the secret is in one of its groups.
        before: ends of the name before the stem, of which one is needed, in lower case.
        is_secret: whether a match is a secret.
    """

    kind: str
    stem: str
    source: str
    is_secret: Judge
    before: tuple[str, ...] = ()


_QUOTES = r"[\"'`*\\]{0,4}"
_SET = (
    rf"(?:{_QUOTES}\s{{0,3}}(?P<set>:=|=>|={{1,3}}|:|%3[Dd]|%3[Aa]|[\"'] value=)[\s*]{{0,4}}"
    r"(?:[>|][+-]?[0-9]?\s{1,20})?"
    r"|\s(?P<said>(?:is|was|are|es|ist):?)\s{1,3}|(?P<tag>>))"
)
_BARE = r"[^\s\"',;&<>\[\]`\\]"
_REST = re.compile(f"{_BARE}{{0,4000}}")
"""Read behind a secret only, so that a long value that is none costs little."""
_VALUE = (
    r"(?:[bruf]{0,2}\\{0,2}(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{4,4000}?)\\{0,2}(?P=quote)"
    rf"|(?P<bare>{_BARE}{{4,{JUDGED}}}))"
)


def _named(kind: str, stem: str, name: str, judge: Judge, before: tuple[str, ...] = ()) -> _Named:
    return _Named(kind, stem, f"(?i:{name})" + _SET + _VALUE, judge, before)


_KEYS = tuple(
    """
    api secret access private account encryption signing master license licence storage shared webhook app
    admin service integration auth deploy write ingest server root subscription
    """.split()  # noqa: SIM905
)
_OWNERS = ("_", "-", "db", "user", "smtp", "mysql", "root", "admin", "ftp", "ssh", "redis", "sql", "pg")

_NAMES = (
    _named("password", "passw", r"passw(?:or)?d|passwort", is_password),
    _named("password", "passphrase", "passphrase", is_password),
    _named("password", "passcode", "passcode", is_password),
    _named("password", "contrase", "contrase(?:ñ|n)a", is_password),
    _named("password", "kennwort", "kennwort", is_password),
    _named("password", "senha", "(?<![a-z])senha", is_password),
    _named("password", "pwd", r"(?<![a-z0-9])pwd(?!\S{0,2}[=:]\s{0,3}[/~.])", is_password),
    _named("password", "pass", "pass", is_password, _OWNERS),
    _named("aws_secret_key", "secret", r"secret[_-]?access[_-]?key", is_key),
    _named("password", "secret", r"(?<!:)secret(?:[_ -]?key)?", is_key),  # not the `:secret:` of an ARN
    _named("password", "credential", "credentials?", is_key),
    _named("token", "token", "token", is_token),
    _named("password", "key", "key", is_key, _KEYS),
)


def _phrase(kind: str, stem: str, pattern: str, judge: Judge) -> _Named:
    return _Named(kind, stem, pattern, judge)


_PHRASES = (
    _phrase(
        "bearer_token",
        "authorization",
        r"(?i:authorization)[\"'\\]{0,3}\s{0,3}[=:]\s{0,3}[\"'\\]{0,3}(?i:bearer|basic|token|api-?key)\s{1,5}"
        r"(?P<secret>[A-Za-z0-9._~+/-]{8,4000}={0,2})",
        is_given_key,
    ),
    _phrase(
        "bearer_token",
        "bearer",
        r"(?i:bearer)\s{1,5}(?P<secret>[A-Za-z0-9._~+/-]{20,4000}={0,2})",
        is_given_key,
    ),
    _phrase(
        "bearer_token",
        "basic",
        r"(?i:basic)\s{1,5}(?P<secret>[A-Za-z0-9+/]{20,4000}={0,2})(?![\w-])",
        is_given_key,
    ),
    _phrase(
        "password",
        '"auth"',
        r"\"auth\"\s{0,3}:\s{0,3}\"(?P<secret>[A-Za-z0-9+/]{12,400}={0,2})\"",
        is_given_key,
    ),
    _phrase(
        "password",
        "-u",
        r"-u(?:ser)?[\s=]{1,3}[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"'\[\]]{3,200})",
        after("curl", "wget", "http"),
    ),
    _phrase(
        "password", "-p", r"-p(?P<secret>[^\s\"'=-][^\s\"']{3,100})", after("mysql", "mariadb", "sshpass")
    ),
    _phrase(
        "password", "-p", r"-p\s[\"']?(?P<secret>[^\s\"'-][^\s\"']{3,100})", after("sshpass", "docker login")
    ),
    _phrase("password", "-a", r"-a\s[\"']?(?P<secret>[^\s\"'-][^\s\"']{3,100})", after("redis-cli")),
    _phrase(
        "password",
        "--",
        r"--(?:[a-z]{1,20}-)?(?:password|passwd|pass|passphrase|pwd|secret|token|(?:api|secret|access)-?key)\s{1,2}"
        r"[\"']?(?P<secret>[^\s\"'<>{}\[\]-][^\s\"'<>{}\[\]]{5,300})",
        is_chosen,
    ),
    _phrase(
        "password",
        "login",
        r"(?i:login)\s{1,3}[^\s]{1,100}\s{1,3}password\s{1,3}(?P<secret>[^\s]{4,200})",
        is_given,
    ),
    _phrase(
        "password",
        "identified",
        r"(?i:identified\s{1,3}by)\s{1,3}[\"'](?P<secret>[^\"'\n]{3,200})[\"']",
        is_chosen,
    ),
    _phrase(
        "password",
        "with",
        r"(?i:with\s{1,3}(?:encrypted\s{1,3})?password)\s{1,3}'(?P<secret>[^'\n]{3,200})'",
        is_given,
    ),
    _phrase(
        "pin",
        "pin",
        r"(?:PIN(?:[ _-]?(?i:code))?|(?i:pin[ _-]?code))[\"']?\s{0,2}(?:is|was|=|:)\s{0,2}"
        r"[\"']?(?P<secret>\d{4,8})\b",
        is_given,
    ),
    *(
        _phrase(
            "mnemonic",
            stem,
            rf"(?i:{stem})(?i:\s?(?:phrase|words))?[\"']?\s{{0,3}}(?:is|=|:)\s{{0,3}}[\"']?"
            r"(?P<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})",
            is_given,
        )
        for stem in ("mnemonic", "seed", "recovery")
    ),
    *(
        _phrase(
            "session_cookie",
            stem,
            rf"(?i:{re.escape(stem)})=(?P<secret>[A-Za-z0-9%._-]{{16,300}})",
            is_given_key,
        )
        for stem in ("phpsessid", "jsessionid", "connect.sid")
    ),
)


def named_secrets(text: str) -> list[Found]:
    """The secrets in a text that have a name, in order."""
    lowered = text.lower()
    if len(lowered) != len(text):  # one character became two: keep positions
        lowered = "".join(each.lower() if each.isascii() else each for each in text)
    found = [
        each for named in (*_NAMES, *_PHRASES) if named.stem in lowered for each in _of(named, text, lowered)
    ]
    return sorted(found, key=lambda each: (each.start, -each.end)) if len(found) > 1 else found


def _of(named: _Named, text: str, lowered: str) -> Iterator[Found]:
    place = lowered.find(named.stem)
    pattern = compiled(named.source)
    while place >= 0:
        end = place + len(named.stem)
        match = pattern.match(text, place)
        if match and (not named.before or follows(text, place, named.before)) and named.is_secret(match):
            group = "secret" if "secret" in pattern.groupindex else "quoted" if match["quoted"] else "bare"
            end = match.end(group)
            if group == "bare" and (rest := _REST.match(text, end)):
                end = rest.end()
            yield Found(match.start(group), end, named.kind)
        place = lowered.find(named.stem, end)
