"""Forms of secrets, as templates that are filled at run time, so that no scanner takes them for a leak.

`{N20}` stands for 20 letters and digits. Other alphabets: `W` with `-` and `_`, `B` base64, `H` hex, `U`
upper case and digits, `L` lower case and digits, `A` letters, `D` digits.
"""

import re
import string
from random import Random

_ALPHABETS = {
    "N": string.ascii_letters + string.digits,
    "W": string.ascii_letters + string.digits + "-_",
    "B": string.ascii_letters + string.digits + "+/",
    "H": "0123456789abcdef",
    "U": string.ascii_uppercase + string.digits,
    "L": string.ascii_lowercase + string.digits,
    "A": string.ascii_letters,
    "D": string.digits,
}
_PART = re.compile(r"\{([NWBHULAD])(\d+)\}")
_WORDS = "customer-settings-of-the-second-page-and-everything-that-belongs-to-them-"

ISSUED = """
AKIA{U16}|ASIA{U16}|ABIA{U16}|ACCA{U16}|ABSK{B100}|AIza{W35}|ya29.{W60}|GOCSPX-{W28}|1//0g{W60}|{N3}8Q~{N34}
https://a.blob.core.windows.net/c?sp=r&sig={B43}%3D|AccountName=x;AccountKey={B86}==;EndpointSuffix=y
Endpoint=sb://x/;SharedAccessKey={B43}=|LTAI{N20}|dop_v1_{H64}|doo_v1_{H64}|dor_v1_{H64}|AQVN{W36}|fo1_{W43}
FlyV1 fm2_{B100}|fm1r_{B120}|HRKU-AA{W58}|nfp_{N36}|sbp_{H40}|sb_secret_{W31}|tk-us-{W48}|sha256~{W43}
tskey-auth-{N12}-{N32}|v1.0-{H24}-{H146}|ghp_{N36}|gho_{N36}|ghu_{N36}|ghs_{N36}|ghr_{N36}|github_pat_{N22}_{N59}
glpat-{W20}|glpat-{W27}.{L2}.{L9}|gldt-{W20}|glrt-{W20}|glcbt-{W20}|glptt-{H40}|glft-{W20}|glsoat-{W20}|glimt-{W25}
glagent-{W50}|gloas-{H64}|GR1348941{W20}|_gitlab_session={L32}|ATBB{N32}|npm_{N36}|pypi-AgEI{W100}
rubygems_{H48}|CLOJARS_{L60}|dckr_pat_{W27}|dckr_oat_{W32}|AKCp{N69}|cmVmd{N59}|sgp_{H16}_{H40}|CCIPAT_{N22}_{H40}
bkua_{H40}|pul-{H40}|{N14}.atlasv1.{W67}|API-{U26}|pat.{W22}.{H24}.{N20}|sqp_{H40}|snyk_uat.{L8}.{W60}|squ_{H40}|vcp_{N56}
PMAK-{H24}-{H34}|rdme_{L70}|hvs.{W95}|hvb.{W150}|dp.pt.{N43}|dp.st.prd.{N43}|ops_eyJ{B300}
A3-{U6}-{U11}-{U5}-{U5}-{U5}|xoxb-{D12}-{D12}-{N24}|xoxp-{D12}-{D12}-{D12}-{H32}|xoxe.xoxp-1-{U160}|xoxe-1-{U146}
xoxc-{D12}-{D12}-{H64}|xapp-1-{U11}-{D13}-{H64}|https://hooks.slack.com/services/T{U8}/B{U10}/{N24}
https://discord.com/api/webhooks/112233445566778899/{W68}|MT{N22}.{N6}.{W38}|{D10}:AA{W33}|SK{H32}|SG.{W22}.{W43}|key-{H32}
{H32}-{H8}-{H8}|{H32}-us19|xkeysib-{H64}-{N16}|re_{N8}_{N24}|sk_live_{N24}|sk_test_{N99}|rk_live_{N24}|whsec_{N32}
sq0atp-{W22}|sq0csp-{W43}|EAAA{N60}|shpat_{H32}|shpca_{H32}|shppa_{H32}|shpss_{H32}
access-sandbox-{H8}-{H4}-{H4}-{H4}-{H12}|FLWSECK_TEST-{H32}-X|EZAK{N54}|EZTK{N54}|shippo_live_{H40}|duffel_live_{W43}
EAAC{N120}|sk-ant-api03-{W93}AA|sk-ant-admin01-{W93}AA|sk-proj-{W150}|sk-{N20}T3BlbkFJ{N20}
sk-svcacct-{W80}|sk-or-v1-{H64}|sk-{H32}|hf_{A34}|api_org_{A34}|gsk_{N52}|xai-{N80}|pplx-{N48}|r8_{N37}|nvapi-{W64}
tgp_v1_{W43}|fw_{N24}|csk-{L48}|lsv2_pt_{H32}_{H10}|pcsk_{N6}_{N63}|tvly-dev-{N32}|jina_{H32}{N28}|fc-{H32}|e2b_{H40}
lin_api_{N40}|lin_oauth_{H64}|ntn_{D11}{N35}|secret_{N43}|figd_{W40}|ATATT3x{W180}={H8}|ATCTT3x{W180}={H8}
pat{N14}.{H64}|tfp_{W59}|dapi{H32}|dapi{H32}-3|pscale_tkn_{W43}|pscale_oauth_{W43}|pscale_pw_{W43}|NRAK-{U27}
NRII-{W32}|NRJS-{H19}|{H36}NRAL|glsa_{N32}_{H8}|glc_eyJ{B120}|eyJrIjoi{N90}|sntrys_eyJ{B150}_{N43}|sntryu_{H64}
dt0c01.{U24}.{U64}|phx_{N43}|{N6}_{N29}_mmk|sk.eyJ{N80}.{N22}|p8e-{N32}|apify_api_{N36}|pnu_{N36}|ico-{N32}
strata_k1abc_{W43}|AGE-SECRET-KEY-1{U58}|AstraCS:{A24}:{H64}|eyJ{N30}.eyJ{N60}.{W43}|eyJ{N30}.eyJ{N60}.
MIIEpAIBAAKCAQEA{B200}|MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{B200}|MIGHAgEAMBMGByqGSM49AgEG{B150}
b3BlbnNzaC1rZXktdjEAAAAA{B200}|https://x.webhook.office.com/webhookb2/{H36}@{H36}/IncomingWebhook/{H32}/{H36}
"""
"""Secrets that their form alone tells, by issuer; some stand in what holds them."""

NAMED = """
password: {N12}|password={N8}|Password : {N10}|passwd={N9}|passphrase: {N14}|"password": "{N12}"
'password' => '{N12}'|{\\"password\\":\\"{N12}\\"}|password=b'{N12}'|DB_PASS={N10}|DB_PASSWORD: "{N9}"
export PGPASSWORD={N9}|mysql_pwd={N10}|SMTP_PASS: {N12}|password:\\n  {N12}|password: >-\\n  {N16}
**password:** {N12}|`password`: `{N12}`|contraseña: {N12}|contraseña={N10}|senha: {N10}|kennwort: {N12}
<password>{N12}</password>|<Password>{N12}</Password>|<add key="ClearTextPassword" value="{N14}" />
the password is {N10}|La contraseña es {N10}|the passphrase was {N14}|password%3D{N12}|password = "{A8}"
spring.datasource.password={A9}|password: {A3}{D2}|password: {A5}!{D3}|client_secret={N32}
"client_secret": "{N24}"|clientSecret: '{N30}'|const secret = "{N32}"|app.secret={H32}|SECRET_KEY = '{N50}'
secretKey := "{N32}"|apiKey := "{N32}"|api_key={N32}|apikey: {H32}|X-Api-Key: {N32}|"apiKey": "{H32}"
api key: {N24}|API key is {N24}|DATADOG_API_KEY={H32}|CLOUDFLARE_API_KEY={H37}|access_key={N20}
private_key: 0x{H64}|PRIVATE_KEY={H64}|encryption_key: {B43}=|account_key={B43}=|auth_token={H32}
TWILIO_AUTH_TOKEN={H32}|access_token={N1500}|"access_token": "{N40}"|refresh_token: {N40}|bot_token={N40}
//registry.npmjs.org/:_authToken={H8}-{H4}-{H4}-{H4}-{H12}|https://example.com/feed?token={L24}|token: {H40}
VAULT_TOKEN=s.{N24}|credentials: {N24}|{ "AccessKeyId": "x", "SecretAccessKey": "{B40}" }
aws_secret_access_key = {B40}|aws_secret_access_key={B40}|"SessionToken": "{B900}"
Authorization: Bearer {N30}|authorization: basic {B30}==|Authorization: token {H40}
curl -H 'Authorization: Bearer {W40}' https://example.com|bearer {N40}
curl -u admin:{N10} https://example.com|curl --user admin:{N10} https://example.com
mysql -u root -p{N12} shop|sshpass -p {N12} ssh ann@example.com|sshpass -p{N12} ssh ann@example.com
docker login -u ann -p {N12}|redis-cli -h cache -a {N16} ping|tool --password {N12}|tool --api-key {N24}
tool --token {N30}|tool --password={N12}|machine example.com login ann password {N12}
CREATE USER ann IDENTIFIED BY '{N12}'|ALTER USER ann WITH PASSWORD '{N12}'|"auth": "{B40}="|PIN: {D4}
pin code is {D6}|mnemonic: {twelve}|seed phrase: {twelve}|Cookie: PHPSESSID={L26}
postgres://app:{N12}@db.internal:5432/app|mysql://root:{A4}@{A4}@db/app|redis://:{N16}@cache:6379/0
mongodb+srv://app:{N12}@cluster0.example.net|jdbc:postgresql://h/db?user=a&password={N12}
Server=x;User Id=sa;Password={N12};|amqp://u:{N12}@mq:5672|https://ann:{N12}@example.com/x
https://{N40}@github.com/acme/app.git|https://{N32}@o1.ingest.sentry.io/1
postgresql+psycopg://app:{N12}@db/app|postgres://app:{A4}/{A4}@db/app|db.internal:5432:app:ann:{N12}
snowflake://ann:{N12}@acct/db
PuTTY-User-Key-File-3: ssh-rsa\\nPrivate-Lines: 2\\n{B64}\\n{B40}\\nPrivate-MAC: x
-----BEGIN RSA PRIVATE KEY-----\\n{B64}\\n{B64}\\n-----END RSA PRIVATE KEY-----
-----BEGIN OPENSSH PRIVATE KEY-----\\n{B70}\\n-----END OPENSSH PRIVATE KEY-----
-----BEGIN PRIVATE KEY-----\\\\n{B64}\\\\n-----END PRIVATE KEY-----
"""
"""Secrets that a name or a place tells."""

_TWELVE = "tiger lemon orbit sunny velvet maple cousin anchor rocket silver window garden"


def filled(template: str, seed: int = 1) -> tuple[str, list[str]]:
    """The template as a text with a secret, and the parts of the secret that must not be left."""
    chance = Random(f"{seed} {template}")
    parts: list[str] = []

    def fill(part: re.Match[str]) -> str:
        kind, length = part[1], int(part[2])
        value = "".join(chance.choices(_ALPHABETS[kind], k=length))
        if length >= 6 and kind in "NWBHUL":  # neither all letters nor all digits, which few secrets are
            value = (
                value[:2] + "k7"[kind == "H"] + "4" + value[4:]
                if kind != "U"
                else value[:2] + "K4" + value[4:]
            )
        if length >= 4:
            parts.append(value)
        return value

    text = _PART.sub(fill, template).replace("{twelve}", _TWELVE).replace("\\n", "\n").replace("\\\n", "\\n")
    return text, parts if parts else [_TWELVE if "{twelve}" in template else text[-4:]]


def worded(template: str) -> str:
    """The template with words in place of what is random: a text of that shape without a secret."""

    def fill(part: re.Match[str]) -> str:
        words = (_WORDS * 5)[: int(part[2])]
        return words.upper() if part[1] == "U" else words

    return _PART.sub(fill, template)


def templates(block: str) -> list[str]:
    """The templates of a block above."""
    found = []
    for line in block.strip().splitlines():
        found += re.split(r"(?<!\|)\|(?!\|)", line)
    return found
