"""Small applications for tests of `strata.local`: a template with its functions, and a change log."""

import textwrap
from pathlib import Path

from strata.local.runtime import Runtime
from strata.local.template import declarations
from strata.ports.changes import Change, ChangeLog
from strata.ports.rows import Key

ECHO = """
def lambda_handler(event, context):
    return event
"""


class FakeLog(ChangeLog):
    """A change log in memory that keeps what the port promises."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.positions: dict[str, int] = {}
        self.reads = 0

    def write(self, *names: str, event: str = "INSERT", tenant: str = "local") -> None:
        """One change for each name, its sort key."""
        for name in names:
            self.changes.append(Change(self.head() + 1, tenant, Key("OBS", name), event))  # type: ignore[arg-type]

    def fetch(self) -> None:
        """Nothing: it is here."""

    def head(self) -> int:
        return self.changes[-1].sequence if self.changes else 0

    def read(self, after: int, limit: int) -> list[Change]:
        self.reads += 1
        return [change for change in self.changes if change.sequence > after][:limit]

    def position(self, consumer: str) -> int:
        return self.positions.get(consumer, 0)

    def advance(self, consumer: str, sequence: int) -> None:
        self.positions[consumer] = sequence


def write_app(folder: Path, document: str, **functions: str) -> Path:
    """Write `template.yaml` and `<name>/app.py` for each function; the path of the template."""
    for name, code in functions.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "app.py").write_text(textwrap.dedent(code))
    path = folder / "template.yaml"
    path.write_text(textwrap.dedent(document))
    return path


def run_app(
    folder: Path, document: str, *, authorize: bool = False, log: FakeLog | None = None, **functions: str
) -> Runtime:
    """The application, loaded, over a fake change log."""
    path = write_app(folder, document, **functions)
    changes = FakeLog() if log is None else log
    return Runtime(declarations.load(path), folder, lambda: changes, authorize=authorize)
