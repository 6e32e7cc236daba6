"""Models in a folder: what the manifest names is what is read, and nothing half installed is found."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
import urllib3
from moto import mock_aws

from strata.adapters.model_files import FILES, NLI, add, installed
from strata.domain.errors import InvalidRequest, Unavailable
from support.http_server import Answering, listening


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


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """S3's client, with a bucket called models."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket="models")
        yield client


def test_a_model_is_taken_from_a_bucket_and_kept_in_one(tmp_path, bucket):
    """Two models in a bucket; what was fetched is damaged, and fetched anew."""
    for name, weights in (("one", b"first"), ("two", b"second")):
        folder = Path(source(tmp_path / name, weights))
        for file in folder.iterdir():
            bucket.upload_file(str(file), "models", f"from/{name}/{file.name}")
    digest = hashlib.sha256(b"second").hexdigest()
    cache = tmp_path / "cache"

    manifest = add(NLI, "s3://models/from/two", "s3://models/kept", licence="MIT", sha256=digest, added="")
    folder = installed(NLI, "s3://models/kept", cache)

    assert folder is not None
    assert (folder / "model.onnx").read_bytes() == b"second"
    assert (manifest["source"], manifest["files"]["model.onnx"]) == ("s3://models/from/two", digest)
    (folder / "model.onnx").write_bytes(b"half")
    with pytest.raises(Unavailable, match="digest"):
        installed(NLI, "s3://models/kept", cache)
    assert installed(NLI, "s3://models/kept", cache) == folder
    bucket.delete_object(Bucket="models", Key=f"kept/{folder.name}/config.json")
    with pytest.raises(Unavailable, match=r"config\.json .* missing"):
        installed(NLI, "s3://models/kept", tmp_path / "new")
    assert installed(NLI, "s3://models/nothing", cache) is None
    with pytest.raises(InvalidRequest, match=r"model\.onnx"):
        add(NLI, "s3://models/nothing", "s3://models/kept", licence="MIT", sha256=digest, added="")
    with pytest.raises(Unavailable, match="bucket"):
        add(NLI, str(tmp_path / "one"), "s3://elsewhere/kept", licence="MIT", added="")


def test_a_model_is_taken_from_an_https_address(tmp_path, monkeypatch):
    """A server without a certificate stands in for one that has one."""
    folder = Path(source(tmp_path / "one", b"first"))

    class Files(Answering):
        def do_GET(self) -> None:
            file = folder / self.path.removeprefix("/nli/")
            there = self.path.startswith("/nli/") and file.is_file()
            self.tell(200 if there else 404, {}, file.read_bytes() if there else b"")

    request = urllib3.request
    digest = hashlib.sha256(b"first").hexdigest()
    place = str(tmp_path / "models")
    with listening(Files) as address:
        monkeypatch.setattr(
            urllib3,
            "request",
            lambda method, url, **sent: request(method, url.replace("https://models.test", address), **sent),
        )
        with pytest.raises(InvalidRequest, match="404"):
            add(NLI, "https://models.test/other", place, licence="MIT", sha256=digest, added="")
        with pytest.raises(InvalidRequest, match="https"):
            add(NLI, f"{address}/nli", place, licence="MIT", sha256=digest, added="")
        assert installed(NLI, place, tmp_path) is None
        add(NLI, "https://models.test/nli/", place, licence="MIT", sha256=digest, added="")

    found = installed(NLI, place, tmp_path)
    assert found is not None
    assert (found / "model.onnx").read_bytes() == b"first"
