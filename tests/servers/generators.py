"""Generators of API clients, installed once: openapi-typescript, openapi-generator and openapi-python-client.

npm, pip and Maven fetch them, each pinned with a digest; their caches keep the downloads.
"""

import fcntl
import hashlib
import shutil
import sys
from pathlib import Path

from servers.debian import run
from servers.java import BUILT, SOURCES, ServerError

_ROOT = SOURCES.parents[1]
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
_JAR = "openapi-generator-cli-7.23.0.jar"
_ARTIFACT = "org.openapitools:openapi-generator-cli:7.23.0:jar"
_SHA256 = "cb087e40001e31eb08ef6140dd5de10938dbeb89016a1fe0481eaa25cd569026"


def missing_tools() -> str | None:
    """A sentence that names what is not installed, or None."""
    missing = [tool for tool in ("java", "mvn", "node", "npm") if shutil.which(tool) is None]
    return (
        f"{', '.join(missing)} not found: install a JDK 17, Maven and Node 20, or later" if missing else None
    )


class Generators:
    """The installed tools, and how each is called."""

    def __init__(self) -> None:
        self._home = _installed()
        self.python = self._home / "venv" / "bin" / "python"

    def types(self, document: Path, target: Path) -> None:
        """Types of TypeScript for a whole API, in one file."""
        run(str(self._home / "node_modules/.bin/openapi-typescript"), str(document), "-o", str(target))

    def fetch(self, document: Path, target: Path) -> None:
        """A client in TypeScript, over `fetch`, whose models have the names of the wire."""
        options = ["-g", "typescript-fetch", "--additional-properties=modelPropertyNaming=original"]
        run(
            "java",
            "-jar",
            str(self._home / _JAR),
            "generate",
            "-i",
            str(document),
            "-o",
            str(target),
            *options,
        )

    def client(self, document: Path, target: Path) -> None:
        """A client in Python, as a package."""
        settings = target.parent / "settings.yml"
        settings.write_text("post_hooks: []\n")  # ruff would format it
        command = [
            str(self._home / "venv/bin/openapi-python-client"),
            "generate",
            "--meta",
            "none",
            "--fail-on-warning",
        ]
        run(*command, "--path", str(document), "--output-path", str(target), "--config", str(settings))

    def compiled(self, folder: Path, *programs: str) -> None:
        """Compile programs and what they import to JavaScript beside them, strictly.

        Raises:
            ServerError: the compiler found something.
        """
        options = ["--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "commonjs"]
        options += ["--moduleResolution", "node10"]
        run(str(self._home / "node_modules/.bin/tsc"), *options, *(str(folder / each) for each in programs))


def _installed() -> Path:
    home, sources = BUILT / "generators", SOURCES / "generators"
    locks = [sources / "package.json", sources / "package-lock.json", _ROOT / "requirements/generators.txt"]
    recipe = "\n".join(path.read_text() for path in [*locks, Path(__file__)])
    BUILT.mkdir(exist_ok=True)
    with (BUILT / "generators.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = home / "recipe"
        if done.exists() and done.read_text() == recipe:
            return home
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for path in locks[:2]:
            shutil.copy(path, home)
        run("npm", "ci", "--prefix", str(home), "--ignore-scripts", "--no-audit", "--no-fund")
        run(sys.executable, "-m", "venv", str(home / "venv"))
        pip = (str(home / "venv/bin/python"), "-m", "pip", "install", "-q", "--no-deps")
        run(*pip, "--require-hashes", "-r", str(locks[2]))
        run("mvn", "-q", "-B", _COPY, f"-Dartifact={_ARTIFACT}", f"-DoutputDirectory={home}")
        if hashlib.sha256((home / _JAR).read_bytes()).hexdigest() != _SHA256:
            raise ServerError(f"{_JAR} is not the one that was pinned")
        done.write_text(recipe)
    return home
