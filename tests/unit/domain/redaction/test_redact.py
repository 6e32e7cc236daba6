"""Secrets are taken out, prose is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.domain.redaction.redact import redact

A, D = "aB3dE5gH7jK9mN1pQ3sT5vX7zA2cE4gI6kM8oR0t", "0123456789"
"""Made-up letters and digits; secrets are put together here, so that no scanner takes them for real."""

SECRETS = [
    ("private_key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----"),
    ("private_key", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----"),
    ("private_key", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ\n-----END PGP PRIVATE KEY BLOCK-----"),
    ("private_key", "-----BEGIN PRIVATE KEY-----\nMIIE and then the text ends"),
    ("jwt", f"eyJ{A[:20]}.eyJ{A[:30]}.{A[:25]}"),
    ("anthropic_key", f"sk-ant-api03-{A}"),
    ("openai_key", f"sk-proj-{A}"),
    ("openai_key", f"sk-{A}"),
    ("aws_access_key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("aws_access_key", "ASIA" + "IOSFODNN7EXAMPLE"),
    ("github_token", f"ghp_{A[:36]}"),
    ("github_token", f"github_pat_{A[:30]}"),
    ("gitlab_token", f"glpat-{A[:20]}"),
    ("slack_token", f"xoxb-{D}-{D}-{A[:20]}"),
    ("slack_webhook", f"https://hooks.slack.com/services/T000/B000/{A[:24]}"),
    ("google_api_key", f"AIza{A[:35]}"),
    ("google_oauth_token", f"ya29.{A}"),
    ("stripe_key", f"sk_live_{A[:24]}"),
    ("npm_token", f"npm_{A[:36]}"),
    ("pypi_token", f"pypi-{A}{A}"),
    ("huggingface_token", f"hf_{A[:34]}"),
    ("sendgrid_key", f"SG.{A[:22]}.{A[:40]}"),
    ("strata_key", f"strata_k1abc_{A[:32]}"),
    ("docker_token", f"dckr_pat_{A[:27]}"),
    ("digitalocean_token", "dop_v1_" + "0a" * 32),
    ("age_key", "AGE-SECRET-KEY-1" + "Q7" * 29),
]

NAMED = [
    ("connection_string", "postgres://app:{}@db.internal:5432/app", "hunter2hunter2"),
    ("connection_string", "redis://:{}@cache:6379/0", "hunter2hunter2"),
    ("connection_string", "mongodb+srv://app:{}@cluster0.example.net", "p%40ss-w0rd"),
    ("aws_secret_key", "aws_secret_access_key = {}", A[:40]),
    ("azure_account_key", "AccountName=x;AccountKey={};EndpointSuffix=y", A + A + "=="),
    ("bearer_token", "Authorization: Bearer {}", A[:30]),
    ("bearer_token", "authorization: basic {}", A[:30] + "=="),
    ("password", "password={}", "hunter2"),
    ("password", 'DB_PASSWORD: "{}"', "hunter2"),
    ("password", '{{"client_secret": "{}"}}', "s3cr3t-value"),
    ("password", "api_key = {}", "abcdef123456"),
    ("token", "export MY_ACCESS_TOKEN={}", "abcdef123456"),
    ("connection_string", "postgres://app:{}@db.internal/app", "p@ss:w@rd"),
    ("connection_string", "mysql://root:{}@db.internal/app", "p/ssw0rd"),
    ("password", "PGPASSWORD={} psql", "hunter2"),
    ("password", '{{"adminPassword": "{}"}}', "correct horse battery staple"),
    ("password", "password='{}'", "my dog has fleas"),
    ("password", "curl -s -u admin:{} https://example.com", "hunter2"),
    ("token", "https://example.com/feed?token={}", "a1b2c3d4e5f6a7b8c9"),
    ("token", "refresh_token: {}", A[:30]),
]

PROSE = [
    "",
    "The password is rotated every month, and the secret of the team is patience.",
    "Ask for the API key; the key: value pairs are in the table.",
    "We chose bearer tokens over basic authentication.",
    "See https://example.com/a:b@c and mailto:ann@example.com, or http://localhost:7437/health.",
    "ssh://git@github.com/acme/app.git",
    "sk-learn and sk-image are not what you think; neither is eyJ.",
    "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "The commit is 3f786850e387550fdab836ed7e6dc881de23001b.",
    "id 9f8b7c6d-1234-4a5b-8c9d-0e1f2a3b4c5d, sha256:" + "ab12" * 16,
    "monkey=business, tokenise = yes, keyboard: qwerty",
    "passwords: see the vault",
    "hf_hub, npm_config, gh_pages and strata_table are names.",
    "AKIA is a prefix; AKIAIOSFODNN7 is too short.",
    "Let the secret be: 42",
    "use `max_tokens=4096` and `token_budget: 2000`",
    "password = os.environ['DB_PASSWORD'] or password=get_password(user)",
    "client_secret: ${CLIENT_SECRET}, password=$DB_PASSWORD, password: {{ vault.db }}",
    "api_key: required, the access_token: expires after an hour, secret_key: stored-in-vault",
    "secret: arn:aws:secretsmanager:eu-west-1:1:secret:app, pwd: /home/ann/project, password: ********",
    "We use basic authentication/authorization-flows and bearer responsibilities-of-everybody.",
    "sk-learn-contrib-lightning-fast-models is the name of a package.",
    "mysql://localhost:3306/shop,ann@example.com and http://localhost:8080/@scope/package",
    "token: string, page_token: the-one-that-came-last-time",
]


@pytest.mark.parametrize(("kind", "secret"), SECRETS)
@pytest.mark.parametrize("around", ["{}", "the value is {} and no more", "{}\n", "«{}»", "x\n{}."])
def test_a_secret_of_its_own_form_is_taken_out_wherever_it_stands(kind, secret, around):
    if secret.endswith("the text ends") and around != "{}":
        around = "x {}"
    text, found = redact(around.format(secret))
    assert text == around.format(f"[redacted:{kind}]")
    assert found == {kind: 1}


@pytest.mark.parametrize(("kind", "around", "secret"), NAMED)
def test_a_secret_with_a_name_leaves_its_name(kind, around, secret):
    text, found = redact("before " + around.format(secret))
    assert text == "before " + around.format(f"[redacted:{kind}]")
    assert found == {kind: 1}


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_left_alone(text):
    assert redact(text) == (text, {})


def test_every_secret_is_counted():
    text, found = redact(f"ghp_{A[:36]} ghp_{A[:36]} password=hunter2")
    assert found == {"github_token": 2, "password": 1}
    assert A[:36] not in text


@given(
    st.lists(st.sampled_from([s for _, s in SECRETS] + PROSE) | st.text(max_size=20), max_size=6).map(
        " ".join
    )
)
def test_what_was_redacted_stays_as_it_is(text):
    once, _ = redact(text)
    assert redact(once)[0] == once


@given(st.text(max_size=300))
def test_any_text_is_taken(text):
    redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 50_000,
        "eyJ" * 16_000,
        "-----BEGIN PRIVATE KEY-----" * 1800,
        "a://b:" * 8000,
        "aws secret " * 4500,
        "password" * 6000,
        "a_" * 25_000,
        "bearer " * 7000,
        "sk-" * 16_000,
        "xox" * 16_000,
    ],
)
@pytest.mark.timeout(5)
def test_the_longest_hostile_content_takes_no_quadratic_time(text):
    redact(text)
