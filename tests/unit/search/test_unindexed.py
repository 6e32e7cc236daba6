"""Candidates from rows that are not indexed yet."""

from collections.abc import Sequence

import numpy as np
import pytest

from strata.domain.text.analysis import words
from strata.ports.search import SearchQuery
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import observation_key
from strata.services.search import unindexed


class Recorder:
    """An embedder that keeps the texts it is given."""

    model, dimensions, at_once = "recorder", 2, 1_000_000

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed_query(self, query: str) -> np.ndarray:
        return self.embed([query])[0]

    def embed(self, texts: Sequence[str], *, soon: bool = False) -> np.ndarray:
        self.texts = list(texts)
        return np.ones((len(texts), 2), dtype=np.float32)


def embedded(memory, *contents: str) -> list[str]:
    """The texts that a search embeds where these memories are not indexed."""
    saved = [memory.save(content, title=f"memory {place}") for place, content in enumerate(contents)]
    rows = [memory.row(observation_key("demo", each.id)) for each in saved]
    recorder = Recorder()
    query = SearchQuery(kind="observation", terms=("zebra",), vector=np.ones(2, dtype=np.float32))
    found = unindexed.candidates(OBSERVATIONS, rows, query, recorder)
    assert len(found) == len(contents)
    assert found[0].bm25 == 1, "words are matched in the whole text"
    return recorder.texts


def test_of_too_many_distinct_words_the_first_of_each_memory_are_embedded(
    memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unindexed, "MAX_WORDS", 100)
    odd = [" ".join(f"odd{place}x{word}" for word in range(1000)) for place in range(3)]
    texts = embedded(memory, f"{odd[0]} zebra", odd[1], odd[2], "Ann drinks tea")
    assert len({word for text in texts for word in words(text)}) <= 130, "cut at a share of the letters"
    assert all(f"odd{place}x20" in words(text) for place, text in enumerate(texts[:3]))
    assert "Ann drinks tea" in texts[3]


def test_repeated_words_cost_nothing_and_are_embedded_whole(memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unindexed, "MAX_WORDS", 100)
    long = "zebra and horse " * 1000
    assert long.strip() in embedded(memory, long)[0]


def test_no_more_rows_are_embedded_than_the_embedder_makes_at_once(memory, monkeypatch):
    monkeypatch.setattr(Recorder, "at_once", 2)
    assert len(embedded(memory, "zebra one", "zebra two")) == 2
    assert embedded(memory, "zebra three", "zebra four", "zebra five") == []
