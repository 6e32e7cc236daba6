"""Models in a folder: what the manifest names is what is read, and nothing half installed is found."""

import json
from pathlib import Path

import pytest

from strata.adapters.model_files import FILES, NLI, add, installed
from strata.domain.errors import InvalidRequest, Unavailable


def source(folder: Path, weights: bytes) -> str:
    folder.mkdir()
    for name in FILES[NLI]:
        (folder / name).write_bytes(weights if name.endswith(".onnx") else b"{}")
    return str(folder)


def test_the_manifest_pins_digests_licence_and_source(tmp_path):
    place = tmp_path / "models"
    one, two = source(tmp_path / "one", b"first"), source(tmp_path / "two", b"second")

    manifest = add(NLI, one, str(place), licence="MIT", added="2026-01-01T00:00:00Z")
    first = installed(NLI, str(place), tmp_path)
    add(NLI, two, str(place), licence="MIT", added="2026-01-02T00:00:00Z")
    second = installed(NLI, str(place), tmp_path)

    assert (manifest["licence"], manifest["source"]) == ("MIT", one)
    assert json.loads((place / "nli.json").read_text())["source"] == two
    assert (first / "model.onnx").read_bytes() == b"first"
    assert (second / "model.onnx").read_bytes() == b"second"


def test_a_model_with_another_digest_is_not_installed(tmp_path):
    folder = source(tmp_path / "one", b"first")

    with pytest.raises(InvalidRequest, match="digest"):
        add(NLI, folder, str(tmp_path / "models"), licence="MIT", sha256="0" * 64, added="")

    assert installed(NLI, str(tmp_path / "models"), tmp_path) is None


def test_files_that_changed_since_are_refused(tmp_path):
    place = tmp_path / "models"
    add(NLI, source(tmp_path / "one", b"first"), str(place), licence="MIT", added="")
    next(place.glob("nli-*/model.onnx")).write_bytes(b"other")

    with pytest.raises(Unavailable, match="digest"):
        installed(NLI, str(place), tmp_path)


@pytest.mark.parametrize("address", ["https://models.example/nli", "s3://bucket/nli"])
def test_what_comes_over_a_network_needs_its_digest(tmp_path, address):
    with pytest.raises(InvalidRequest, match="sha256"):
        add(NLI, address, str(tmp_path), licence="MIT", added="")


def test_an_incomplete_source_installs_nothing(tmp_path):
    folder = source(tmp_path / "one", b"first")
    (tmp_path / "one" / "config.json").unlink()

    with pytest.raises(InvalidRequest, match=r"config\.json"):
        add(NLI, folder, str(tmp_path / "models"), licence="MIT", added="")

    assert not (tmp_path / "models").exists()
