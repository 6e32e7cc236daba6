"""setup: Strata in the agents on this machine."""

import difflib
import shlex
import shutil
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from strata.cli import output
from strata.cli.failures import CommandError
from strata.cli.setup.entries import found
from strata.cli.setup.files import Notes, Plan, carry_out, planned
from strata.cli.setup.tools import TOOLS, Setting, setting, this_home

_PATIENCE = 60
Tool = StrEnum("Tool", {tool: tool for tool in TOOLS})  # type: ignore[misc]


def setup(
    *,
    tool: Annotated[Tool, typer.Argument(help="The tool to set up.", show_default=False)],
    remove: Annotated[bool, typer.Option("--remove", help="Take Strata out again.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes and make none.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    url: Annotated[
        str | None, typer.Option("--url", help="The server to use.", show_default="the tool's STRATA_URL")
    ] = None,
) -> None:
    """Add Strata to an agent: its MCP server and, where the agent has hooks, context and memory of sessions.

    Shows the changes and asks. Idempotent. `--remove` takes out only what is Strata's.
    """
    notes = Notes(_state())
    wanted = setting(tool, this_home(), _command(), url)
    runs = _own_command(wanted, notes, remove=remove)
    parts = wanted.parts if runs is not None or wanted.server is None else (*wanted.parts, wanted.server)
    plans = [planned(part.path, part.form, part.entries, notes, remove=remove) for part in parts]
    plans = [plan for plan in plans if plan.before != plan.after]
    if not (plans or runs):
        output.say(f"{tool}: nothing to change")
        return
    _show(plans, runs)
    if dry_run:
        return
    if not yes:
        typer.confirm("Change this?", abort=True)
    for plan in plans:
        carry_out(plan, notes)
    if runs:
        _run(runs)
    output.say(f"{tool}: {'removed' if remove else 'done; it counts from its next start'}", "green")


def _own_command(wanted: Setting, notes: Notes, *, remove: bool) -> tuple[str, ...] | None:
    """The tool's own command, empty where nothing is to be done; None where the file is to be edited."""
    own = wanted.remove if remove else wanted.add
    if not own or wanted.server is None or shutil.which(own[0]) is None or notes.of(wanted.server.path):
        return None
    part = wanted.server
    text = part.path.read_text(encoding="utf-8-sig") if part.path.exists() else ""
    plan = planned(part.path, part.form, part.entries, notes, remove=remove)
    there = found(part.form.read(text), part.entries[0].path) is not None
    return own if plan.before != plan.after and there == remove else ()


def _run(command: tuple[str, ...]) -> None:
    try:
        ended = subprocess.run(  # noqa: S603 - the command that was shown
            [str(shutil.which(command[0])), *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise CommandError(f"{shlex.join(command)} took longer than {_PATIENCE} seconds") from None
    if ended.returncode:
        said = output.plain((ended.stderr or ended.stdout).strip(), cut=300)
        raise CommandError(f"{shlex.join(command)} failed: {said or ended.returncode}")


def _show(plans: list[Plan], runs: tuple[str, ...] | None) -> None:
    for plan in plans:
        old, new = ((content or b"").decode().splitlines() for content in (plan.before, plan.after))
        here = str(plan.path)
        froms, to = (
            here if plan.before is not None else "nothing",
            here if plan.after is not None else "nothing",
        )
        for line in difflib.unified_diff(old, new, froms, to, n=1, lineterm=""):
            output.say(line, {"+": "green", "-": "red"}.get(line[0], "dim"))
    if runs:
        output.say(f"runs: {shlex.join(runs)}")


def _command() -> str:
    """The whole path of this installation's command: tools often start without the shell's PATH."""
    beside = Path(sys.executable).with_name("strata.exe" if sys.platform == "win32" else "strata")
    return str(beside) if beside.exists() else shutil.which("strata") or "strata"


def _state() -> Path:
    from platformdirs import user_state_path

    return user_state_path("strata")
