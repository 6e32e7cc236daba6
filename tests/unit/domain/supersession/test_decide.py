"""A newer note replaces an older one only where both state one value of the same thing, plainly."""

import pytest

from strata.domain.supersession.decide import Reason, superseded
from strata.domain.supersession.statements import LONGEST, stated

REPLACED = [
    ("Production runs PostgreSQL 14.", "We upgraded production to PostgreSQL 16 on Sunday.", "version"),
    ("Kafka is on 3.4 since May.", "Kafka was bumped to 3.7.", "version"),
    ("The gateway listens on port 8443.", "The gateway moved to port 9443.", "port"),
    ("Invoices are hosted in eu-west-1.", "Invoices are hosted in eu-north-1 now.", "region"),
    ("The docs are at docs.acme.example.", "The docs are now at help.acme.example.", "address"),
    ("The basic plan costs 9 euros a month.", "The basic plan costs $11 a month.", None),
    ("The basic plan costs 9 euros a month.", "The basic plan costs 11 euros a month.", "price"),
    ("The session timeout is 30 minutes.", "We raised the session timeout to 2 hours.", "setting"),
    ("Sessions are kept for 60 days.", "We keep sessions for 2 months now.", None),
    ("Sessions are kept for 60 days.", "We keep sessions for 90 days now.", "retention"),
    ("Choir practice is at 19:30.", "Choir practice has been moved to 8 pm.", "schedule"),
    ("The essay is due on 4 May.", "The deadline for the essay was extended to May 18.", "deadline"),
    ("Lena lives in Graz.", "Lena has moved to Linz.", "home"),
    ("Vivo en Sevilla.", "Ahora vivo en Huelva.", "home"),
    ("Henrike wohnt in Jena.", "Henrike ist nach Erfurt gezogen.", "home"),
    ("Builds run on Jenkins.", "Builds moved from Jenkins to Buildkite.", "tool"),
    ("El límite de subida es de 10 MB.", "El límite de subida sube a 25 MB.", "setting"),
    ("Die Verwaltung läuft auf Port 8080.", "Die Verwaltung läuft nun auf Port 8088.", "port"),
]
STANDS = [
    ("Production runs PostgreSQL 14.", "Staging runs PostgreSQL 16."),
    ("Production runs PostgreSQL 14.", "Production runs PostgreSQL 14.2 now."),
    ("Production runs PostgreSQL 14.", "We plan to upgrade production to PostgreSQL 16."),
    ("Production runs PostgreSQL 14.", "Should production run PostgreSQL 16?"),
    ("Production runs PostgreSQL 14.", "If production ran on PostgreSQL 16, the import would break."),
    ("Production runs PostgreSQL 14.", "Production was on PostgreSQL 12 before."),
    ("Production runs PostgreSQL 14. Ana owns it.", "Production runs PostgreSQL 16."),
    ("The limit of uploads is 20 MB", "We raised the limit of uploads to 100 MB for the test."),
    ("The gateway listens on port 8443.", "The gateway listens on port 9443."),  # it may listen on both
    ("CI runs Python 3.10", "CI runs Python 3.12"),
    ("We use Slack for chat.", "We use Zulip for chat."),
    ("Lena lives in Graz.", "Lena moved in with Tom."),
    ("Lena lives in Graz.", "Lena's brother has moved to Linz."),
    ("Lena lives in Graz.", "Lena lives in Styria."),
    ("I work in Berlin.", "I work for Acme now."),
    ("My manager is Ruth.", "My manager is French now."),
    ("The default branch is main.", "The default branch is broken now."),
    ("The voucher expires in 5 days", "The voucher expires in 3 days now"),
    ("Lena likes tea.", "Lena likes coffee now."),
]


@pytest.mark.parametrize(("older", "newer", "attribute"), REPLACED)
def test_a_newer_value_of_the_same_thing_replaces_the_older_one(older, newer, attribute):
    reason = superseded(("", older), ("", newer))
    assert (reason.attribute if reason else None) == attribute


@pytest.mark.parametrize(("older", "newer"), STANDS)
def test_what_may_hold_beside_the_newer_note_stands(older, newer):
    assert superseded(("", older), ("", newer)) is None


def test_the_reason_names_attribute_and_both_values():
    assert superseded(("", "Node is on 18"), ("", "Node was upgraded to 22")) == Reason("version", "18", "22")


def test_a_title_is_part_of_what_a_note_is_about():
    old, new = "The cache TTL is 5 seconds", "The cache TTL is 300 seconds"
    assert superseded(("Staging", old), ("Staging", new))
    assert superseded(("Cache TTL", old), ("The cache TTL changed", new))
    assert superseded(("Staging", old), ("Europe", new)) is None
    assert superseded(("", old), ("Should the cache live longer?", new)) is None


def test_what_two_speakers_say_of_themselves_is_about_two_people():
    assert superseded(("", "Ann: I live in Oslo."), ("", "Ann: I moved to Bergen."))
    assert superseded(("", "Ann: I live in Oslo."), ("", "Bob: I moved to Bergen.")) is None
    assert (
        superseded(("Ann", "[9 May] Ann: I live in Oslo."), ("Bob", "[10 May] Bob: I moved to Bergen."))
        is None
    )


def test_a_long_note_states_nothing():
    note = "The cache TTL is 5 seconds. "
    assert stated("", note) is not None
    assert stated("", note + "x" * LONGEST) is None
