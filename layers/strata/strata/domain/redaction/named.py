"""Secrets that only their name tells: assignments, headers, options of commands, and sentences.

A stem such as `pass` or `key` is found first, by a plain search; the patterns are tried there alone. Every
repetition is bounded, so the time is linear in the length of the text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from strata.domain.redaction.words import compiled, is_name, mixture


@dataclass(frozen=True, slots=True)
class Found:
    """A secret by its position in the text, and its kind."""

    start: int
    end: int
    kind: str


Judge = Callable[[re.Match[str]], bool]


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


_BEFORE = 16
"""Characters before a stem that tell its name."""
_JUDGED = 80
"""Characters of a value that tell whether it is a secret."""
_LINE = 300
"""Characters of a line between a command and its option."""

_MARK = "[redacted:"

_NO_VALUE = re.compile(  # the place or the state of a secret, instead of the secret
    r"\$[{(]|\$[A-Za-z_]\w{0,60}$|\{|%[({]?[a-zA-Z]|:?\*{3}|\.{3}|<|\(|#\{"
    r"|[A-Za-z_][\w.:]{0,60}[\[(]"
    r"|(?:os|process|env|config|settings|secrets|vault|self|args|request|this|props|ctx|var|local|data|module)\.[A-Za-z_]"
    r"|(?:arn:|op://|vault:|ssm:|projects/|file:|env:|https?://)"
    r"|[~.]{0,2}(?:/[A-Za-z_.-]{1,60}){2,20}/?$"
    r"|(?i:(?:your|my|the|some|example|sample|dummy)[_-](?!.{0,60}\d))"
    r"|(?i:placeholder|change_?me|x{3,}|redacted|masked|none|null|nil|true|false|required|optional|string|undefined"
    r"|missing|invalid|expire[ds]?|rotate[ds]?|stored|hidden|unknown|unchanged|changed|disabled|enabled|should"
    r"|cannot|always|bytes|object|boolean|number|integer|secretstr|any)(?![\w-]{0,100}[\d!$])\b"
)
_OF_A_NAME = re.compile(
    r"(?i)pass(?:w(?:or)?d|phrase|code|wort|_)?|pwd|secret|token|api.?key|credential|user|login|contrase|kennwort"
)
_VARIABLE = re.compile(r"[A-Za-z_$][A-Za-z_.$]*")
_NUMBERED_VARIABLE = re.compile(
    r"(?i)(?:pass(?:w(?:or)?d)?|pw|pwd|secret|key|token|arg|value|var|param|s|p|x)_?\d{1,2}"
)
_SYMBOL = re.compile(r"[@#$%^!~]")

_QUOTES = r"[\"'`*\\]{0,4}"
_SET = (
    rf"(?:{_QUOTES}\s{{0,3}}(?P<set>:=|=>|={{1,3}}|:|%3[Dd]|%3[Aa]|[\"'] value=)[\s*]{{0,4}}"
    r"(?:[>|][+-]?[0-9]?\s{1,20})?"
    r"|\s(?P<said>(?:is|was|are|es|ist):?)\s{1,3}|(?P<tag>>))"
)
_VALUE = (
    r"(?:[bruf]{0,2}\\{0,2}(?P<quote>[\"'`])(?P<quoted>[^\"'`\n]{4,300}?)\\{0,2}(?P=quote)"
    r"|(?P<bare>[^\s\"',;&<>\[\]`\\]{4,500}))"
)


def _named(kind: str, stem: str, name: str, judge: Judge, before: tuple[str, ...] = ()) -> _Named:
    return _Named(kind, stem, f"(?i:{name})" + _SET + _VALUE, judge, before)


def _value(match: re.Match[str]) -> str:
    return (match["quoted"] or match["bare"])[:_JUDGED]


def _is_password(match: re.Match[str]) -> bool:
    """A password may be any word, so an unquoted one counts where no variable or prose can stand."""
    value = _value(match)
    if _is_placeholder(match, value) or _NUMBERED_VARIABLE.fullmatch(value.rstrip(").]}:")):
        return False
    if match["said"] or match["tag"]:
        return _looks_chosen(value)
    if match["quoted"]:
        first = re.split(r"[\s,;&]", value, maxsplit=1)[0]
        return "=" in match["set"] or len(first) >= 5 or _looks_chosen(value)
    word = value.rstrip(").]}:!?")
    if len(word) < 4:
        return False
    if not _VARIABLE.fullmatch(word):
        return word.isdigit() is False or len(word) >= 6
    return _stands_alone(match, word) or (mixture(word) >= 0.4 and len(word) >= 10)


def _stands_alone(match: re.Match[str], word: str) -> bool:
    """Whether a word is the value of a setting: `DB_PASS=swordfish`, or a line `password: swordfish`."""
    text, start, end = match.string, match.start("bare"), match.end("bare")
    if not word.isalpha() or len(word) < 5 or end - start != len(word):
        return False
    following = text[end : end + 1]
    if match["set"] == "=":
        return text[start - 1] == "=" and following in ("", "\n", "\r", " ", "&", '"', "'")
    return (
        match["set"] == ":"
        and word.islower()
        and "\n" not in text[match.start() : start]
        and following in ("", "\n", "\r")
    )


def _looks_chosen(value: str) -> bool:
    """Whether a value has letters with digits or symbols among them, as passwords that people choose do."""
    word = value.rstrip(").,]}:!?")
    if len(word) < 6 or any(map(str.isspace, word)):
        return False
    letters, digits = any(map(str.isalpha, word)), any(map(str.isdigit, word))
    return letters and (digits or _SYMBOL.search(word) is not None) and not _is_term(word)


def _is_term(word: str) -> bool:
    parts = re.split(r"[-_./]", word)
    return all(
        part.isalpha() or part.isdigit() or (is_name(part) and not _SUFFIXED.fullmatch(part))
        for part in parts
    )


_SUFFIXED = re.compile(r"[a-z]{5,}\d{1,2}")


def _is_key(match: re.Match[str]) -> bool:
    """A key or token is made by a machine: what reads like a name is none."""
    value = _value(match).rstrip(").]}:!?")
    if _is_placeholder(match, value) or len(value) < 6 or any(map(str.isspace, value)):
        return False
    return "{" not in value and not is_name(value) and any(map(str.isalpha, value))


def _is_token(match: re.Match[str]) -> bool:
    """Tokens of pages and parsers are no secrets; without a name like `access_token` only long values are."""
    if _follows(match.string, match.start(), _NO_TOKENS):
        return False
    return (len(_value(match)) >= 16 or _follows(match.string, match.start(), _TOKENS)) and _is_key(match)


def _follows(text: str, place: int, names: tuple[str, ...]) -> bool:
    before = text[max(0, place - _BEFORE) : place].lower()
    return before.endswith(names) or (before[-1:] in ("_", "-", " ") and before[:-1].endswith(names))


def _is_placeholder(match: re.Match[str], value: str) -> bool:
    if _MARK in value or _NO_VALUE.match(value):
        return True
    if match["tag"] and not match.string.startswith("</", match.end()):
        return True
    if match["set"] and match.string.startswith("=", match.end("set")):
        return True
    plain = not any(map(str.isdigit, value)) and not _SYMBOL.search(value)
    return plain and _OF_A_NAME.search(value) is not None


def _is_given(match: re.Match[str]) -> bool:
    """Whether what a phrase names is no placeholder."""
    secret = match["secret"]
    return _MARK not in secret and not _NO_VALUE.match(secret) and not _OF_A_NAME.fullmatch(secret)


def _is_given_key(match: re.Match[str]) -> bool:
    secret = match["secret"].rstrip(".,")
    return _is_given(match) and (not is_name(secret) or secret.endswith("="))


def _is_chosen(match: re.Match[str]) -> bool:
    return _is_given(match) and _looks_chosen(match["secret"])


def _after(*commands: str) -> Judge:
    """Judge an option by the command before it on its line."""

    def judge(match: re.Match[str]) -> bool:
        line = match.string[max(0, match.start() - _LINE) : match.start()].rpartition("\n")[2]
        return _is_given(match) and any(command in line for command in commands)

    return judge


_NO_TOKENS = tuple(
    """
    page next continuation cursor sync pagination previous prev last first start end stop pad eos bos sep mask
    unk special cancellation lock fencing read request resume skip max public publickey
    """.split()  # noqa: SIM905
)
"""Names of tokens that open nothing."""
_TOKENS = ("access", "auth", "refresh", "bearer", "bot", "api")
_KEYS = tuple(
    """
    api secret access private account encryption signing master license licence storage shared webhook app
    admin service integration auth deploy write ingest server root subscription
    """.split()  # noqa: SIM905
)
_OWNERS = ("_", "-", "db", "user", "smtp", "mysql", "root", "admin", "ftp", "ssh", "redis", "sql", "pg")

_NAMES = (
    _named("password", "passw", r"passw(?:or)?d|passwort", _is_password),
    _named("password", "passphrase", "passphrase", _is_password),
    _named("password", "passcode", "passcode", _is_password),
    _named("password", "contrase", "contrase(?:ñ|n)a", _is_password),
    _named("password", "kennwort", "kennwort", _is_password),
    _named("password", "senha", "(?<![a-z])senha", _is_password),
    _named("password", "pwd", "(?<![a-z0-9])pwd", _is_password),
    _named("password", "pass", "pass", _is_password, _OWNERS),
    _named("aws_secret_key", "secret", r"secret[_-]?access[_-]?key", _is_key),
    _named("password", "secret", r"(?<!:)secret(?:[_ -]?key)?", _is_key),  # not the `:secret:` of an ARN
    _named("password", "credential", "credentials?", _is_key),
    _named("token", "token", "token", _is_token),
    _named("password", "key", "key", _is_key, _KEYS),
)


def _phrase(kind: str, stem: str, pattern: str, judge: Judge) -> _Named:
    return _Named(kind, stem, pattern, judge)


_PHRASES = (
    _phrase(
        "bearer_token",
        "authorization",
        r"(?i:authorization)[\"'\\]{0,3}\s{0,3}[=:]\s{0,3}[\"'\\]{0,3}(?i:bearer|basic|token|api-?key)\s{1,5}"
        r"(?P<secret>[A-Za-z0-9._~+/-]{8,4000}={0,2})",
        _is_given_key,
    ),
    _phrase(
        "bearer_token",
        "bearer",
        r"(?i:bearer)\s{1,5}(?P<secret>[A-Za-z0-9._~+/-]{20,4000}={0,2})",
        _is_given_key,
    ),
    _phrase(
        "bearer_token",
        "basic",
        r"(?i:basic)\s{1,5}(?P<secret>[A-Za-z0-9+/]{20,4000}={0,2})(?![\w-])",
        _is_given_key,
    ),
    _phrase(
        "password",
        '"auth"',
        r"\"auth\"\s{0,3}:\s{0,3}\"(?P<secret>[A-Za-z0-9+/]{12,400}={0,2})\"",
        _is_given_key,
    ),
    _phrase(
        "password",
        "-u",
        r"-u(?:ser)?[\s=]{1,3}[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"'\[\]]{3,200})",
        _after("curl", "wget", "http"),
    ),
    _phrase(
        "password", "-p", r"-p(?P<secret>[^\s\"'=-][^\s\"']{3,100})", _after("mysql", "mariadb", "sshpass")
    ),
    _phrase(
        "password", "-p", r"-p\s[\"']?(?P<secret>[^\s\"'-][^\s\"']{3,100})", _after("sshpass", "docker login")
    ),
    _phrase("password", "-a", r"-a\s[\"']?(?P<secret>[^\s\"'-][^\s\"']{3,100})", _after("redis-cli")),
    _phrase(
        "password",
        "--",
        r"--(?:[a-z]{1,20}-)?(?:password|passwd|pass|passphrase|pwd|secret|token|(?:api|secret|access)-?key)\s{1,2}"
        r"[\"']?(?P<secret>[^\s\"'<>{}\[\]-][^\s\"'<>{}\[\]]{5,300})",
        _is_chosen,
    ),
    _phrase(
        "password",
        "login",
        r"(?i:login)\s{1,3}[^\s]{1,100}\s{1,3}password\s{1,3}(?P<secret>[^\s]{4,200})",
        _is_given,
    ),
    _phrase(
        "password",
        "identified",
        r"(?i:identified\s{1,3}by)\s{1,3}[\"'](?P<secret>[^\"'\n]{3,200})[\"']",
        _is_chosen,
    ),
    _phrase(
        "password",
        "with",
        r"(?i:with\s{1,3}(?:encrypted\s{1,3})?password)\s{1,3}'(?P<secret>[^'\n]{3,200})'",
        _is_given,
    ),
    _phrase(
        "pin",
        "pin",
        r"(?:PIN(?:[ _-]?(?i:code))?|(?i:pin[ _-]?code))[\"']?\s{0,2}(?:is|was|=|:)\s{0,2}"
        r"[\"']?(?P<secret>\d{4,8})\b",
        _is_given,
    ),
    *(
        _phrase(
            "mnemonic",
            stem,
            rf"(?i:{stem})(?i:\s?(?:phrase|words))?[\"']?\s{{0,3}}(?:is|=|:)\s{{0,3}}[\"']?"
            r"(?P<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})",
            _is_given,
        )
        for stem in ("mnemonic", "seed", "recovery")
    ),
    *(
        _phrase(
            "session_cookie",
            stem,
            rf"(?i:{re.escape(stem)})=(?P<secret>[A-Za-z0-9%._-]{{16,300}})",
            _is_given_key,
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
        if match and (not named.before or _follows(text, place, named.before)) and named.is_secret(match):
            group = "secret" if "secret" in pattern.groupindex else "quoted" if match["quoted"] else "bare"
            end = max(end, match.end(group))
            yield Found(match.start(group), match.end(group), named.kind)
        place = lowered.find(named.stem, end)
