"""Forms of secrets that show without a name: prefix, alphabet and length as their issuers document them.

One row a form. To add one, add its row here, and a positive and a negative case to the tests.
"""

import re
from dataclasses import dataclass

from strata.domain.redaction.words import compiled, is_name


@dataclass(frozen=True, slots=True)
class Form:
    """A form of secrets.

    Attributes:
        kind: its name in the mark `[redacted:<kind>]`.
        hint: a literal in every such secret, or just before it; the pattern is tried only where it occurs.
        source: the pattern, which matches the secret, or what holds it in its group `secret`.
        judged: whether a match is no secret where its group `random`, else all of it, reads like a name.
    """

    kind: str
    hint: str
    source: str
    judged: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled at its first use."""
        return compiled(self.source)

    def is_secret(self, match: re.Match[str]) -> bool:
        """Whether a match of the pattern is a secret."""
        groups = match.re.groupindex
        random = (
            match["random"] if "random" in groups else match["secret"] if "secret" in groups else match[0]
        )
        return not (self.judged and is_name(random))


def _form(kind: str, hint: str, pattern: str, *, judged: bool = False) -> Form:
    return Form(kind, hint, f"(?s:{pattern})", judged)


def _token(kind: str, prefix: str, rest: str, *, judged: bool = True) -> Form:
    """A token with a prefix of its own. Whatever stands before it hides nothing."""
    return _form(kind, prefix, re.escape(prefix) + f"(?P<random>{rest})", judged=judged)


_ALONE = r"(?<![A-Za-z0-9])"
"""Before a prefix that is too short, or too frequent in base64, to count inside a word."""
_EXAMPLE = (
    r"(?i:pass(?:word|wd)?|redacted|pwd?|secret|token|key|x{2,20}|\*{1,20}|\.{3}|%\w|\{\w{0,60}\}"
    r"|\$\{?\w{1,60}\}?)"
)
"""Placeholders that documents write for a password in an address."""
_W = r"[A-Za-z0-9_-]"
_N = r"[A-Za-z0-9]"
_B = r"[A-Za-z0-9+/]"
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

SPACED = (
    _form(
        "private_key",
        "-----BEGIN ",
        r"-----BEGIN (?P<label>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
        r"(?:(?:(?!-----BEGIN ).){1,20000}?-----END (?P=label)-----"
        r"|\s{0,4}(?:[\w-]{4,20}: [^\n]{1,100}\n){0,4}[A-Za-z0-9+/=\s\\]{16,20000})",
    ),
    _form(
        "private_key",
        "Private-Lines:",
        r"Private-Lines: \d{1,3}\s(?P<secret>(?:[A-Za-z0-9+/=]{4,80}\s{1,2}){1,100})",
    ),
    _form(
        "connection_string",
        "://",
        r"://[^\s:/@\"'<>`]{0,200}:(?!\[redacted:)"
        rf"(?!{_EXAMPLE}@)"
        r"(?P<secret>[^\s@/\"'<>`]{1,500}(?:@[^\s@/?#,\"'<>`]{0,100}){0,5})@[^\s\"'<>`]",
    ),
    _form(  # a password that holds an unencoded slash, where no port can be meant
        "connection_string",
        "://",
        r"(?i:(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|ftp|smtps?)"
        r"(?:\+[a-z0-9_]{1,20})?)://[^\s:/@\"'<>]{0,200}:(?!\d{1,5}/|\[redacted:)"
        rf"(?!{_EXAMPLE}@)"
        r"(?P<secret>[^\s@\"'<>]{1,500})@[^\s\"'<>]",
    ),
    _form("connection_string", "://", rf"://(?P<secret>{_W}{{20,200}})@[A-Za-z0-9]", judged=True),
    _form(
        "connection_string",
        ":5432:",
        r":5432:[^:\s]{1,60}:[^:\s]{1,60}:(?P<secret>[^\s:\"']{4,200})",
        judged=True,
    ),
)
"""Forms that go over white space, and addresses, whose words may be short."""

FORMS = (
    # Keys without their header: PKCS 1, PKCS 8, SEC 1, Ed25519, OpenSSH
    _form("private_key", "IBAAKC", rf"MII{_B}{{3}}IBAAKC[A-Za-z0-9+/=\s]{{40,8000}}"),
    _form("private_key", "IBADANBgkq", rf"MII{_B}{{3}}IBADANBgkq[A-Za-z0-9+/=\s]{{40,8000}}"),
    _token("private_key", "MIGHAgEAMBMGByqGSM49", r"[A-Za-z0-9+/=\s]{40,400}", judged=False),
    _token("private_key", "MC4CAQAwBQYDK2VwBCIEI", r"[A-Za-z0-9+/=]{40,80}", judged=False),
    _token("private_key", "b3BlbnNzaC1rZXktdjEAAAAA", r"[A-Za-z0-9+/=\s]{40,8000}", judged=False),
    _token("age_key", "AGE-SECRET-KEY-1", "[A-Z0-9]{50,70}", judged=False),
    _form(
        "jwt", "eyJ", rf"eyJ{_W}{{8,600}}\.eyJ(?P<random>{_W}{{8,4000}})(?:\.{_W}{{0,2000}})?", judged=True
    ),
    # Clouds
    *(
        _form("aws_access_key", prefix, prefix + "[A-Z0-9]{16}(?![A-Za-z0-9])")
        for prefix in ("AKIA", "ASIA", "ABIA", "ACCA")
    ),
    _token("aws_bedrock_key", "ABSK", rf"{_B}{{80,300}}={{0,2}}"),
    _token("google_api_key", "AIza", rf"{_W}{{35}}"),
    _token("google_oauth_token", "ya29.", rf"{_W}{{20,300}}"),
    _token("google_client_secret", "GOCSPX-", rf"{_W}{{20,40}}"),
    _form("google_refresh_token", "1//0", rf"(?<![\w/])1//0(?P<random>{_W}{{30,200}})", judged=True),
    _form(
        "azure_client_secret", "Q~", r"[A-Za-z0-9_~.]{3}\dQ~(?P<random>[A-Za-z0-9_~.-]{31,34})", judged=True
    ),
    _form("azure_sas", "sig=", r"[?&;]sig=(?P<secret>(?:[A-Za-z0-9+/]|%[0-9A-Fa-f]{2}){30,120}={0,2})"),
    _form("azure_account_key", "ey=", r"(?i:(?:account|sharedaccess)key)=(?P<secret>[A-Za-z0-9+/=]{40,120})"),
    _form("alibaba_access_key", "LTAI", rf"{_ALONE}LTAI{_N}{{16,24}}(?![A-Za-z0-9+/])", judged=True),
    _form("digitalocean_token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _token("oracle_token", "AstraCS:", r"[A-Za-z]{10,40}:[a-f0-9]{40,80}", judged=False),
    _form("yandex_key", "AQVN", rf"{_ALONE}AQVN{_W}{{35,38}}(?![A-Za-z0-9+/])", judged=True),
    _token("flyio_token", "fo1_", rf"{_W}{{40,60}}"),
    _form("flyio_token", "fm", rf"(?:FlyV1 )?{_ALONE}fm(?:1[ar]|2)_{_B}{{60,2000}}={{0,3}}"),
    _token("heroku_key", "HRKU-", rf"{_W}{{36,70}}"),
    _token("netlify_token", "nfp_", rf"{_N}{{36,60}}"),
    _token("supabase_key", "sbp_", "[a-f0-9]{40}"),
    _token("supabase_key", "sb_secret_", rf"{_W}{{20,60}}"),
    _token("scalingo_token", "tk-us-", rf"{_W}{{48}}"),
    _token("openshift_token", "sha256~", rf"{_W}{{43}}"),
    _token("tailscale_key", "tskey-", rf"[a-z]{{3,12}}-{_N}{{8,20}}-{_N}{{16,60}}"),
    _form("cloudflare_ca_key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    # Code and packages
    _form("github_token", "gh", r"gh[pousr]_[A-Za-z0-9]{36,255}", judged=True),
    _token("github_token", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    _form(
        "gitlab_token",
        "gl",
        rf"gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-(?P<random>{_W}{{20,300}})(?:\.[0-9a-z]{{2,9}}){{0,2}}",
        judged=True,
    ),
    _token("gitlab_token", "GR1348941", rf"{_W}{{20}}"),
    _form("gitlab_token", "_gitlab_session=", r"_gitlab_session=(?P<secret>[0-9a-z]{32})"),
    _token("bitbucket_token", "ATBB", rf"{_N}{{32}}"),
    _token("npm_token", "npm_", rf"{_N}{{36}}"),
    _token("pypi_token", "pypi-", rf"{_W}{{50,1000}}"),
    _token("rubygems_token", "rubygems_", "[a-f0-9]{48}"),
    _token("clojars_token", "CLOJARS_", "[a-z0-9]{60}"),
    _token("docker_token", "dckr_pat_", rf"{_W}{{20,100}}"),
    _token("docker_token", "dckr_oat_", rf"{_W}{{20,100}}"),
    _form("artifactory_token", "AKCp", rf"{_ALONE}AKCp{_N}{{69}}(?![A-Za-z0-9+/])"),
    _form("artifactory_token", "cmVmd", rf"{_ALONE}cmVmd{_N}{{59}}(?![A-Za-z0-9+/])"),
    _token("sourcegraph_token", "sgp_", "(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}"),
    _token("circleci_token", "CCIPAT_", rf"{_N}{{10,40}}_[a-f0-9]{{40}}"),
    _token("buildkite_token", "bkua_", "[a-f0-9]{40}"),
    _token("pulumi_token", "pul-", "[a-f0-9]{40}"),
    _form("terraform_token", ".atlasv1.", rf"{_N}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,70}}"),
    _form("octopus_key", "API-", rf"{_ALONE}API-(?=[A-Z]{{0,25}}\d)[A-Z0-9]{{26}}(?![A-Za-z0-9])"),
    _form("harness_key", "at.", rf"(?:pat|sat)\.{_W}{{22}}\.[a-f0-9]{{24}}\.{_N}{{20}}"),
    _token("snyk_token", "snyk_", rf"(?:uat|sat)\.[a-z0-9]{{6,10}}\.{_W}{{40,400}}"),
    _token("sonar_token", "sqp_", "[a-f0-9]{40}"),
    _token("sonar_token", "squ_", "[a-f0-9]{40}"),
    _token("vercel_token", "vcp_", rf"{_N}{{24,80}}"),
    _token("postman_key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
    _token("readme_key", "rdme_", "[a-z0-9]{70}"),
    # Stores of secrets
    _token("vault_token", "hvs.", rf"{_W}{{24,300}}"),
    _token("vault_token", "hvb.", rf"{_W}{{24,300}}"),
    _form("doppler_token", "dp.", rf"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{{1,40}}\.)?{_N}{{40,44}}"),
    _token("onepassword_token", "ops_eyJ", rf"{_B}{{100,2000}}={{0,3}}", judged=False),
    _form(
        "onepassword_key",
        "A3-",
        rf"{_ALONE}A3-[A-Z0-9]{{6}}-(?:[A-Z0-9]{{11}}|[A-Z0-9]{{6}}-[A-Z0-9]{{5}})(?:-[A-Z0-9]{{5}}){{3}}",
    ),
    # Messages and mail
    _form("slack_token", "xox", r"xox[a-z](?:\.xox[bp])?-[A-Za-z0-9%-]{12,250}", judged=True),
    _form("slack_token", "xapp-", rf"xapp-\d-{_N}{{6,20}}-\d{{6,20}}-[a-f0-9]{{32,80}}"),
    _form(
        "slack_webhook",
        "hooks.slack.com/",
        r"(?:https://)?hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,100}",
    ),
    _form(
        "teams_webhook",
        ".webhook.office.com/",
        r"(?:https://)?[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[0-9a-f-]{30,36}@[A-Za-z0-9@/-]{60,250}",
    ),
    _form("discord_webhook", "/api/webhooks/", rf"/api/webhooks/\d{{16,20}}/(?P<secret>{_W}{{60,80}})"),
    _form(
        "discord_token", ".", rf"(?<![\w-])[MNO]{_W}{{23,27}}\.{_W}{{6}}\.{_W}{{27,40}}(?![\w-])", judged=True
    ),
    _form("telegram_token", ":A", rf"(?<!\d)\d{{8,10}}:A{_W}{{34}}(?![\w-])"),
    _form("twilio_key", "SK", rf"{_ALONE}SK[0-9a-f]{{32}}(?![0-9A-Za-z])"),
    _token("sendgrid_key", "SG.", rf"{_W}{{16,40}}\.{_W}{{20,60}}"),
    _form("mailgun_key", "key-", r"(?<![\w-])key-[0-9a-f]{32}(?![\w-])"),
    _form("mailgun_key", "-", r"(?<![\w-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])"),
    _form("mailchimp_key", "-us", r"(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    _token("brevo_key", "xkeysib-", rf"[a-f0-9]{{64}}-{_N}{{16}}", judged=False),
    _form("resend_key", "re_", rf"{_ALONE}re_{_N}{{8}}_{_N}{{20,30}}(?![A-Za-z0-9_])", judged=True),
    # Payment and trade
    _form("stripe_key", "k_", r"[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}"),
    _token("stripe_key", "whsec_", rf"{_B}{{24,100}}={{0,2}}"),
    _form("square_token", "sq0", rf"sq0(?:atp|csp)-(?P<random>{_W}{{22,60}})", judged=True),
    _form("square_token", "EAAA", rf"(?<![\w+/=-])EAAA{_W}{{60}}(?![\w+/=-])", judged=True),
    _form("shopify_token", "shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _form("plaid_token", "access-", rf"access-(?:sandbox|development|production)-{_UUID}"),
    _form("flutterwave_key", "FLWSECK", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?"),
    _form("easypost_key", "EZ", rf"{_ALONE}EZ[AT]K{_N}{{54}}"),
    _form("shippo_token", "shippo_", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    _form("duffel_token", "duffel_", rf"duffel_(?:live|test)_(?P<random>{_W}{{43}})", judged=True),
    _form("facebook_token", "EAA", rf"(?<![\w+/=-])EAA{_N}{{90,300}}(?![\w+/=-])", judged=True),
    # Models
    _token("anthropic_key", "sk-ant-", rf"{_W}{{20,200}}"),
    _form(
        "openai_key",
        "sk-",
        rf"{_ALONE}sk-(?:proj|svcacct|admin|or-v1|or|lf|None)-{_W}{{20,300}}",
        judged=True,
    ),
    _form("openai_key", "sk-", rf"{_ALONE}sk-{_N}{{20,200}}(?![\w-])", judged=True),
    _token("huggingface_token", "hf_", rf"{_N}{{30,60}}"),
    _token("huggingface_token", "api_org_", rf"{_N}{{30,60}}"),
    _token("groq_key", "gsk_", rf"{_N}{{32,80}}"),
    _token("xai_key", "xai-", rf"{_N}{{32,100}}"),
    _token("perplexity_key", "pplx-", rf"{_N}{{32,80}}"),
    _form("replicate_token", "r8_", rf"{_ALONE}r8_{_N}{{32,48}}", judged=True),
    _token("nvidia_key", "nvapi-", rf"{_W}{{40,100}}"),
    _token("together_key", "tgp_v1_", rf"{_W}{{30,80}}"),
    _form("fireworks_key", "fw_", rf"{_ALONE}fw_{_N}{{20,40}}(?![\w])", judged=True),
    _form("cerebras_key", "csk-", rf"{_ALONE}csk-[a-z0-9]{{40,60}}", judged=True),
    _form("langsmith_key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _token("pinecone_key", "pcsk_", r"[A-Za-z0-9_]{40,100}"),
    _token("tavily_key", "tvly-", rf"{_W}{{20,60}}"),
    _token("jina_key", "jina_", rf"{_N}{{40,80}}"),
    _form("firecrawl_key", "fc-", r"(?<![\w-])fc-[0-9a-f]{32}(?![\w-])"),
    _form("e2b_key", "e2b_", r"e2b_[0-9a-f]{40}"),
    # Work, data and watching
    _token("linear_key", "lin_api_", rf"{_N}{{40}}"),
    _token("linear_key", "lin_oauth_", rf"{_N}{{40,80}}"),
    _token("notion_token", "ntn_", rf"{_N}{{40,60}}"),
    _form("notion_token", "secret_", rf"secret_{_N}{{43}}(?![\w-])", judged=True),
    _token("figma_token", "figd_", rf"{_W}{{36,60}}"),
    _form("atlassian_token", "AT", r"AT(?:ATT|CTT)3(?P<random>[A-Za-z0-9_=-]{50,250})", judged=True),
    _form("airtable_token", "pat", rf"{_ALONE}pat{_N}{{14}}\.[a-f0-9]{{64}}"),
    _token("typeform_token", "tfp_", r"[A-Za-z0-9_.=-]{40,80}"),
    _form("databricks_token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _form(
        "planetscale_token",
        "pscale_",
        r"pscale_(?:tkn|oauth|pw)_(?P<random>[A-Za-z0-9_=.-]{32,64})",
        judged=True,
    ),
    _form("new_relic_key", "NR", r"NR(?:AK-[A-Z0-9]{27}|II-[A-Za-z0-9_-]{32}|JS-[a-f0-9]{19})", judged=True),
    _form("new_relic_key", "NRAL", r"(?<![0-9a-f])[0-9a-f]{32,36}(?:FFFF)?NRAL"),
    _form("grafana_token", "glsa_", rf"glsa_{_N}{{32}}_[A-Fa-f0-9]{{8}}"),
    _form("grafana_token", "glc_", rf"glc_{_B}{{32,400}}={{0,3}}", judged=True),
    _token("grafana_token", "eyJrIjoi", rf"{_N}{{60,400}}={{0,3}}", judged=False),
    _form("sentry_token", "sntry", r"sntry(?:s_eyJ[A-Za-z0-9+/=_]{60,600}|u_[a-f0-9]{64})"),
    _token("dynatrace_token", "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("posthog_key", "phx_", rf"{_N}{{40,60}}"),
    _form("maxmind_key", "_mmk", rf"{_N}{{6}}_{_N}{{29}}_mmk"),
    _form("mapbox_token", "sk.eyJ", rf"sk\.eyJ{_W}{{40,200}}\.(?P<random>{_W}{{20,40}})", judged=True),
    _token("adobe_secret", "p8e-", "[a-zA-Z0-9]{32}"),
    _token("apify_token", "apify_api_", rf"{_N}{{30,50}}"),
    _token("prefect_token", "pnu_", rf"{_N}{{36}}"),
    _form("infracost_key", "ico-", rf"{_ALONE}ico-{_N}{{32}}(?![\w-])", judged=True),
    _form(
        "strata_key", "strata_", r"strata_[A-Za-z0-9]{4,64}_(?P<random>[A-Za-z0-9_-]{20,128})", judged=True
    ),
)
"""Forms without white space, so that only long words need to be looked at."""
