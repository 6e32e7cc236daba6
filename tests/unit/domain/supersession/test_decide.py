"""A newer note replaces an older one only where it plainly gives another value of the same thing."""

import pytest

from strata.domain.supersession.decide import superseded
from strata.domain.supersession.note import LONGEST, read
from strata.domain.supersession.values import Reason

REPLACED = [
    ("Production runs PostgreSQL 14.", "We upgraded production to PostgreSQL 16 on Sunday."),
    ("Kafka is on 3.4 since May.", "Kafka was bumped to 3.7."),
    ("The gateway listens on port 8443.", "The gateway moved to port 9443."),
    ("Invoices are hosted in eu-west-1.", "Invoices are hosted in eu-north-1 now."),
    ("The docs are at docs.acme.example.", "The docs are now at help.acme.example."),
    ("The basic plan costs 9 euros a month.", "The basic plan costs 11 euros a month."),
    ("The session timeout is 30 minutes.", "We raised the session timeout to 2 hours."),
    ("May's rent is 900 euros.", "May's rent was raised to 950 euros."),
    ("Choir practice is at 19:30.", "Choir practice has been moved to 8 pm."),
    ("The essay is due on 4 May.", "The deadline for the essay was extended to May 18."),
    ("Lena lives in Graz.", "Lena has moved to Linz."),
    ("The old lift is closed.", "The old lift is open now."),
    ("Henrike wohnt in Jena.", "Henrike ist nach Erfurt gezogen."),
    ("Die Verwaltung läuft auf Port 8080.", "Die Verwaltung läuft nun auf Port 8088."),
    ("El límite de subida es de 10 MB.", "El límite de subida sube a 25 MB."),
    ("备份任务在凌晨2点运行。", "备份任务改到凌晨4点运行。"),
    # the newer note names the value that has gone
    ("Builds run on Jenkins.", "Builds moved from Jenkins to Buildkite."),
    ("Parcels are sent with Swiftpost.", "Parcels no longer go with Swiftpost - Gullmail collects them."),
    ("Invoices are made in Ledgerly.", "We use Paperkite for invoices instead of Ledgerly."),
    ("Los pedidos se guardan en Oracle.", "Los pedidos ya no están en Oracle."),
    ("Rechnungen liegen bei Kontorbox.", "Rechnungen sind nicht mehr bei Kontorbox."),
    ("日志存在甲云。", "日志不再用甲云。"),
    ("The gateway listens on 8080.", "The gateway no longer listens on 8080, but on 9090."),
    ("网关监听 8080", "网关现在监听 9090\uff0c不再是 8080"),
    ("The database is in Madrid.", "We moved the database from Madrid to Berlin."),
]
STANDS = [
    # another thing, person or environment
    ("Production runs PostgreSQL 14.", "Staging was upgraded to PostgreSQL 16."),
    ("The gym opens at 6.", "The gym's pool opens at 9 now."),
    ("The upload limit for guests and members is 20 MB.", "The upload limit was raised to 100 MB."),
    ("Lena lives in Graz.", "Lena's brother has moved to Linz."),
    ("I live in Oslo.", "Tom has moved to Bergen."),
    ("The auth service listens on 8081.", "The search service listens on 8082 now."),
    # no change yet, or none for good
    ("Production runs PostgreSQL 14.", "We plan to upgrade production to PostgreSQL 16."),
    ("Production runs PostgreSQL 14.", "Should production be upgraded to PostgreSQL 16?"),
    (
        "Production runs PostgreSQL 14.",
        "If production was upgraded to PostgreSQL 16, the import would break.",
    ),
    ("The gateway listens on 8443.", "The gateway was moved to 9443 and put back an hour later."),
    ("The cache TTL is 5 seconds.", "The cache TTL was raised to 60 seconds for the weekend."),
    ("Builds run on Jenkins.", "Maybe builds get moved from Jenkins to Buildkite."),
    ("Weekly sync is Monday 10:00.", "This week only the weekly sync is Wednesday 10:00."),
    ("Die Probe ist um 19 Uhr.", "Die Probe ist ausnahmsweise um 18 Uhr."),
    ("El ensayo es a las 19:00.", "Por una vez el ensayo es a las 18:00."),
    ("备份任务在凌晨2点运行。", "这次备份任务在凌晨4点运行。"),
    ("The worker concurrency is 4.", "Raised the worker concurrency to 16, set it back after."),
    # another year, quarter or direction, and the same amount
    ("The budget review for Q2 is on 9 May.", "The budget review for Q3 is on 8 August."),
    ("El presupuesto de 2024 fue de 40.000 euros.", "El presupuesto de 2025 es de 46.000 euros."),
    ("May's rent is 900 euros.", "June's rent is 950 euros."),
    ("May\u2019s rent is 900 euros.", "June\u2019s rent was raised to 950 euros."),
    ("The rent for May is 900 euros.", "June's rent is 950 euros."),
    ("2025's budget is 40,000 euros.", "2026's budget is 46,000 euros."),
    ("The flight to Oslo leaves at 06:40.", "The flight back from Oslo leaves at 19:05."),
    ("The cache TTL is 300 seconds.", "The cache TTL is five minutes."),
    # gone from a part, from another thing, at times, or no longer the only one
    ("The gateway listens on 8080.", "The gateway no longer listens on 8080 alone, but on 9090 too."),
    ("The gateway listens on 8080.", "The gateway's console no longer listens on 8080, but on 9090."),
    ("The gateway listens on 8080.", "The gateway no longer listens on 8080 for guests."),
    ("The gateway listens on 8080.", "The gateway no longer listens on 8081, but on 9090."),
    ("The gateway listens on 8080 and 8443.", "The gateway no longer listens on 8080, but on 9090."),
    ("The hotline opens at 8.", "The hotline no longer opens at 8 on Sundays."),
    ("The bus stops at Elm Street.", "The bus no longer stops at Elm Street after 22:00."),
    ("Payroll runs on the 25th.", "Payroll no longer runs on the 25th in December."),
    ("The database is in Madrid.", "We copied the database from Madrid to Berlin."),
    ("The database is in Madrid.", "We moved half of the database from Madrid to Berlin."),
    ("网关监听 8080", "网关现在监听 9090\uff0c不再只是 8080"),
    # history, denial, addition, taste
    ("The gateway listens on 9443.", "The gateway had been moved to 8443."),
    ("The gateway listens on 9443.", "The gateway is not on 8443 now."),
    ("We deliver to Austria.", "Since June we also deliver to Italy."),
    ("Lena likes tea.", "Lena likes coffee now."),
    # more than what is replaced
    ("房租每月 4200 元\uff0c押一付三。", "房租涨到每月 4500 元。"),
    (
        "We travel from 3 to 10 July and sleep at the Miramar hotel.",
        "Change of hotel: we sleep at the Bahia hotel.",
    ),
    ("The review is at 12, the rehearsal at 9.", "The rehearsal has moved to 9:30."),
    ("Lena lives in Graz. Her sister is called Ada.", "Lena moved from Graz to Linz."),
    # a question, and the same value
    ("Is the review on Mondays by now?", "The review is on Thursdays from now on."),
    ("El límite de adjuntos es de 25 MB.", "Subimos el tamaño máximo del adjunto a 25 MB."),
    # no word of change, and no state that has one value
    ("We use Slack for chat.", "We use Zulip for chat."),
    ("The import took 12 minutes on Monday.", "The import took 19 minutes on Tuesday."),
    ("The default branch is main.", "The default branch is broken now."),
    ("I work in Berlin.", "I work for Acme now."),
    ("Lena lives in Graz.", "Lena moved in with Tom."),
    ("Production runs PostgreSQL 14.", "Production runs PostgreSQL 14."),
]


@pytest.mark.parametrize(("older", "newer"), REPLACED)
def test_a_newer_value_of_the_same_thing_replaces_the_older_one(older, newer):
    assert superseded(("", older), ("", newer))


@pytest.mark.parametrize(("older", "newer"), STANDS)
def test_what_may_hold_beside_the_newer_note_stands(older, newer):
    assert superseded(("", older), ("", newer)) is None


@pytest.mark.parametrize(("older", "newer"), [pair for pair in REPLACED if "Production" not in pair[0]])
@pytest.mark.parametrize(
    "doubt", ["Maybe: {}", "{} Or is it?", "Until the migration: {}", "{} That is only for the test."]
)
def test_any_doubt_in_the_newer_note_lets_the_older_one_stand(older, newer, doubt):
    assert superseded(("", older), ("", doubt.format(newer))) is None


def test_the_reason_names_what_it_is_about_and_the_values():
    assert superseded(("", "Node is on 18"), ("", "Node was upgraded to 22")) == Reason("Node", "18", "22")
    gone = superseded(("", "Builds run on Jenkins."), ("", "Builds no longer run on Jenkins."))
    assert gone == Reason("Builds", "Jenkins", "")


def test_a_title_is_part_of_what_a_note_is_about():
    old, new = "The cache TTL is 5 seconds", "The cache TTL is 300 seconds"
    assert superseded(("Cache", old), ("Cache", new))
    assert superseded(("Cache TTL", old), ("The cache TTL changed", new))
    assert superseded(("Lisbon", old), ("Europe", new)) is None
    assert superseded(("", old), ("Should the cache live longer?", new)) is None


def test_what_two_speakers_say_of_themselves_is_about_two_people():
    assert superseded(("", "Ann: I live in Oslo."), ("", "Ann: I moved to Bergen."))
    assert superseded(("", "Ann: I live in Oslo."), ("", "Bob: I moved to Bergen.")) is None
    assert (
        superseded(("Ann", "[9 May] Ann: I live in Oslo."), ("Bob", "[10 May] Bob: I moved to Bergen."))
        is None
    )


def test_a_long_note_is_not_compared():
    note = "The cache TTL is 5 seconds. "
    assert read("", note) is not None
    assert read("", note + "x" * LONGEST) is None


def test_a_title_that_is_the_beginning_of_the_content_is_no_title():
    older, newer = "Production runs PostgreSQL 14.", "We upgraded production to PostgreSQL 16 on Sunday."
    assert superseded((older, older), (newer, newer))
    assert superseded((older[:-1], older), (newer[:20], newer))
    assert superseded(("Staging", older), ("Billing", newer)) is None
