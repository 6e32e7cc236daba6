"""Advice on extras names what is installed, and never a name that an index could give away."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from strata import __version__, installation

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "layers" / "strata" / "strata"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Makes the only distribution there is, with the origin that an installer noted down."""

    def install(origin, name=installation.DISTRIBUTION):
        metadata = tmp_path / "site" / f"{name.replace('-', '_')}-0.1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 0.1.0\n")
        if origin is not None:
            (metadata / "direct_url.json").write_text(json.dumps(origin))
        monkeypatch.setattr(sys, "path", [str(metadata.parent)])

    return install


@pytest.fixture
def checkout(tmp_path):
    place = tmp_path / "my checkout"
    place.mkdir()
    (place / "Makefile").touch()
    return place


def test_a_checkout_is_named_and_stays_editable(installed, checkout):
    installed({"url": checkout.as_uri(), "dir_info": {"editable": True}})
    assert installation.adding("hooks") == f"pip install -e '{checkout}[hooks]'"


def test_in_the_checkouts_own_environment_make_adds_an_extra(installed, checkout, monkeypatch):
    installed({"url": checkout.as_uri(), "dir_info": {"editable": True}})
    monkeypatch.setattr(sys, "prefix", str(checkout / ".venv"))
    assert installation.adding("otel") == f"make -B -C '{checkout}' extras EXTRAS=otel"


def test_a_copy_of_a_checkout_is_named_by_its_path(installed, checkout):
    installed({"url": checkout.as_uri(), "dir_info": {}})
    assert installation.adding("aws") == f"pip install '{checkout}[aws]'"


@pytest.mark.parametrize(
    ("origin", "advice"),
    [
        (
            {"url": "file:///srv/agent_strata-0.1.0-py3-none-any.whl", "archive_info": {}},
            "pip install '/srv/agent_strata-0.1.0-py3-none-any.whl[jwt]'",
        ),
        (
            {"url": "https://example.com/agent_strata-0.1.0-py3-none-any.whl", "archive_info": {}},
            "pip install 'agent-strata[jwt] @ https://example.com/agent_strata-0.1.0-py3-none-any.whl'",
        ),
        (
            {"url": "file:///srv/strata.git", "vcs_info": {"vcs": "git", "commit_id": "0a1b2c"}},
            "pip install 'agent-strata[jwt] @ git+file:///srv/strata.git@0a1b2c'",
        ),
    ],
)
def test_a_wheel_or_repository_is_named_by_its_address(installed, origin, advice):
    installed(origin)
    assert installation.adding("jwt") == advice


@pytest.mark.parametrize("name", [installation.DISTRIBUTION, "another"])
def test_where_the_origin_is_unknown_no_command_is_made_up(installed, name):
    """From an index, or without metadata, as in a Lambda layer."""
    installed(None, name)
    assert installation.adding("aws") == "the extra 'aws' of Strata's checkout or wheel"


def test_the_package_knows_its_version():
    project = (ROOT / "pyproject.toml").read_text()
    assert re.search('^version = "(.+)"$', project, re.MULTILINE)[1] == __version__
    assert __version__ in (ROOT / "CHANGELOG.md").read_text()


def test_nobody_else_advises_what_to_install():
    advising = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(r"pip install|strata-memory|agent-strata", path.read_text(encoding="utf-8"))
    ]
    assert advising == ["installation.py"]


def test_no_document_installs_strata_by_a_bare_name():
    named = []
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for command in re.findall(r"(?:pip|uvx?|pipx)(?: \w+)* install [^`\n]*", document.read_text()):
            if re.search(r"(?<![\w/>-])(agent-strata|strata-memory|strata)(?![\w/-])(?!\S* @ )", command):
                named.append(f"{document.name}: {command}")
    assert named == []


def test_the_project_has_the_name_that_is_looked_up():
    assert f'name = "{installation.DISTRIBUTION}"' in (ROOT / "pyproject.toml").read_text()


@pytest.mark.parametrize("extra", ["aws", "hooks", "jwt", "nli", "otel"])
def test_what_make_adds_is_what_the_tests_ran_with(extra):
    """The locks of extras pin the versions of the environments that tests run in."""
    locks = ROOT / "requirements"
    pins, *tried = [
        set(re.findall(r"^\S+==\S+", (locks / f"{name}.txt").read_text(), re.M))
        for name in (extra, "dev", "small-models")
    ]
    assert pins
    assert pins <= set().union(*tried)


def test_importing_it_costs_a_cold_start_nothing():
    program = (
        "import sys; before = set(sys.modules); import strata.installation; "
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('strata')))"
    )
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-c", f"import pathlib, typing; {program}"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
