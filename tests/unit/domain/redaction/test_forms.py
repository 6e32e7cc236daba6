"""The forms of secrets that are found, and the ordinary texts that stay as they are."""

import base64
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from strata.domain.redaction.forms import FORMS, SPACED
from strata.domain.redaction.redact import redact
from support.secret_forms import ISSUED, NAMED, filled, templates, worded

ROOT = Path(__file__).resolve().parents[4]


def left_of(template: str) -> list[str]:
    """The parts of the secret that redaction leaves in the text."""
    text, secret = filled(template)
    redacted, _ = redact(text)
    return [part for part in secret if part in redacted]


def test_no_part_of_more_than_200_forms_of_secrets_is_left() -> None:
    cases = [*templates(ISSUED), *templates(NAMED)]
    assert len(set(cases)) > 200
    assert {template: left for template in cases if (left := left_of(template))} == {}


@pytest.mark.parametrize("before", ["KEY_", "x_", "_", "トークン", "clé", "x", "=", "(", "\u200b"])
@pytest.mark.parametrize(
    "template", ["AKIA{U16}", "ghp_{N36}", "glpat-{W20}", "hvs.{W95}", "xoxb-{D12}-{D12}-{N24}"]
)
def test_what_stands_before_a_prefix_hides_nothing(before: str, template: str) -> None:
    text, secret = filled(template)
    assert not any(part in redact(before + text)[0] for part in secret)


def test_invisible_characters_hide_nothing() -> None:
    text, _ = filled("ghp_{N36}")
    hidden = text[:10] + "\u200b" + text[10:]
    assert redact(f"the key {hidden} is old") == (
        "the key [redacted:github_token] is old",
        {"github_token": 1},
    )
    assert redact("a\u200bb") == ("a\u200bb", {}), "where there is no secret, the text stays as it is"


def test_words_in_the_shape_of_a_secret_are_none() -> None:
    texts = [worded(template) for template in templates(ISSUED) if "discord.com" not in template]
    assert [text for text in texts if redact(text) != (text, {})] == []


def test_every_form_is_in_the_table_of_cases() -> None:
    kinds = {
        kind
        for template in (*templates(ISSUED), *templates(NAMED))
        for kind in redact(filled(template)[0])[1]
    }
    assert {form.kind for form in (*SPACED, *FORMS)} - kinds == set()


ORDINARY = """
sk-sidebar-item-2-active-hover-state is the CSS class
The bearer TokenVerificationMiddleware1 class
api-key: rotate every 90 days
secret: Kubernetes mounts it at /var/run/secrets/kubernetes.io/serviceaccount
the key token: user-session-2024-01-15-eu-west
secret=ingredient
secret: my_app_database_credentials
password: str | None = None
def connect(user, password=password, token=self.token, api_key=settings.api_key): pass
"password": "Enter your password", "token": "next-page-token-of-the-list"
password = getpass.getpass("Password: ")
password: ${DB_PASSWORD}  # from the vault
the password is base64-encoded and the token is sha256-hashed
"arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf"
postgres://user:password@localhost:5432/app is what the manual writes
<label for="password">Password</label><input type="password" name="password">
next_token=eyJvZmZzZXQiOiAyMCwgInBhZ2UiOiAzfQ==
publicKeyToken="1fc8b3b9a1e18e3b"
docker run --rm -v `pwd`:/data -e PWD=/home/ann/project and pwd: ~/project
PIN 4 of the chip and pin 12 of the header
mysql -u root -p shop < dump.sql; curl -u "$USER:$PASSWORD" https://example.com
key-value pairs, key-5 and cache-key-5f4dcc3b5aa765d61d8327deb882cf99
npm_config_registry, hf_hub_download, glsa_ and sk-learn, pk_live_ and whsec_ are prefixes and names
"""


def test_lines_that_only_look_like_secrets_stay_as_they_are() -> None:
    assert [line for line in ORDINARY.strip().splitlines() if redact(line) != (line, {})] == []


def sources() -> Iterator[str]:
    """Code and its documentation, lock files with hashes, prose."""
    library = Path(base64.__file__).parent
    for package in ("asyncio", "email", "http", "importlib", "json", "unittest", "ctypes", "concurrent"):
        yield from (path.read_text(encoding="utf-8") for path in sorted((library / package).glob("*.py")))
    yield from (path.read_text(encoding="utf-8") for path in sorted((ROOT / "requirements").glob("*.txt")))
    yield from (
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "decisions").glob("*.md"))
    )


def invented() -> Iterator[str]:
    """Logs, fixtures, a minified script, images in base64, digests."""
    chance = Random(5)

    def hexes(length: int) -> str:
        return chance.randbytes(length // 2).hex()

    for number in range(600):
        when = f"2026-01-02T03:{number % 60:02}:09Z"
        yield f"{when} INFO request_id={hexes(8)}-{hexes(4)} status=200 ms={number} etag={hexes(32)}"
        yield f"commit {hexes(40)} (tag: v1.{number}) key={number} token_budget=2000 max_tokens: {number}"
        yield f'{{"id": "{hexes(24)}", "sha256": "{hexes(64)}", "session": "{hexes(32)}", "key": {number}}}'
        yield f'"integrity": "sha512-{base64.b64encode(chance.randbytes(64)).decode()}", "dev": true'
        yield f"data:image/png;base64,{base64.b64encode(chance.randbytes(600)).decode()}"
        names = [f"{chance.choice('abcdefgh')}{chance.choice('ijklmnop')}" for _ in range(40)]
        body = ";".join(f"{one}.{other}=({one},{other}[{number}])" for one, other in pairwise(names))
        yield f"!function({','.join(names)}){{return {body}}}();"


def test_ten_thousand_ordinary_lines_stay_as_they_are() -> None:
    lines = [*(line for text in sources() for line in text.splitlines()), *invented()]
    altered = [line for line in lines if redact(line)[1]]
    assert len(lines) >= 10_000
    assert altered == []


HOSTILE = (
    *(
        "curl ",
        "curl -u a:",
        "password=",
        'token="',
        "secret: ",
        "bearer ",
        "Authorization: Bearer ",
        "mnemonic: abc ",
    ),
    *(
        "eyJ",
        "a.eyJ",
        "sk-",
        "xoxb-",
        "MIIABCIBAAKC",
        "a.b",
        ".atlasv1.",
        "sig=",
        "A-",
        "f" * 32 + "-",
        "seed ",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "Private-Lines: 9\n",
        "postgres://a:",
        "a://b:c@",
        "://aaaaaaaaaaaaaaaaaaaaaaaaa",
    ),
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_the_time_is_linear_in_the_length_of_the_text(piece: str) -> None:
    """Less than 3 times for twice the text, over three doublings: 27 times, where a square makes it 64."""

    def seconds(length: int) -> float:
        text, times = piece * (length // len(piece)), []
        for _ in range(3):
            started = time.process_time()
            redact(text)
            times.append(time.process_time() - started)
        return min(times)

    assert seconds(64_000) < 27 * max(seconds(8_000), 0.0005)
