"""The layer that `sam build` makes fits Lambda: its size, its libraries, its byte code."""

import re
from pathlib import Path

import pytest

from servers.debian import run

LIMIT_MB = 160
ALLOWED = 250 * 1024 * 1024
"""Of a function with its layers, unpacked, in bytes."""
ROOT = Path(__file__).parents[2]
CODE = ROOT / "layers" / "strata"
OLDEST_GLIBC = (2, 26)  # Amazon Linux 2, which Lambda's python3.11 stands on

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.xdist_group("lambda")]


@pytest.fixture(scope="module")
def layer(built: Path) -> Path:
    return built / "StrataLayer" / "python"


def test_the_layer_stays_far_below_lambdas_limit(layer):
    files = [path for path in layer.rglob("*") if path.is_file()]

    assert sum(path.stat().st_size for path in files) / 1e6 <= LIMIT_MB


def test_the_layer_of_the_cross_encoder_fits_beside_it_and_runs_on_amazon_linux_2023(layer, tmp_path):
    libraries = extra_layer("entailment", "build-EntailmentLayer", tmp_path)

    assert together(layer, tmp_path) <= ALLOWED
    assert libraries
    assert newer(libraries, (2, 34)) == {}


@pytest.mark.parametrize("architecture", ["x86_64", "arm64"])
def test_the_layer_of_the_sentence_embedder_fits_beside_it_alone_with_nothing_but_its_model(
    layer, tmp_path, architecture
):
    libraries = extra_layer("sentences", "build-SentencesLayer", tmp_path, f"ARCHITECTURE={architecture}")
    models = {path.name for path in tmp_path.rglob("*") if path.suffix in (".bin", ".c", ".h")}
    weights = {path.relative_to(tmp_path / "python"): path for path in tmp_path.rglob("*_weights.npz")}

    assert together(layer, tmp_path) <= ALLOWED
    assert models == {"e5-small-q4.bin"}
    assert set(weights) == {path.relative_to(CODE) for path in CODE.rglob("*_weights.npz")}
    assert all(path.is_file() and not path.is_symlink() for path in weights.values())
    assert len(libraries) == 2
    assert newer(libraries, OLDEST_GLIBC) == {}


def test_what_was_fitted_beside_the_sentence_model_is_in_its_layer_alone(layer):
    assert not list(layer.rglob("*_weights.npz"))


def test_both_layers_beside_it_are_more_than_lambda_allows_as_the_template_says(layer, tmp_path):
    extra_layer("entailment", "build-EntailmentLayer", tmp_path / "one")
    extra_layer("sentences", "build-SentencesLayer", tmp_path / "other")

    assert together(layer, tmp_path) > ALLOWED


def extra_layer(name, target, place, *options):
    """Build a layer that stands beside; its libraries."""
    folder = ROOT / "layers" / name
    run("make", "-s", "-C", str(folder), target, f"ARTIFACTS_DIR={place}", "RUNTIME=python3.13", *options)
    return [*place.rglob("*.so*")]


def together(*layers):
    """Their size in bytes."""
    return sum(path.stat().st_size for each in layers for path in each.rglob("*") if path.is_file())


def test_no_library_of_the_layer_needs_a_newer_glibc_than_lambda_has(layer):
    libraries = [path for path in layer.rglob("*.so*") if path.is_file()]

    assert libraries
    assert newer(libraries, OLDEST_GLIBC) == {}


def newer(libraries, glibc):
    """The libraries that need a newer glibc."""
    return {
        path.name: version.decode()
        for path in libraries
        for version in re.findall(rb"GLIBC_(2\.\d+)", path.read_bytes())
        if tuple(map(int, version.split(b"."))) > glibc
    }


def test_nothing_of_the_package_is_compiled_at_a_cold_start(layer):
    sources = set(layer.glob("strata/**/*.py"))
    compiled = {
        path.parent.parent / f"{path.name.split('.')[0]}.py" for path in layer.glob("strata/**/*.pyc")
    }

    assert sources
    assert compiled == sources


def test_the_layer_names_the_origin_of_the_word_vectors(layer):
    assert "LLAMA 2 Community License" in (layer / "strata" / "NOTICE").read_text()
    assert list(layer.glob("wordllama-*.dist-info/licenses/LICENSE"))


def test_the_layer_leaves_out_what_lambda_never_runs(layer):
    assert not [
        name for name in ("boto3", "uvicorn", "strata/local", "strata/cli") if (layer / name).exists()
    ]
