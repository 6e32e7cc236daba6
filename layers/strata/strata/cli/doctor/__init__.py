"""The checks of `strata doctor`, one function each."""

from collections.abc import Callable
from functools import partial

from strata import settings as settings_module
from strata.cli.doctor import installation, server, store
from strata.cli.doctor.finding import Finding, State
from strata.cli.failures import sentence_for
from strata.installation import adding
from strata.settings import Settings

__all__ = ["Finding", "State", "examine"]

_OF_THIS_MACHINE: dict[str, Callable[[Settings], Finding]] = {
    "data folder": store.folder,
    "disk": store.space,
    "store": store.store,
    "index": store.index,
    "port": server.port,
}


def examine(url: str | None) -> list[Finding]:
    """Run all checks: of the installation, and of this machine's store or the server at `url`."""
    checks: dict[str, Callable[[], Finding]] = {
        "python": installation.python,
        "sqlite": installation.sqlite,
        "extras": installation.extras,
        "template": installation.template,
    }
    findings = [_guarded(name, check) for name, check in checks.items()]
    try:
        settings = settings_module.load()
    except settings_module.SettingsError as error:
        return [*findings, Finding(State.FAIL, "settings", str(error), "Correct or unset these variables.")]
    findings.append(_guarded("embedding", installation.embedding))
    findings.append(_guarded("relevance", installation.relevance))
    findings.append(_guarded("reading", installation.reading))
    findings.append(_guarded("cross-encoder", installation.cross_encoder))
    if url:
        return [*findings, _guarded("server", partial(server.server, url))]
    return findings + [_guarded(name, partial(check, settings)) for name, check in _OF_THIS_MACHINE.items()]


def _guarded(name: str, check: Callable[[], Finding]) -> Finding:
    """The check's finding; an exception is a finding, too."""
    try:
        return check()
    except ImportError as error:
        advice = f"Install Strata again: {adding('local')}."
        return Finding(State.FAIL, name, f"can't be loaded ({error})", advice)
    except Exception as error:
        return Finding(State.FAIL, name, sentence_for(error) or f"{type(error).__name__}: {error}")
