"""Models that are no part of the package: files in a folder or a bucket, pinned by a manifest.

`manifest.json` names the files with their digests, the licence and the source. A model's files lie in a
folder named by the digest of its weights, and the manifest is replaced last and at once, so whoever reads it
finds either the old model or the new one, and no half of either.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from strata.domain.errors import InvalidRequest, Unavailable

NLI, NER = "nli", "ner"
_CLASSIFIER = ("model.onnx", "tokenizer.json", "config.json")
FILES: Mapping[str, tuple[str, ...]] = {NLI: _CLASSIFIER, NER: _CLASSIFIER}
"""The files of each kind of model, the weights first."""
_SECONDS = 60.0
_CHUNK = 1 << 20


def add(
    kind: str,
    source: str,
    place: str,
    *,
    licence: str,
    sha256: str = "",
    added: str,
    s3: Callable[[], Any] | None = None,
) -> dict[str, Any]:
    """Install a model, and give its manifest.

    Args:
        kind: of `FILES`.
        source: a folder, `s3://bucket/prefix`, or the https URL under which the files are.
        place: the folder or `s3://bucket/prefix` that keeps models.
        licence: the model's, as its maker names it.
        sha256: the digest that the weights must have; required for what comes over a network.
        added: the time, for the manifest.
        s3: makes a client of S3.

    Raises:
        InvalidRequest: a file or the digest is missing, or the weights have another digest.
        Unavailable: the source or the place does not answer.
    """
    if not sha256 and urlsplit(source).scheme in ("http", "https", "s3"):
        raise InvalidRequest.of("sha256", "is required for a model that comes over a network")
    with tempfile.TemporaryDirectory() as temporary:
        fetched = Path(temporary)
        for name in FILES[kind]:
            _fetch(source, name, fetched / name, s3)
        digests = {name: _digest(fetched / name) for name in FILES[kind]}
        weights = digests[FILES[kind][0]]
        if sha256 and weights != sha256.lower():
            raise InvalidRequest.of("sha256", f"{FILES[kind][0]} has the digest {weights}")
        manifest = {"kind": kind, "source": source, "licence": licence, "added": added, "files": digests}
        for name in FILES[kind]:
            _store(fetched / name, place, f"{_folder(manifest)}/{name}", s3)
        written = fetched / "manifest.json"
        written.write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        _store(written, place, f"{kind}.json", s3)
    return manifest


def installed(kind: str, place: str, cache: Path, s3: Callable[[], Any] | None = None) -> Path | None:
    """The folder of a model whose files have the digests of its manifest; None where none is installed.

    Files of a bucket are fetched into `cache`, once for each model.

    Raises:
        Unavailable: the bucket does not answer, or files or the manifest are damaged or missing.
    """
    with tempfile.TemporaryDirectory() as temporary:
        told = Path(temporary) / "manifest.json"
        try:
            _fetch(place, f"{kind}.json", told, s3)
        except InvalidRequest:
            return None
        try:
            manifest = json.loads(told.read_text(encoding="utf-8"))
        except ValueError as error:
            raise Unavailable(f"the manifest of the model {kind} is damaged") from error
    home = cache if place.startswith("s3://") else Path(place)
    folder = home / _folder(manifest)
    for name, digest in manifest["files"].items():
        file = folder / name
        if home is cache and not file.exists():
            _keep(place, file, s3)
        if not file.exists():
            raise Unavailable(f"{name} of the model {kind} is missing")
        if _digest(file) != digest:
            if home is cache:  # the next try fetches it anew
                file.unlink()
            raise Unavailable(f"{name} of the model {kind} has another digest than its manifest says")
    return folder


def _folder(manifest: Mapping[str, Any]) -> str:
    return f"{manifest['kind']}-{next(iter(manifest['files'].values()))[:16]}"


def _keep(place: str, file: Path, s3: Callable[[], Any] | None) -> None:
    """Fetch a model's file into its folder, unless the bucket has none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(InvalidRequest):
        _fetch(place, f"{file.parent.name}/{file.name}", part, s3)
        part.replace(file)


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _fetch(source: str, name: str, to: Path, s3: Callable[[], Any] | None) -> None:
    place = urlsplit(source)
    if place.scheme == "s3":
        client = (s3 or _client)()
        try:
            client.download_file(place.netloc, _key(place.path, name), str(to))
        except Exception as error:
            if "404" in str(error) or "NoSuchKey" in str(error):
                raise InvalidRequest.of("source", f"has no {name}") from error
            raise Unavailable("the bucket does not answer") from error
    elif place.scheme in ("http", "https"):
        _download(f"{source.rstrip('/')}/{name}", to)
    elif (Path(source) / name).is_file():
        shutil.copyfile(Path(source) / name, to)
    else:
        raise InvalidRequest.of("source", f"has no {name}")


def _download(url: str, to: Path) -> None:
    import urllib3  # noqa: PLC0415 - the command alone needs it

    if urlsplit(url).scheme != "https":
        raise InvalidRequest.of("source", "must be a folder, s3://bucket/prefix, or an https URL")
    try:
        answer = urllib3.request("GET", url, preload_content=False, timeout=_SECONDS)
        with answer, to.open("wb") as file:
            if answer.status != 200:
                raise InvalidRequest.of("source", f"answers {answer.status} for {url}")
            for chunk in answer.stream(_CHUNK):
                file.write(chunk)
    except urllib3.exceptions.HTTPError as error:
        raise Unavailable("the source does not answer") from error


def _store(file: Path, place: str, name: str, s3: Callable[[], Any] | None) -> None:
    target = urlsplit(place)
    if target.scheme == "s3":
        try:
            (s3 or _client)().upload_file(str(file), target.netloc, _key(target.path, name))
        except Exception as error:
            raise Unavailable("the bucket does not answer") from error
        return
    to = Path(place) / name
    to.parent.mkdir(parents=True, exist_ok=True)
    part = to.with_name(f"{to.name}.{os.getpid()}")
    shutil.copyfile(file, part)
    part.replace(to)


def _key(prefix: str, name: str) -> str:
    return "/".join(each for each in (prefix.strip("/"), name) if each)


def _client() -> Any:
    import boto3  # noqa: PLC0415 - for buckets alone

    return boto3.client("s3")
