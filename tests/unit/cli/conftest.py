"""Commands over one store, by the real routes."""

import pytest
from typer.testing import CliRunner

from strata.cli.app import app
from strata.local.transport import InProcessTransport
from support.api import gateway


@pytest.fixture
def command(memory, monkeypatch):
    """Runs a command over one store, which ends with `code`; its output."""
    for name in ("STRATA_URL", "STRATA_PROJECT", "STRATA_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    server = InProcessTransport(gateway(memory.app))

    def run(*arguments, code=0):
        result = CliRunner().invoke(app, arguments, obj=server)
        assert result.exit_code == code, result.output
        return result.output

    return run


@pytest.fixture
def in_one_line(command):
    """Runs a command over one store; its output in one line."""
    return lambda *arguments, **ends: " ".join(command(*arguments, **ends).split())
