import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from strata.cli.app import app
from strata.cli.connection import current_project
from strata.installation import adding
from strata.local.transport import InProcessTransport
from support.api import gateway
from support.fake_strata import FakeStrata

COMMANDS = [
    "backup",
    "carry-over",
    "context",
    "doctor",
    "end",
    "export",
    "forget",
    "get",
    "import",
    "maintain",
    "queues",
    "recent",
    "redrive",
    "reindex",
    "restore",
    "save",
    "search",
    "serve",
    "stats",
    "verify",
]


@pytest.fixture
def server() -> FakeStrata:
    return FakeStrata()


@pytest.fixture
def strata(server, monkeypatch, tmp_path):
    """Runs the command line against the fake server, in a folder named `shop`."""
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("STRATA_URL", "STRATA_PROJECT", "STRATA_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    runner = CliRunner()

    def run(*arguments: str, stdin: str | None = None, code: int = 0):
        result = runner.invoke(app, list(arguments), obj=server, input=stdin)
        assert result.exit_code == code, result.output
        return result

    return run


def asked_last(server: FakeStrata):
    """The last request but the one for the projects there are, which follows where nothing is found."""
    return next(each for each in reversed(server.requests) if each.url.path != "/stats")


def sent(server: FakeStrata):
    return json.loads(server.requests[-1].content)


# --- help -----------------------------------------------------------------------------------------


def test_the_help_names_every_command(strata):
    out = strata("--help").output
    assert [name for name in COMMANDS if name not in out] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(strata, command):
    assert f"Example: strata {command}" in " ".join(strata(command, "--help").output.split())


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {"serve"}))
def test_every_command_but_the_server_speaks_json(strata, command):
    assert "--json" in strata(command, "--help").output


def test_a_wrong_use_is_exit_code_2(strata):
    strata("search", code=2)
    strata("get", "seven", code=2)
    strata("recent", "--limit", "0", code=2)
    strata("context", "--text", "--json", code=2)
    strata("recent", "--sessions", "--type", "note", code=2)
    strata("export", "-", "--json", code=2)


def test_help_loads_nothing_of_the_server():
    heavy = ["numpy", "aws_lambda_powertools", "gunicorn", "uvicorn", "Stemmer", "strata.bootstrap"]
    script = f"import sys, strata.cli.app; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


# --- saving and reading ---------------------------------------------------------------------------


def test_save_fills_in_title_project_and_session(strata, server):
    strata("save", "Deploys need the lock.\nAsk Ann.", "--tag", "deploy", "--tag", "lock")
    body = sent(server)
    assert body["title"] == "Deploys need the lock."
    assert body["project"] == "shop"
    assert body["session_id"].startswith("cli-shop-")
    assert body["tags"] == ["deploy", "lock"]
    assert body["type"] == "note"


def test_a_long_first_line_is_cut_for_the_title(strata, server):
    strata("save", "word " * 100)
    assert len(sent(server)["title"]) <= 80
    assert sent(server)["title"].endswith("…")


def test_save_reads_the_standard_input(strata, server):
    strata("save", "-", stdin="from a pipe")
    assert sent(server)["content"] == "from a pipe"


def test_content_that_begins_with_a_dash_is_content_after_two_dashes(strata, server):
    strata("save", "--", "--force is dangerous")
    assert sent(server)["content"] == "--force is dangerous"


def test_the_project_is_given_or_of_the_environment_or_of_the_folder(strata, server, monkeypatch):
    monkeypatch.setenv("STRATA_PROJECT", "blog")
    strata("save", "one")
    assert sent(server)["project"] == "blog"
    strata("save", "one", "--project", "wiki")
    assert sent(server)["project"] == "wiki"


def test_inside_a_checkout_the_project_is_the_checkouts(monkeypatch, tmp_path):
    inner = tmp_path / "repo" / "src" / "deep"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert current_project() == "deep"
    (tmp_path / "repo" / ".git").mkdir()
    assert current_project() == "repo"


def test_what_is_saved_can_be_found_shown_and_forgotten(strata, server):
    strata("save", "Deploys need the lock", "--type", "lesson")
    assert "Deploys need the lock" in strata("search", "the", "lock").output
    assert "Deploys need the lock" in strata("recent").output
    assert "lesson" in strata("get", "1").output
    assert "Deploys need the lock" in strata("context", "deploying").output
    assert strata("context", "--text").output.startswith("<memory:context>\n- [lesson]")
    strata("forget", "1", "--hard", "--yes")
    assert server.requests[-1].url.params["hard"] == "true"
    assert "Nothing" in strata("recent").output


def test_nothing_is_erased_where_nobody_can_be_asked(strata, server):
    strata("save", "Deploys need the lock")
    refused = strata("forget", "1", "--hard", code=1)
    assert "--yes" in refused.output
    assert "Deploys need the lock" in strata("recent").output


def test_search_joins_its_words_and_passes_its_options(strata, server):
    strata("search", "tea,", "coffee", "--mode", "bm25", "--min-score", "0.2", "-n", "3", "-t", "note")
    asked = dict(asked_last(server).url.params)
    assert asked == {
        "q": "tea, coffee",
        "project": "shop",
        "mode": "bm25",
        "min_score": "0.2",
        "limit": "3",
        "type": "note",
    }


FILTERED = [
    "--user",
    "ann",
    "--tag",
    "a",
    "--tag",
    "b,c",
    "--created-after",
    "7d",
    "--metadata",
    "path=src/*",
]


@pytest.mark.parametrize(
    "command", [["search", "tea"], ["recent"], ["context", "tea"], ["context", "--text"]]
)
def test_filters_are_passed(strata, server, command):
    strata(*command, *FILTERED, "--metadata", "env=prod=1", "--any-tag", "x")
    asked = dict(asked_last(server).url.params)
    assert {name: asked[name] for name in ("user_id", "created_after")} == {
        "user_id": "ann",
        "created_after": "7d",
    }
    assert json.loads(asked["tags_all"]) == ["a", "b,c"]
    assert json.loads(asked["tags_any"]) == ["x"]
    assert json.loads(asked["metadata"]) == {"path": {"prefix": "src/"}, "env": "prod=1"}


def test_metadata_without_a_value_are_a_usage_error_and_sessions_take_no_filters(strata):
    assert "'env' should be KEY=VALUE" in strata("search", "tea", "--metadata", "env", code=2).output
    assert "only --user and" in strata("recent", "--sessions", "--session", "s1", code=2).output


def test_a_search_of_all_projects_finds_what_one_of_them_tells_of(memory):
    for project in ("shop", "till"):
        memory.save(f"The heron of the {project}", project=project, metadata={"env": project})
    server = InProcessTransport(gateway(memory.app))

    def search(*options):
        asked = ["search", "heron", "--min-relevance", "0", *options]
        return " ".join(CliRunner().invoke(app, asked, obj=server).output.split())

    assert "In other projects there is: 'shop' (1), 'till' (1); --all shows it." in search("--project", "x")
    everything = search("--project", "x", "--all")
    assert ("of the shop" in everything, "of the till" in everything) == (True, True)
    assert "in any project" in search("--all", "--metadata", "env=none")
    assert "of the till" in search("--all", "--metadata", "env=ti*")


def test_superseded_memories_are_searched_when_they_are_asked_for(strata, server):
    strata("search", "tea")
    assert "include_superseded" not in asked_last(server).url.params
    strata("search", "tea", "--include-superseded")
    assert asked_last(server).url.params["include_superseded"] == "true"


@pytest.mark.parametrize(
    "command",
    [["search", "lock"], ["recent"], ["get", "1"], ["context"], ["stats"], ["recent", "--sessions"]],
)
def test_json_is_exactly_what_the_api_answered(strata, server, command):
    strata("save", "Le verrou du déploiement [lock] \U0001f512", "--project", "shop")
    answers: list[bytes] = []
    answer = server.handle_request

    def listen(request: httpx.Request) -> httpx.Response:
        response = answer(request)
        answers.append(response.read())
        return response

    server.handle_request = listen
    out = strata(*command, "--json").stdout
    assert out == answers[-1].decode() + "\n"


def test_json_of_an_answer_without_a_body_is_null(strata):
    strata("save", "one")
    assert strata("forget", "1", "--json").stdout == "null\n"


def test_markup_and_escape_sequences_in_a_memory_are_only_text(strata):
    strata(
        "save", "[bold]not bold[/bold] [/] \x1b[31mred\x1b[0m \x07 \u202ex\U000e0041", "--title", "[red]title"
    )
    for command in (["recent"], ["search", "bold"], ["get", "1"], ["context"]):
        out = strata(*command).output
        assert "[bold]not bold[/bold] [/]" in out
        assert "[red]title" in out
        assert not {"\x1b", "\x07", "\u202e", "\U000e0041"} & set(out)


def test_a_memory_of_any_script_is_printed_whole(strata):
    text = "記憶は海の底 ذاكرة \U0001f9e0"
    strata("save", text)
    assert text in strata("get", "1").output


# --- sessions -------------------------------------------------------------------------------------


def test_end_starts_the_session_and_ends_it_with_the_transcript(strata, server, tmp_path):
    file = tmp_path / "talk.json"
    file.write_text('[{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]')
    assert "2 messages" in strata("end", "s1", str(file)).output
    assert server.sessions["s1"]["project"] == "shop"
    assert "s1" in strata("recent", "--sessions").output


def test_end_reads_a_transcript_from_the_standard_input_or_has_none(strata, server):
    strata("end", "s1", "-", stdin="user: hello\nassistant: hi\n")
    assert sent(server)["messages"][1] == {"role": "assistant", "content": "hi"}
    strata("end", "s2")
    assert sent(server)["messages"] == []


# --- everything -----------------------------------------------------------------------------------


def test_an_export_holds_every_page_and_can_be_imported(strata, server, tmp_path):
    for number in range(5):
        strata("save", f"note {number} é", "--session", "s1")
    strata("end", "s1")
    file = tmp_path / "all.json"
    assert "exported 1 sessions and 5 memories" in strata("export", str(file)).output
    document = json.loads(file.read_text())
    assert [row["content"] for row in document["observations"]] == [f"note {n} é" for n in range(5)]
    assert [row["id"] for row in document["sessions"]] == ["s1"]

    server.sessions, server.observations = {}, {}
    counts = {"imported_sessions": 1, "imported_observations": 5}
    assert json.loads(strata("import", str(file), "--json").stdout) == counts
    counts = {"imported_sessions": 0, "imported_observations": 0}
    assert json.loads(strata("import", str(file), "--json").stdout) == counts


def test_an_export_goes_to_the_standard_output_and_nothing_else_does(strata):
    strata("save", "one")
    assert len(json.loads(strata("export", "-").stdout)["observations"]) == 1


def test_a_byte_order_mark_does_not_spoil_an_import(strata, tmp_path):
    document = '\ufeff{"sessions": [], "observations": []}'
    (tmp_path / "all.json").write_text(document, encoding="utf-8")
    assert "imported 0" in strata("import", str(tmp_path / "all.json")).stdout
    assert "imported 0" in strata("import", "-", stdin=document).stdout


def test_an_empty_export_is_a_document_too(strata, tmp_path):
    strata("export", str(tmp_path / "all.json"))
    assert json.loads((tmp_path / "all.json").read_text())["observations"] == []
    strata("import", str(tmp_path / "all.json"))


def test_an_export_that_fails_leaves_the_old_file_and_no_other(strata, server, tmp_path):
    file = tmp_path / "out" / "all.json"
    file.parent.mkdir()
    file.write_text("old")
    for number in range(5):
        strata("save", f"note {number}")
    server.refusals = [None, httpx.Response(500, json={"error": "broken", "code": "x"})]
    assert "broken" in strata("export", str(file), code=1).stderr
    assert file.read_text() == "old"
    assert os.listdir(file.parent) == ["all.json"]


def test_an_export_over_a_link_keeps_the_link_and_the_files_mode(strata, tmp_path):
    file, link = tmp_path / "real.json", tmp_path / "link.json"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    strata("export", str(link))
    assert link.is_symlink()
    assert "observations" in json.loads(file.read_text())
    assert file.stat().st_mode & 0o777 == 0o640


def test_an_export_into_a_pipe_leaves_the_pipe_a_pipe(strata, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        text = pool.submit(pipe.read_text)
        strata("export", str(pipe))
        assert json.loads(text.result(10))["sessions"] == []
    assert pipe.is_fifo()


def test_a_new_export_is_for_its_user_only(strata, tmp_path):
    strata("export", str(tmp_path / "all.json"))
    assert (tmp_path / "all.json").stat().st_mode & 0o077 == 0


# --- failures -------------------------------------------------------------------------------------


def failure(strata, *arguments: str, stdin: str | None = None) -> str:
    result = strata(*arguments, stdin=stdin, code=1)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_a_server_that_is_down_is_one_sentence(strata, server):
    server.refusals = [httpx.ConnectError("connection refused")]
    assert "can't reach Strata at http://strata.test: connection refused" in failure(strata, "recent")


def test_a_refusal_is_one_sentence_with_its_fields(strata, server):
    details = [{"field": "title", "message": "too long"}, {"field": "type", "message": "blank"}]
    body = {"error": "2 fields are wrong", "code": "invalid_request", "details": details}
    server.refusals = [httpx.Response(400, json=body)]
    assert failure(strata, "save", "x") == "strata: 2 fields are wrong; title: too long; type: blank\n"


def test_an_unknown_id_is_one_sentence(strata):
    assert "there is no such thing" in failure(strata, "get", "99")


def test_an_address_that_cannot_be_one_is_one_sentence(strata):
    assert "is not the address of a server" in failure(strata, "recent", "--url", "localhost:7437")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a JSON document"),
        ("[1, 2]", "is not an export"),
        ('{"observations": 7}', "are not a list"),
        ('{"observations": [7]}', "entry 1 of the observations is not an object"),
        ("[" * 100_000, "is not a JSON document"),
    ],
)
def test_a_file_that_is_no_export_is_one_sentence(strata, tmp_path, text, sentence):
    file = tmp_path / "x.json"
    file.write_text(text)
    assert sentence in failure(strata, "import", str(file))


def test_files_that_cannot_be_read_or_written_are_one_sentence(strata, tmp_path):
    assert "No such file" in failure(strata, "import", "missing.json")
    assert "No such file" in failure(strata, "end", "s1", "missing.json")
    assert "No such file" in failure(strata, "export", str(tmp_path / "no" / "all.json"))
    assert "is a folder" in failure(strata, "export", str(tmp_path))
    (tmp_path / "latin.txt").write_bytes(b"user: caf\xe9")
    assert "is not UTF-8 text" in failure(strata, "end", "s1", str(tmp_path / "latin.txt"))


def test_a_setting_that_cannot_be_used_is_one_sentence(monkeypatch, tmp_path):
    environment = {**os.environ, "STRATA_PORT": "many", "STRATA_DATA": str(tmp_path)}
    environment.pop("STRATA_URL", None)
    command = [sys.executable, "-c", "from strata.cli import main; main()", "recent"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert result.returncode == 1
    assert "unusable settings: STRATA_PORT" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_installation_without_the_extra_says_what_to_install():
    script = "import sys; sys.modules['typer'] = None; from strata.cli import main; main()"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == f"strata: typer is not installed; {adding('local')} brings it\n"


def leaves(command, *path):
    """The commands that have `--url`, each with its path."""
    for name, each in getattr(command, "commands", {}).items():
        yield from leaves(each, *path, name)
    if path and any("--url" in parameter.opts for parameter in command.params):
        yield path


@pytest.mark.parametrize("path", list(leaves(get_command(app))), ids=" ".join)
def test_options_of_the_server_may_stand_before_every_command(path):
    given = ["--url", "http://there:1", "--json", "--project=shop", *path, "word"]
    context = get_command(app).make_context("strata", given)
    assert [*context._protected_args, *context.args] == [
        *path,
        "--url",
        "http://there:1",
        "--json",
        "--project=shop",
        "word",
    ]


def test_a_search_takes_them_on_either_side(strata, server):
    before = strata("--url", "http://there:1", "--project", "blog", "--json", "search", "tea").output
    after = strata("search", "tea", "--url", "http://there:1", "--project", "blog", "--json").output
    assert before == after
    one, other = server.requests[-2:]
    assert (one.url, str(one.url.host)) == (other.url, "there")


def test_an_option_that_a_command_does_not_have_is_still_wrong_usage(strata):
    assert "No such option" in strata("--url", "http://there:1", "serve", code=2).output
    assert "No such command" in strata("--url", "http://there:1", "nothing", code=2).output
