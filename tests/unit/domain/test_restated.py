"""What says nothing beyond what is given beside it."""

import pytest

from strata.domain.assembly.items import Remembered
from strata.domain.assembly.restated import echoes, quotes, restated


def memory(content: str, layer: str = "observations", **fields) -> Remembered:
    return Remembered(layer, content[:40], content, 0, **fields)


NOTES = [
    memory("The big ones stop first, at 7.5 bar.", title="Runbook of the pumps"),
    memory("De norte a sur. \u6e2f\u53e3\u662f 6543\u3002", title="C\u00f3mo cerrar las v\u00e1lvulas"),
]


@pytest.mark.parametrize("layer", ["sessions", "episodes"])
@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("Runbook of the pumps. C\u00f3mo cerrar las v\u00e1lvulas.", True),
        ("The big ones stop first, at 7.5 bar!", True),
        ("\u6e2f\u53e3\u662f 6543\u3002", True),
        ("Runbook of the pumps. Next step: paint them.", False),
        ("Runbook of the pumpsuits.", False),
        ("\u2026", False),
    ],
)
def test_a_line_is_restated_where_each_sentence_stands_in_a_note(layer, said, whole):
    line = memory(said, layer)
    assert restated([line, *NOTES]) == ([line] if whole else [])
    assert restated([line, memory(said, "facts")]) == []


def test_a_line_echoes_a_note_where_its_best_sentence_is_the_notes():
    said = "Runbook of the pumps. Next step: paint them."
    line = memory(said, "sessions", source="session:s1", relevance=0.4)
    assert echoes([line, *NOTES], lambda text: text.splitlines()[0]) == [line]
    assert echoes([line, *NOTES], lambda text: text.splitlines()[1]) == []
    assert echoes([line], lambda text: text.splitlines()[0]) == []
    newest = memory(said, "sessions", source="session:s1")
    stored = memory(said, "episodes", relevance=0.4)
    assert echoes([newest, stored, *NOTES], lambda text: text.splitlines()[0]) == []


@pytest.mark.parametrize("quote", ['Says: "I sell the boat"', "Dice: \u00abI sell the boat\u00bb"])
def test_a_quote_is_said_by_the_line_that_has_its_words(quote):
    concluded, line = memory(quote, "conclusions"), memory("I sell the boat, at last.", "sessions")
    assert quotes([concluded, line]) == [concluded]
    assert quotes([concluded, memory("Spring. I sell the boat because it leaks.", "episodes")]) == [concluded]
    assert quotes([concluded, memory("I sell the boats.", "sessions")]) == []
    assert quotes([concluded, memory("I sell the boat.", "facts")]) == []
    assert quotes([memory("Sells the boat", "conclusions"), memory("Sells the boat", "sessions")]) == []
    assert quotes([concluded, memory("Nobody believes that I sell the boat.", "episodes")]) == []
    assert quotes([concluded, memory("I sell the boat.")]) == []


@pytest.mark.parametrize(
    ("note", "whole"),
    [
        ("The cache is on.", True),
        ("The cache is on, since May.", True),
        ("The cache is on so that pages load at once.", True),
        ("Checked today. The cache is on: 7.5 GB", True),
        ("It is false that the cache is on.", False),
        ("The cache is on fire.", False),
        ("Is it true, the cache is on?", False),
    ],
)
def test_words_inside_a_sentence_of_a_note_are_no_sentence(note, whole):
    line = memory("The cache is on.", "sessions")
    assert restated([line, memory(note)]) == ([line] if whole else [])
    assert restated([line, memory("Of caches", title=note)]) == ([line] if whole else [])
