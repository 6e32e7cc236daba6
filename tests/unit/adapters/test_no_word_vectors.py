"""Strata without the table of word vectors: another embedder is chosen, and the package is left out."""

import sys

import pytest

from strata.bootstrap import Application, Overrides
from strata.domain.assembly.likeness import alike
from strata.services.search.filters import ObservationFilter
from strata.settings import load
from support.clocks import HandClock
from support.memory import LOCAL, Memory
from support.remote_embedder import Remote

DEMO = ObservationFilter(project="demo")


@pytest.fixture
def without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordllama", None)


def opened(folder, provider="ollama", **given):
    settings = load({"STRATA_DATA": str(folder), "STRATA_EMBEDDER": provider})
    return Application(settings, Overrides(clock=HandClock(), **given))


@pytest.mark.usefixtures("without_the_package")
def test_memories_are_saved_and_found_by_words_and_the_other_vectors(tmp_path):
    memory = Memory(opened(tmp_path, embedder=Remote()))
    memory.save("the parser drops a token", title="Parser")
    memory.save("the boat is blue", title="Boat")
    memory.follow()
    found = memory.app.search.observations.search(LOCAL, "parsers and tokens", DEMO, limit=10)
    assert [each.title for each in found.hits][:1] == ["Parser"]
    assert found.degraded is False


@pytest.mark.usefixtures("without_the_package")
def test_only_the_same_words_say_the_same(tmp_path):
    lexicon = opened(tmp_path).models.lexicon
    assert alike("Ann likes green tea", "ann likes  green tea", lexicon)
    assert not alike("Ann likes green tea a lot", "Ann likes green teas a lot", lexicon)


@pytest.mark.usefixtures("without_the_package")
def test_the_embedder_that_reads_the_table_misses_it_aloud(tmp_path):
    with pytest.raises(FileNotFoundError, match="wordllama"):
        _ = opened(tmp_path, provider="static").models.lexicon


def test_the_table_is_used_wherever_it_is(tmp_path):
    assert opened(tmp_path).models.lexicon.word_vectors(["parser"]).any()
