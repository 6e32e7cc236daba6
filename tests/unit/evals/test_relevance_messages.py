"""The table that tells small talk is fitted to the messages as they are, and judged on authors left out."""

import json
from collections import Counter
from itertools import product

import pytest
from evals.relevance import messages
from evals.relevance.examples import LANGUAGES
from evals.relevance.messages import LABELS, Message

from strata.domain.relevance.purpose import BIAS


def test_the_table_in_the_package_was_fitted_to_these_messages_by_these_clues():
    written = [*messages.messages(), *messages.of_queries()]
    assert json.loads(messages.RECORD.read_text()) == messages.record(written), (
        "python -m evals.relevance fit"
    )


def test_there_are_messages_of_every_label_in_every_language_and_none_twice():
    written = messages.messages()
    counted = Counter((each.language, each.label) for each in written)
    assert set(counted) == set(product(LANGUAGES, LABELS))
    assert min(counted.values()) >= 150
    assert len({each.id for each in written}) == len(written)


def test_a_message_with_an_unknown_label_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    (tmp_path / "en.jsonl").write_text('{"lang": "en", "text": "hi", "label": "greeting"}\n')
    with pytest.raises(ValueError, match="line 1 of en has label greeting"):
        messages.messages()


def test_odds_of_a_message_come_from_other_authors():
    def said(author, word, label):
        return [Message(f"{author}{word}{number}", "en", author, word, label) for number in range(4)]

    written = [*said("a", "zig", "ask"), *said("a", "zag", "small_talk")]
    others = [*said("b", "zag", "ask"), *said("b", "zig", "small_talk")]
    odds = messages.left_out([*written, *others])
    assert odds["azig0"] < odds["azag0"]
    assert odds["bzig0"] > odds["bzag0"]


def test_clues_of_one_message_have_no_weight():
    written = [
        Message(str(number), "en", "a", text, "ask") for number, text in enumerate(("key", "key", "lock"))
    ]
    table = messages.fitted([*written, Message("3", "en", "a", "hello", "small_talk")])
    assert {BIAS, "key"} <= table.keys()
    assert table.keys().isdisjoint({"lock", "hello"})
