"""The quick test before the patterns of signs and points."""

import re

from hypothesis import given
from hypothesis import strategies as st

from strata.domain.worth import points, sign_table, signs
from strata.domain.worth.sieve import Sieve

PATTERNS = {
    "user": [re.compile(pattern) for _, said, pattern in sign_table.TABLE if said != "assistant"],
    "assistant": [re.compile(pattern) for _, said, pattern in sign_table.TABLE if said == "assistant"],
}
WRITTEN = [*points._EVERY.values(), *([each.pattern for each in some] for some in PATTERNS.values())]
PIECES = re.findall(r"[a-z']{2,}|[\u3400-\u9fff]+", " ".join(each for some in WRITTEN for each in some))
SENTENCES = st.lists(st.sampled_from(sorted({*PIECES, ",", ":", "|", "[", "i", "a"})), max_size=8).map(
    " ".join
)


@given(SENTENCES)
def test_sentences_pass_that_a_sign_or_a_point_matches_and_no_others(sentence):
    for role, patterns in PATTERNS.items():
        matched = any(each.search(sentence) for each in patterns)
        assert signs.may_sign(role, sentence) == matched
        assert any(sign.sieve.matches(sentence) for sign in signs.SIGNS if sign.role == role) == matched
    found = [each for _, each in points._PATTERNS if each.search(sentence)]
    assert (points.point_of("assistant", sentence) is not None) == bool(found)


def test_bars_in_brackets_belong_to_their_alternative():
    sieve = Sieve([r"^(?:a|b)c|x[|)]y|\|z", r"\bw(?:1|2)"])
    matched = {
        each
        for each in ("ac", "bc", "xac", "x|y", "x)y", "|z", "w2", "vw2", "b", "c", "xy", "z")
        if sieve.matches(each)
    }
    assert matched == {"ac", "bc", "x|y", "x)y", "|z", "w2"}


def test_what_repeats_or_may_be_missing_is_no_first_letter():
    sieve = Sieve([r"\b(?:k?um|kal)", r"\b(?:ha)?ho", r"\bhi"])
    matched = ["um", "kum", "kal", "ho", "haho", "hi"]
    assert [each for each in (*matched, "ha", "k", "al") if sieve.matches(each)] == matched
