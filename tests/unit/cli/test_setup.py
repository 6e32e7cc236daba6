"""`strata setup`: a tool's files change by Strata's entries alone, and come back to the byte."""

import json
import os
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from strata.cli.app import app
from strata.cli.failures import CommandError
from strata.cli.setup.entries import Edited
from strata.cli.setup.files import Notes, carry_out, planned
from strata.cli.setup.json_text import JSONC
from strata.cli.setup.tools import TOOLS, Home, setting

COMMAND = "/opt/strata tools/bin/strata"

# --- files as people have them --------------------------------------------------------------------

_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)
_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 5000), st.floats(0, 9, width=16), _WORDS)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=6,
)
_SERVERS = st.dictionaries(
    st.sampled_from(["github", "postgres", "files"]),
    st.just({"command": "npx", "args": ["-y", "some-server"], "env": {"TOKEN": "t"}})
    | st.just({"url": "http://x/mcp"}),
    max_size=2,
)
_GROUPS = st.lists(
    st.just({"matcher": "startup", "hooks": [{"type": "command", "command": "beep // not a comment"}]})
    | st.just({"command": "./audit.sh"}),
    max_size=2,
)
_EVENTS = st.sampled_from(
    ["SessionStart", "sessionStart", "UserPromptSubmit", "BeforeAgent", "Stop", "SessionEnd"]
)
_DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "model": st.just("opus"),
        "version": st.just(1),
        "mcpServers": _SERVERS,
        "servers": _SERVERS,
        "mcp": _SERVERS,
        "hooks": st.dictionaries(_EVENTS, _GROUPS, max_size=3),
        "permissions": st.fixed_dictionaries({"allow": st.lists(_WORDS, max_size=3)}),
        "more": _VALUES,
    },
)


@st.composite
def json_files(draw, comments: bool) -> bytes:
    """A document as an editor or a person writes it."""
    newline = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    unit = draw(st.sampled_from(["  ", "    ", "\t"]))
    compact = draw(st.booleans())
    colon, comma = draw(st.sampled_from([(": ", ", "), (":", ",")]))
    trailing = comments and draw(st.booleans())
    remarks = st.sampled_from(["", "", "", " // yes, {really}", " /* [1, */"]) if comments else st.just("")

    def written(value, indent):
        if not isinstance(value, dict | list) or not value:
            gap = draw(st.sampled_from(["", " ", newline + indent])) if isinstance(value, dict | list) else ""
            text = json.dumps(value, ensure_ascii=draw(st.booleans()))
            return text[0] + gap + text[1] if gap else text
        pairs = (
            [(json.dumps(key) + colon, each) for key, each in value.items()]
            if isinstance(value, dict)
            else [("", each) for each in value]
        )
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        if compact or draw(st.integers(0, 3)) == 0:
            return opening + comma.join(name + written(each, indent) for name, each in pairs) + closing
        inner = indent + unit
        lines = [inner + name + written(each, inner) for name, each in pairs]
        ends = [","] * (len(lines) - 1) + ["," if trailing else ""]
        told = [line + end + draw(remarks) for line, end in zip(lines, ends, strict=True)]
        return opening + draw(remarks) + newline + newline.join(told) + newline + indent + closing

    text = written(draw(_DOCUMENTS), "")
    around = draw(st.sampled_from([("", ""), ("", newline), (newline, newline * 2), (" ", " ")]))
    bom = draw(st.sampled_from(["", "\ufeff"]))
    return (bom + around[0] + text + around[1]).encode("utf-8", "replace")


_BLOCKS = st.sampled_from(
    [
        'model = "o9"',
        "# what I like\napproval_policy = 'never'",
        '[tui]\ntheme = "dark" # yes',
        '[mcp_servers.github]\ncommand = "npx"\nargs = [\n  "-y", # yes\n]\n\n'
        '[mcp_servers.github.env]\nA = "b"',
        '[projects."/home/ann/shop"]\ntrust_level = "trusted"',
        '[notes]\ntext = """\nnot a table: [here]\n"""',
        "[[rules]]\nname = 'a'\n[[rules]]\nname = 'b'",
    ]
)


@st.composite
def toml_files(draw) -> bytes:
    """A configuration of Codex: plain values first, then tables."""
    blocks = sorted(draw(st.lists(_BLOCKS, unique=True)), key=lambda block: "[" in block.split("\n")[0])
    text = draw(st.sampled_from(["\n", "\n\n"])).join(blocks) + draw(
        st.sampled_from(["", "\n", "\n\n# end\n"])
    )
    bom = draw(st.sampled_from(["", "\ufeff"]))
    return (bom + text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))).encode()


_FILES = {tool: json_files(comments=tool not in ("claude-code", "codex")) for tool in TOOLS}


def parts_of(tool: str, folder: Path):
    chosen = setting(tool, Home(folder, {}, "linux"), COMMAND, None)
    return [*chosen.parts, *([chosen.server] if chosen.server else [])]


def change(part, notes: Notes, *, remove: bool = False) -> None:
    plan = planned(part.path, part.form, part.entries, notes, remove=remove)
    if plan.before != plan.after:
        carry_out(plan, notes)


def everything(path: Path):
    text = path.read_bytes().decode("utf-8-sig")
    return tomllib.loads(text) if path.suffix == ".toml" else JSONC.read(text)


@pytest.mark.parametrize("tool", TOOLS)
def test_what_was_set_up_is_taken_out_to_the_byte(tool, tmp_path):
    @settings(max_examples=15)
    @given(st.data())
    def holds(data):
        for part in parts_of(tool, tmp_path):
            form = toml_files() if part.path.suffix == ".toml" else _FILES[tool]
            before = data.draw(form)
            part.path.parent.mkdir(parents=True, exist_ok=True)
            part.path.write_bytes(before)
            was, notes = everything(part.path), Notes(tmp_path / "state")
            change(part, notes)
            once = part.path.read_bytes()
            for entry in (each for each in part.entries if each.needed):
                value = everything(part.path)
                for key in entry.path:
                    value = value[key]
                assert entry.value in value if entry.listed else value == entry.value
            change(part, notes)
            assert part.path.read_bytes() == once
            change(part, notes, remove=True)
            assert part.path.read_bytes() == before
            change(part, notes, remove=True)
            assert part.path.read_bytes() == before
            assert everything(part.path) == was

    holds()


@pytest.mark.parametrize("tool", TOOLS)
def test_what_somebody_wrote_meanwhile_stays(tool, tmp_path):
    """Without the note of what was added, or with one of another state of the file."""

    @settings(max_examples=15)
    @given(st.data())
    def holds(data):
        for part in parts_of(tool, tmp_path):
            toml = part.path.suffix == ".toml"
            part.path.parent.mkdir(parents=True, exist_ok=True)
            part.path.write_bytes(data.draw(toml_files() if toml else _FILES[tool]))
            was, notes = everything(part.path), Notes(tmp_path / "state")
            change(part, notes)
            if toml:
                part.path.write_bytes(part.path.read_bytes() + b"\n# mine\n[mine]\nanswer = 42\n")
            else:
                text = part.path.read_bytes().decode()
                place = text.index("{") + 1
                part.path.write_bytes((text[:place] + '"mine": 42, ' + text[place:]).encode())
            change(part, notes, remove=True)
            assert everything(part.path) == was | {"mine": {"answer": 42} if toml else 42}
            assert not toml or b"# mine" in part.path.read_bytes()

    holds()


@pytest.mark.parametrize("tool", TOOLS)
def test_files_that_were_not_there_are_gone_again(tool, tmp_path):
    for part in parts_of(tool, tmp_path):
        notes = Notes(tmp_path / "state")
        change(part, notes)
        assert stat.S_IMODE(part.path.stat().st_mode) == 0o600
        text = part.path.read_text()
        change(part, notes, remove=True)
        assert not part.path.exists()
        part.path.write_text(text + "\n")  # another program wrote it again: only the note knows of the rest
        change(part, notes, remove=True)
        assert "strata" not in part.path.read_text()


def test_a_second_setup_takes_the_place_of_the_first(tmp_path):
    notes = Notes(tmp_path / "state")
    path = tmp_path / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_bytes(before := b'{"mcpServers": {"other": {"command": "x"}}}')
    for command in ("/old/bin/strata", "/new/bin/strata"):
        part = setting("cursor", Home(tmp_path, {}, "linux"), command, "http://127.0.0.1:7500").parts[0]
        change(part, notes)
    assert json.loads(path.read_text())["mcpServers"] == {
        "other": {"command": "x"},
        "strata": {"command": "/new/bin/strata", "args": ["mcp", "--url", "http://127.0.0.1:7500"]},
    }
    change(part, notes, remove=True)
    assert path.read_bytes() == before


def test_an_entry_of_that_name_that_is_not_stratas_stays(tmp_path):
    (part,) = parts_of("windsurf", tmp_path)
    part.path.parent.mkdir(parents=True)
    part.path.write_text(
        mine := '{"mcpServers": {"strata": {"serverUrl": "https://strata.example.com/mcp"}}}'
    )
    change(part, Notes(tmp_path / "state"))
    assert part.path.read_text() == mine
    change(part, Notes(tmp_path / "state"), remove=True)
    assert part.path.read_text() == mine


def test_hooks_of_others_in_a_group_with_stratas_stay(tmp_path):
    text = (
        '{"hooks": {"Stop": [{"hooks": [{"command": "beep"}, {"command": "/x/strata hook claude-code"}]}]}}'
    )
    assert JSONC.remove(text, []) == '{"hooks": {"Stop": [{"hooks": [{"command": "beep"}]}]}}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"a": 1', "is not JSON"),
        (b'{"a": 1,}', "is not JSON"),
        (b'{"a": 1} // mine', "is not JSON"),
        (b'{"a": 1, "a": 2}', "is not JSON"),
        (b'{"a": NaN}', "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[1]", "does not hold a JSON object"),
        (b'{"hooks": []}', "has a hooks that is not an object"),
        (b'{"hooks": {"SessionStart": {}}}', "has a hooks.SessionStart that is not a list"),
        (b'{"a": "\xff"}', "is not UTF-8"),
    ],
)
def test_a_file_that_cant_be_read_is_refused_and_left(tmp_path, text, said):
    part = parts_of("claude-code", tmp_path)[0]
    part.path.parent.mkdir()
    part.path.write_bytes(text)
    with pytest.raises(CommandError, match=said):
        change(part, Notes(tmp_path / "state"))
    assert part.path.read_bytes() == text


@pytest.mark.parametrize(
    "text", ["mcp_servers = {a = {command = 'x'}}\n", "a = [\n", "[mcp_servers]\nstrata.url = 'x'\na"]
)
def test_toml_that_cant_be_added_to_is_refused_and_left(tmp_path, text):
    part = parts_of("codex", tmp_path)[0]
    part.path.parent.mkdir()
    part.path.write_text(text)
    with pytest.raises(CommandError):
        change(part, Notes(tmp_path / "state"))
    assert part.path.read_text() == text


def test_a_file_that_changed_after_it_was_read_is_refused(tmp_path):
    part, notes = parts_of("claude-code", tmp_path)[0], Notes(tmp_path / "state")
    plan = planned(part.path, part.form, part.entries, notes, remove=False)
    part.path.parent.mkdir()
    part.path.write_text('{"model": "opus"}')
    with pytest.raises(CommandError, match="changed by something else"):
        carry_out(plan, notes)
    assert part.path.read_text() == '{"model": "opus"}'


def test_permissions_and_symlinks_stay(tmp_path):
    part, notes = parts_of("claude-code", tmp_path)[0], Notes(tmp_path / "state")
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    real.chmod(0o640)
    part.path.parent.mkdir()
    part.path.symlink_to(real)
    change(part, notes)
    assert part.path.is_symlink()
    assert "strata" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [each.name for each in real.parent.iterdir()] == ["claude.json"]


def test_additions_follow_the_style_of_a_file():
    edited = Edited('{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // first\r\n\t\t"b": {} // last\r\n\t}\r\n}')
    (part,) = parts_of("windsurf", Path("/home/ann"))
    JSONC.add(edited, part.entries[0])
    assert edited.text == (
        '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, // first\r\n\t\t"b": {}, // last\r\n\t\t"strata": {\r\n'
        f'\t\t\t"command": "{COMMAND}",\r\n'
        '\t\t\t"args": [\r\n\t\t\t\t"mcp"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}'
    )


# --- places -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "system", "environ", "places"),
    [
        ("claude-code", "linux", {}, [".claude/settings.json", ".claude.json"]),
        ("claude-code", "linux", {"CLAUDE_CONFIG_DIR": "/h/c"}, ["c/settings.json", "c/.claude.json"]),
        ("codex", "linux", {}, [".codex/config.toml", ".codex/hooks.json"]),
        ("codex", "darwin", {"CODEX_HOME": "/h/x"}, ["x/config.toml", "x/hooks.json"]),
        ("cursor", "win32", {}, [".cursor/mcp.json", ".cursor/hooks.json"]),
        ("vscode", "linux", {}, [".config/Code/User/mcp.json"]),
        ("vscode", "darwin", {}, ["Library/Application Support/Code/User/mcp.json"]),
        ("vscode", "win32", {"APPDATA": "/h/Roaming"}, ["Roaming/Code/User/mcp.json"]),
        ("windsurf", "linux", {}, [".codeium/windsurf/mcp_config.json"]),
        ("gemini-cli", "linux", {}, [".gemini/settings.json"]),
        ("opencode", "linux", {}, [".config/opencode/opencode.json"]),
    ],
)
def test_every_tool_has_its_files_where_it_looks(tool, system, environ, places):
    chosen = setting(tool, Home(Path("/h"), environ, system), COMMAND, None)
    parts = [*chosen.parts, *([chosen.server] if chosen.server else [])]
    assert [part.path for part in parts] == [Path("/h") / place for place in places]


# --- the command ------------------------------------------------------------------------------------


@pytest.fixture
def strata(tmp_path, monkeypatch):
    """Runs the command in a home of its own, without any tool's own command."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "APPDATA", "STRATA_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    def run(*arguments: str, code: int = 0, stdin: str | None = None) -> str:
        result = CliRunner().invoke(app, ["setup", *arguments], input=stdin)
        assert result.exit_code == code, result.output
        return result.output

    return run


def test_changes_are_shown_and_asked_for(strata, tmp_path):
    path = tmp_path / ".claude" / "settings.json"
    assert "strata hook claude-code" in strata("claude-code", "--dry-run")
    assert not path.exists()
    strata("claude-code", stdin="n\n", code=1)
    assert not path.exists()
    shown = strata("claude-code", stdin="y\n")
    assert f"+++ {path}" in shown
    assert "Change this?" in shown
    assert set(json.loads(path.read_text())["hooks"]) == {
        "SessionStart",
        "UserPromptSubmit",
        "PreCompact",
        "SessionEnd",
    }
    assert json.loads((tmp_path / ".claude.json").read_text())["mcpServers"]["strata"]["args"] == ["mcp"]
    assert "nothing to change" in strata("claude-code")
    assert f"--- {path}" in strata("claude-code", "--remove", "--yes")
    assert not path.exists()
    assert not (tmp_path / ".claude.json").exists()


def test_one_file_that_cant_be_read_keeps_all_as_they_are(strata, tmp_path):
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "hooks.json").write_text("{")
    assert "hooks.json is not JSON" in strata("codex", "--yes", code=1)
    assert [each.name for each in (tmp_path / ".codex").iterdir()] == ["hooks.json"]


def test_a_tools_own_command_adds_and_removes_the_server(strata, tmp_path):
    state, log = tmp_path / ".claude.json", tmp_path / "log"
    state.write_text('{"numStartups": 3}')
    own = tmp_path / "bin" / "claude"
    entry = '{"mcpServers": {"strata": {"command": "strata", "args": ["mcp"]}}}'
    own.write_text(
        f'#!/bin/sh\necho "$@" >> {log}\n'
        f"if [ $2 = add ]; then echo '{entry}'; else echo '{{}}'; fi > {state}\n"
    )
    own.chmod(0o755)
    assert "runs: claude mcp add --scope user strata -- " in strata("claude-code", "--dry-run")
    assert not log.exists()
    strata("claude-code", "--yes")
    strata("claude-code", "--yes")
    strata("claude-code", "--yes", "--remove")
    strata("claude-code", "--yes", "--remove")
    added, removed = log.read_text().splitlines()
    assert added.startswith("mcp add --scope user strata -- ")
    assert added.endswith("strata mcp")
    assert removed == "mcp remove --scope user strata"
    own.write_text("#!/bin/sh\necho no luck >&2; exit 3\n")
    assert "no luck" in strata("claude-code", "--yes", code=1)


def test_the_owner_stays(tmp_path):
    part, notes = parts_of("windsurf", tmp_path)[0], Notes(tmp_path / "state")
    part.path.parent.mkdir(parents=True)
    part.path.write_text("{}")
    owner = 12345 if os.geteuid() == 0 else os.geteuid()  # only root gives files away
    os.chown(part.path, owner, -1)
    change(part, notes)
    assert part.path.stat().st_uid == owner
