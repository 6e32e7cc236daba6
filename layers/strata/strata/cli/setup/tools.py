"""The tools that can be set up: their files, and the entries that belong there.

Formats as the tools document them, for Claude Code 2.1, Codex 0.156 (hooks, which its user trusts once by
`/hooks`), Cursor 1.7 and later (hooks), VS Code with `mcp.json` in the profile, Windsurf, Gemini CLI 0.26 and
later (hooks), and opencode 1. VS Code, Windsurf and opencode get the MCP server only.
"""

import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strata.adapters.chats.sources import NAMES as READABLE
from strata.cli.setup.entries import NAME, Entry, Format
from strata.cli.setup.json_text import JSON, JSONC
from strata.cli.setup.toml_text import TOML

TOOLS = ("claude-code", "codex", "cursor", "vscode", "windsurf", "gemini-cli", "opencode")


@dataclass(frozen=True, slots=True)
class Home:
    """A person's home folder and environment; `system` is as `sys.platform`."""

    path: Path
    environ: Mapping[str, str]
    system: str = sys.platform

    def moved(self, name: str, usual: str) -> Path:
        """The folder that a variable names, else the usual one."""
        return Path(self.environ.get(name) or self.path / usual)


@dataclass(frozen=True, slots=True)
class Part:
    """A file, its format, and what belongs there."""

    path: Path
    form: Format
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """The files of a tool; the tool's own commands `add` and `remove` edit `server` where they are there."""

    parts: tuple[Part, ...]
    server: Part | None = None
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


def setting(tool: str, home: Home, command: str, url: str | None) -> Setting:
    """The files and entries of one of `TOOLS`, for the path of the `strata` command and a server, if any."""
    more = ["--url", url] if url else []
    run = {"command": command, "args": ["mcp", *more]}
    quoted = f'"{Path(command).as_posix()}"' if home.system == "win32" else shlex.quote(command)
    hook = " ".join([quoted, "hook", tool, *map(shlex.quote, more)])
    if tool == "claude-code":
        return _claude_code(home, run, hook)
    parts: dict[str, Callable[[], tuple[Part, ...]]] = {
        "codex": lambda: _codex(home, run, hook),
        "cursor": lambda: _cursor(home, run, hook),
        "gemini-cli": lambda: _gemini_cli(home, run, hook),
        "vscode": lambda: (_servers(_code(home) / "User/mcp.json", "servers", {"type": "stdio"} | run),),
        "windsurf": lambda: (_servers(home.path / ".codeium/windsurf/mcp_config.json", "mcpServers", run),),
        "opencode": lambda: (_opencode(home, [command, "mcp", *more]),),
    }
    return Setting(parts[tool]())


def _servers(path: Path, key: str, run: dict[str, Any], form: Format = JSONC) -> Part:
    return Part(path, form, (Entry((key, NAME), run),))


def _claude_code(home: Home, run: dict[str, Any], hook: str) -> Setting:
    own = home.moved("CLAUDE_CONFIG_DIR", ".claude")
    state = (own if home.environ.get("CLAUDE_CONFIG_DIR") else home.path) / ".claude.json"
    return Setting(
        (Part(own / "settings.json", JSON, _hooks("claude-code", hook, 5)),),
        _servers(state, "mcpServers", {"type": "stdio"} | run, JSON),
        ("claude", "mcp", "add", "--scope", "user", NAME, "--", run["command"], *run["args"]),
        ("claude", "mcp", "remove", "--scope", "user", NAME),
    )


def _codex(home: Home, run: dict[str, Any], hook: str) -> tuple[Part, ...]:
    own = home.moved("CODEX_HOME", ".codex")
    server = _servers(own / "config.toml", "mcp_servers", run, TOML)
    return server, Part(own / "hooks.json", JSON, _hooks("codex", hook, 3))


def _cursor(home: Home, run: dict[str, Any], hook: str) -> tuple[Part, ...]:
    own = home.path / ".cursor"
    start = Entry(("hooks", "sessionStart"), {"command": hook}, listed=True)
    hooks = Part(own / "hooks.json", JSONC, (Entry(("version",), 1, needed=False), start))
    return _servers(own / "mcp.json", "mcpServers", run), hooks


def _gemini_cli(home: Home, run: dict[str, Any], hook: str) -> tuple[Part, ...]:
    entries = (Entry(("mcpServers", NAME), run), *_hooks("gemini-cli", hook, 5000))
    return (Part(home.path / ".gemini" / "settings.json", JSONC, entries),)


def _opencode(home: Home, command: list[str]) -> Part:
    folder = home.moved("XDG_CONFIG_HOME", ".config") / "opencode"
    named = [folder / "opencode.jsonc", folder / "opencode.json"]
    path = next((each for each in named if each.exists()), named[1])
    return _servers(path, "mcp", {"type": "local", "command": command, "enabled": True})


def _hooks(tool: str, command: str, timeout: int) -> tuple[Entry, ...]:
    """The hooks of tools with Claude Code's form; the timeout is in the tool's unit."""
    gemini = tool == "gemini-cli"
    events = ["SessionStart", "BeforeAgent" if gemini else "UserPromptSubmit"]
    if tool in READABLE:
        events += ["PreCompress" if gemini else "PreCompact", "SessionEnd"]
    run: dict[str, Any] = {"type": "command", "command": command, "timeout": timeout}
    return tuple(Entry(("hooks", event), {"hooks": [run]}, listed=True) for event in events)


def _code(home: Home) -> Path:
    if home.system == "win32":
        return home.moved("APPDATA", "AppData/Roaming") / "Code"
    if home.system == "darwin":
        return home.path / "Library" / "Application Support" / "Code"
    return home.moved("XDG_CONFIG_HOME", ".config") / "Code"


def this_home() -> Home:
    """The person who runs this process."""
    return Home(Path.home(), os.environ)
