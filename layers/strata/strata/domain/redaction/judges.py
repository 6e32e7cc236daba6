"""Judgements whether what stands behind a name is a secret, or a variable, a placeholder or prose."""

import re
from collections.abc import Callable

from strata.domain.redaction.words import is_name, mixture

Judge = Callable[[re.Match[str]], bool]
"""Judges a match of a pattern of `named`, by its groups."""

_BEFORE = 16
"""Characters before a stem that tell its name."""
JUDGED = 80
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

_NO_TOKENS = tuple(
    """
    page next continuation cursor sync pagination previous prev last first start end stop pad eos bos sep mask
    unk special cancellation lock fencing read request resume skip max public publickey
    """.split()  # noqa: SIM905
)
"""Names of tokens that open nothing."""
_TOKENS = ("access", "auth", "refresh", "bearer", "bot", "api")


def _value(match: re.Match[str]) -> str:
    return (match["quoted"] or match["bare"])[:JUDGED]


def is_password(match: re.Match[str]) -> bool:
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


def is_key(match: re.Match[str]) -> bool:
    """A key or token is made by a machine: what reads like a name is none."""
    value = _value(match).rstrip(").]}:!?")
    if _is_placeholder(match, value) or len(value) < 6 or any(map(str.isspace, value)):
        return False
    return "{" not in value and not is_name(value) and any(map(str.isalpha, value))


def is_token(match: re.Match[str]) -> bool:
    """Tokens of pages and parsers are no secrets; without a name like `access_token` only long values are."""
    if follows(match.string, match.start(), _NO_TOKENS):
        return False
    return (len(_value(match)) >= 16 or follows(match.string, match.start(), _TOKENS)) and is_key(match)


def follows(text: str, place: int, names: tuple[str, ...]) -> bool:
    """Whether one of the names, in lower case, ends before this place, but for a separator."""
    before = text[max(0, place - _BEFORE) : place].lower()
    return before.endswith(names) or (before[-1:] in ("_", "-", " ") and before[:-1].endswith(names))


def _is_placeholder(match: re.Match[str], value: str) -> bool:
    if _MARK in value or _NO_VALUE.match(value):
        return True
    if match["tag"] and len(value) < JUDGED and not match.string.startswith("</", match.end()):
        return True
    if match["set"] and match.string.startswith("=", match.end("set")):
        return True
    plain = not any(map(str.isdigit, value)) and not _SYMBOL.search(value)
    return plain and _OF_A_NAME.search(value) is not None


def is_given(match: re.Match[str]) -> bool:
    """Whether what a phrase names is no placeholder."""
    secret = match["secret"]
    return _MARK not in secret and not _NO_VALUE.match(secret) and not _OF_A_NAME.fullmatch(secret)


def is_given_key(match: re.Match[str]) -> bool:
    """Whether what a phrase names looks made by a machine."""
    secret = match["secret"].rstrip(".,")
    return is_given(match) and (not is_name(secret) or secret.endswith("="))


def is_chosen(match: re.Match[str]) -> bool:
    """Whether what a phrase names looks like a password that somebody chose."""
    return is_given(match) and _looks_chosen(match["secret"])


def after(*commands: str) -> Judge:
    """Judge an option by the command before it on its line."""

    def judge(match: re.Match[str]) -> bool:
        line = match.string[max(0, match.start() - _LINE) : match.start()].rpartition("\n")[2]
        return is_given(match) and any(command in line for command in commands)

    return judge
