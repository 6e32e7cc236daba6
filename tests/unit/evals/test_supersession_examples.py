"""The labelled pairs are read as the guide beside them says, and are as many of each kind."""

from collections import Counter

import pytest
from evals.supersession.examples import DEVELOPMENT, KEPT, LANGUAGES, Pair, load, pair


def line(label: str = "stands", language: str = "en", reason: str = "plan") -> str:
    return (
        f'{{"id": "p-1", "lang": "{language}", "older": "a", "newer": "b", '
        f'"label": "{label}", "reason": "{reason}", "attribute": "port"}}'
    )


def test_a_line_becomes_a_pair():
    assert pair(line()) == Pair("p-1", "en", "a", "b", supersedes=False, about="plan")
    assert pair(line("supersedes")) == Pair("p-1", "en", "a", "b", supersedes=True, about="port")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (line("maybe"), "label maybe"),
        (line(language="fr"), "language fr"),
        (line(reason="mood"), "unknown reason mood"),
    ],
)
def test_a_line_with_an_unknown_word_is_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        pair(wrong)


@pytest.mark.parametrize(
    ("part", "least", "languages"),
    [
        ("dev", 150, ("en", "es", "de")),
        ("kept", 70, ("en", "es", "de")),
        ("dev2", 240, LANGUAGES),
        ("kept2", 240, LANGUAGES),
        ("dev3", 120, LANGUAGES),
        ("dev4", 280, ("en", "es")),
        ("dev5", 270, LANGUAGES),
        ("dev6", 320, LANGUAGES),
        ("kept4", 320, LANGUAGES),
        ("kept5", 420, LANGUAGES),
    ],
)
def test_every_part_has_both_labels_in_every_language_in_like_numbers(part, least, languages):
    pairs = load([part])
    assert len(pairs) >= least
    assert {each.language for each in pairs} == set(languages)
    for language in languages:
        labels = Counter(each.supersedes for each in pairs if each.language == language)
        assert labels[True] >= 3
        assert 0.4 < labels[True] / labels.total() < 0.6


def test_no_pair_and_no_id_stands_twice():
    pairs = load([*DEVELOPMENT, *KEPT])
    assert len({each.id for each in pairs}) == len({(each.older, each.newer) for each in pairs}) == len(pairs)
    assert [each.id for each in pairs if each.older == each.newer] == []
