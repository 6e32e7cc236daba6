"""Redaction of secrets, before anything is hashed or stored.

Each rule finds one kind of secret by the form that its issuer documents (prefix, length, alphabet), so prose
stays as it is. A secret becomes `[redacted:<kind>]`. Every repetition is bounded: the time is linear in the
length of the text.
"""

import re
from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: str
    pattern: re.Pattern[str]
    hint: tuple[str, ...]
    """Substrings in lower case; the pattern is tried only if the text contains one."""
    spares: re.Pattern[str] | None = None
    """Matches, at the group `secret`, a value that is not a secret despite the pattern."""


def _rule(
    kind: str,
    pattern: str,
    *hint: str,
    flags: re.RegexFlag = re.NOFLAG,
    spares: re.Pattern[str] | None = None,
) -> _Rule:
    return _Rule(kind, re.compile(pattern, flags), hint, spares)


# A value that names the place or the state of a secret instead of the secret.
_NO_SECRET = re.compile(
    r"\$[{(]|\$[A-Z_]{2,60}\b|\{\{?\s?[\w.]{1,60}\s?\}|%[({]?[a-z]|\*{3}|\.{3}"
    r"|[A-Za-z_][A-Za-z_.]{0,60}[\[(]"
    r"|(?:os|process|env|config|settings|secrets|vault|self|args|request)\.[A-Za-z_]"
    r"|(?:arn:|op://|vault:|ssm:|projects/)"
    r"|(?i:required|optional|string|undefined|missing|invalid|expire[ds]|rotate[ds]|stored|hidden|unknown|"
    r"unchanged|changed|disabled|enabled|should|cannot|always)(?![\w-]{0,100}[\d!$])\b"
)

_NAMED = (
    r"(?i)(?:password|passwd|secret|(?<![a-z0-9])pwd(?!.{0,8}[=:]\s{0,3}[/~])|api[_-]?key|access[_-]?token"
    r"|auth[_-]?token|secret[_-]?key)[\"']?\s{0,3}[=:]\s{0,3}"
)
_NAMES = ("passw", "pwd", "secret", "key", "token")


# A rule with a group `secret` replaces that group only; the others replace the whole match.
_RULES = (
    _rule(
        "private_key",
        r"-----BEGIN (?P<label>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
        r"(?:(?!-----BEGIN ).){1,20000}?(?:-----END (?P=label)-----|(?=-----BEGIN )|\Z)",
        "-----begin ",
        flags=re.DOTALL,
    ),
    _rule(
        "connection_string",
        r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,30}://[^\s:/@\"'<>]{0,200}:"
        r"(?P<secret>[^\s@/\"'<>]{1,500}(?:@[^\s@/?#,\"'<>]{0,100}){0,5})@[^\s\"'<>]",
        "://",
    ),
    _rule(  # a password that holds an unencoded slash, where no port can be meant
        "connection_string",
        r"(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|ftp|smtps?)"
        r"(?:\+[a-z0-9_]{1,20})?://[^\s:/@\"'<>]{0,200}:(?!\d{1,5}/|\[redacted:)(?P<secret>[^\s@\"'<>]{1,500})@[^\s\"'<>]",
        "://",
    ),
    _rule("jwt", r"\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}", "eyj"),
    _rule("anthropic_key", r"\bsk-ant-[A-Za-z0-9_-]{20,200}", "sk-ant-"),
    _rule("openai_key", r"\bsk-(?=[A-Za-z0-9_-]{0,60}(?:\d|[a-z][A-Z]))[A-Za-z0-9_-]{20,200}", "sk-"),
    _rule("aws_access_key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", "akia", "asia", "abia", "acca"),
    _rule(
        "aws_secret_key",
        r"(?i)aws.{0,20}secret.{0,20}?[=:\s\"']{1,5}(?P<secret>[A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])",
        "secret",
    ),
    _rule(
        "github_token",
        r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})",
        "gh",
        "github_pat_",
    ),
    _rule("gitlab_token", r"\bglpat-[A-Za-z0-9_-]{20,100}", "glpat-"),
    _rule("slack_token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}", "xox"),
    _rule("slack_webhook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,100}", "hooks.slack.com"),
    _rule("google_api_key", r"\bAIza[A-Za-z0-9_-]{35}", "aiza"),
    _rule("google_oauth_token", r"\bya29\.[A-Za-z0-9_-]{20,300}", "ya29."),
    _rule("stripe_key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}", "k_live_", "k_test_"),
    _rule("npm_token", r"\bnpm_[A-Za-z0-9]{36}\b", "npm_"),
    _rule("pypi_token", r"\bpypi-[A-Za-z0-9_-]{50,300}", "pypi-"),
    _rule("huggingface_token", r"\bhf_[A-Za-z0-9]{30,60}\b", "hf_"),
    _rule("sendgrid_key", r"\bSG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{20,60}", "sg."),
    _rule("strata_key", r"\bstrata_[A-Za-z0-9]{4,64}_[A-Za-z0-9_-]{20,128}", "strata_"),
    _rule(
        "azure_account_key",
        r"(?i)(?:account|sharedaccess)key=(?P<secret>[A-Za-z0-9+/=]{40,120})",
        "accountkey=",
        "sharedaccesskey=",
    ),
    _rule(
        "bearer_token",
        r"\b(?:(?i:authorization[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?:bearer|basic))\s{1,5}"
        r"|(?i:bearer|basic)\s{1,5}(?=[A-Za-z0-9._~+/-]{0,60}(?:\d|[a-z][A-Z])))"
        r"(?P<secret>[A-Za-z0-9._~+/-]{20,4000}={0,2})",
        "bearer",
        "basic",
    ),
    _rule(
        "token",
        r"(?i)token[\"']?\s{0,3}[=:]\s{0,3}[\"']?"
        r"(?P<secret>(?=[a-z._~+/-]{0,60}\d)(?=[0-9._~+/-]{0,60}[a-z])[a-z0-9._~+/-]{16,4000}={0,2})",
        "token",
        spares=_NO_SECRET,
    ),
    _rule("docker_token", r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}", "dckr_"),
    _rule("digitalocean_token", r"\bdo[opr]_v1_[a-f0-9]{64}\b", "_v1_"),
    _rule("age_key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{50,70}\b", "age-secret-key-"),
    _rule(
        "password",
        r"\bcurl\s[^\n]{0,300}?(?<=\s)(?:-u|--user)[\s=]{1,3}[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"'\[\]]{3,200})",
        "curl",
        spares=_NO_SECRET,
    ),
    _rule(  # in quotes to their end, words and all
        "password",
        _NAMED + r"(?P<quote>[\"'])(?P<secret>(?:(?<==.)|(?<==\s.)|(?=[^\s\"',;&<>\[\]]{6}))"
        r"(?!\[redacted:)[^\"'\n]{6,200})(?P=quote)",
        *_NAMES,
        spares=_NO_SECRET,
    ),
    _rule("password", _NAMED + r"[\"']?(?P<secret>[^\s\"',;&<>\[\]]{6,500})", *_NAMES, spares=_NO_SECRET),
)


def redact(text: str) -> tuple[str, Counter[str]]:
    """The text without its secrets, and the number of secrets of each kind."""
    found: Counter[str] = Counter()
    lowered = text.lower()
    for rule in _RULES:
        if not any(hint in lowered for hint in rule.hint):
            continue

        def replace(match: re.Match[str], rule: _Rule = rule) -> str:
            if rule.spares is not None and rule.spares.match(match.string, match.start("secret")):
                return match.group()
            found[rule.kind] += 1
            mark = f"[redacted:{rule.kind}]"
            if "secret" not in match.re.groupindex:
                return mark
            whole, start = match.group(), match.start()
            return whole[: match.start("secret") - start] + mark + whole[match.end("secret") - start :]

        text = rule.pattern.sub(replace, text)
    return text, found
