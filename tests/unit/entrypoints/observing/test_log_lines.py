"""Log lines: enough to find a request again, and never what somebody wrote."""

import json
import logging
import os
import subprocess
import sys
from typing import Any, cast

import pytest

from strata.adapters.opensearch import responses
from strata.bootstrap import Overrides
from strata.domain.errors import Unavailable
from strata.entrypoints.observing import Observing, logs
from strata.entrypoints.observing.exceptions import described
from strata.entrypoints.observing.repeats import Repeats
from strata.local.template.functions import LambdaContext
from strata.ports.rows import Key
from strata.ports.search import SearchIndex
from strata.services.table.parallel import Parallel
from support.api import client
from support.memory import application, dialogue, observation, record, unique

MARK = "quetzal"
KEY = "AKIA" + "Q7WERTYUIOPASDFG"
PASSWORD = "hunter2" + MARK


class Broken:
    """A store that stumbles over what it was given, and quotes it."""

    def save(self, *given, **named):
        try:
            raise ValueError(f"cannot read {given} {named}")
        except ValueError as error:
            unusable = RuntimeError(f"unusable: {given} {named}")
            unusable.add_note(f"given {given} {named}")
            raise unusable from error

    get = get_many = query = transact = update = search = write = save


class Away:
    """An index that does not answer."""

    def search(self, scope, query):
        raise Unavailable("the search engine does not answer")

    def fits(self):
        return True


def converse(api):
    """A whole conversation, every word of it marked; good calls and bad ones. The statuses."""
    headers = {"Authorization": f"Bearer strata_1_{MARK}", "Cookie": f"session={MARK}"}
    body = observation(
        title=f"{MARK} title",
        content=f"{MARK} content, password={PASSWORD} and {KEY}",
        tags=[MARK],
        topic_key=f"{MARK}/topic",
        user_id=f"{MARK}@example.org",
    )
    calls = [
        ("POST", "/sessions", {"id": "s1", "project": "demo", "user_id": f"{MARK}@example.org"}),
        ("POST", "/observations", body),
        ("POST", "/observations", body),
        ("POST", "/observations", body | {"title": ""}),
        ("POST", "/observations", body | {"user_id": f"{MARK}2"}),
        ("GET", f"/search?q={MARK}&project=demo", None),
        ("GET", f"/search?q={MARK}&limit={MARK}", None),
        ("GET", f"/context?query={MARK}&project=demo", None),
        ("GET", "/observations/recent", None),
        ("GET", f"/observations/{MARK}", None),
        ("GET", f"/nowhere/{MARK}", None),
        ("POST", "/import", {"observations": [body]}),
        ("GET", "/export", None),
        ("POST", "/sessions/s1/end", {"messages": dialogue(f"{MARK} {KEY}", MARK)}),
        ("POST", f"/sessions/{MARK}/end", {}),
    ]
    return [api.request(method, path, json=data, headers=headers).status_code for method, path, data in calls]


@pytest.mark.parametrize("style", ["json", "text"])
def test_a_whole_conversation_leaves_nobodys_words_in_the_log(style, tmp_path, capsys):
    logs.set_up(style, "DEBUG")
    app = application(tmp_path)
    with client(app) as api:
        statuses = converse(api)
    app.close()

    said = "".join(capsys.readouterr())
    assert {200, 201, 400, 404, 409} == set(statuses)
    assert "POST /observations answered 201" in said
    assert "redacted aws_access_key" in said
    assert MARK not in said.lower()
    assert KEY not in said


@pytest.mark.parametrize("style", ["json", "text"])
def test_what_fails_unexpectedly_is_told_by_type_and_place_without_its_message(style, tmp_path, capsys):
    logs.set_up(style, "DEBUG")
    broken: Any = Broken()
    app = application(tmp_path, overrides=Overrides(table=broken, index=broken))
    with client(app) as api:
        statuses = converse(api)

    said = "".join(capsys.readouterr())
    assert 500 in statuses
    assert "ValueError" in said
    assert "RuntimeError" in said
    assert "test_log_lines.py" in said
    assert MARK not in said.lower()


@pytest.mark.parametrize("style", ["json", "text"])
def test_a_change_that_is_not_processed_is_told_without_its_words(style, tmp_path, capsys):
    logs.set_up(style, "DEBUG")
    app = application(tmp_path, overrides=Overrides(index=cast(SearchIndex, Broken())))

    note = Key(f"EPISODES#{MARK}@example.org", f"CHANGE#0000000000000007#0000000000000007#{MARK}@example.org")
    app.handlers.indexer()({"Records": [record("local", note)]}, None)

    said = "".join(capsys.readouterr())
    assert "not processed" in said
    assert "of local in EPISODES/CHANGE" in said
    assert "RuntimeError" in said
    assert MARK not in said.lower()


def test_a_store_that_is_away_is_logged_with_the_request_it_failed(tmp_path, capsys):
    logs.set_up("json", "INFO")
    app = application(tmp_path, overrides=Overrides(index=cast(SearchIndex, Away())))
    with client(app) as api:
        answer = api.get(f"/search?q={MARK}&project=demo", headers={"X-Request-Id": "req-77"})

    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert answer.headers["Strata-Degraded"] == "index"
    assert line["message"] == "searching without the index: the search engine does not answer"
    assert line["correlation_id"] == "req-77"


def test_a_json_line_names_service_function_request_and_whether_it_was_a_cold_start(tmp_path, capsys):
    logs.set_up("json", "INFO")
    observing = Observing(application(tmp_path).clock)
    event = {"requestContext": {"requestId": "JKJaXmPLvHcESHA="}, "headers": {}}

    for _ in range(2):
        with observing.invocation(event, LambdaContext("save", "lambda-1")):
            logging.getLogger("strata.http").warning("%d of %d", 1, 2)

    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["timestamp"].endswith("+00:00")
    assert {name: first[name] for name in first if name not in ("timestamp", "location")} == {
        "level": "WARNING",
        "message": "1 of 2",
        "service": "strata",
        "logger": "strata.http",
        "function_name": "save",
        "function_request_id": "lambda-1",
        "correlation_id": "JKJaXmPLvHcESHA=",
        "cold_start": True,
    }
    assert second["cold_start"] is False


def test_a_plain_line_names_its_request(tmp_path, capsys):
    logs.set_up("text", "INFO")
    observing = Observing(application(tmp_path).clock)
    with observing.invocation({"headers": {"x-request-id": "abc-1"}}, None):
        logging.getLogger("strata.http").warning("hello")
    logging.getLogger("strata.http").debug("not at this level")
    logging.getLogger("strata.http").warning("of no request")

    said = capsys.readouterr().err
    assert said == "WARNING strata.http [abc-1]: hello\nWARNING strata.http: of no request\n"


def test_a_warning_that_repeats_is_written_once_a_minute_with_its_number(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(logs, "Repeats", lambda: Repeats(lambda: now[0]))
    logs.set_up("text", "INFO")
    log = logging.getLogger("strata.search")
    for _ in range(3):
        log.warning("without the index: %s", "it is away")
        log.error("each of these")
    log.warning("without the index: %s", "it slows down")
    now[0] = 61
    log.warning("without the index: %s", "it is away")
    assert capsys.readouterr().err.splitlines() == [
        "WARNING strata.search: without the index: it is away",
        *["ERROR strata.search: each of these"] * 3,
        "WARNING strata.search: without the index: it slows down",
        "WARNING strata.search: without the index: it is away (2 more times since this was told)",
    ]


@pytest.mark.parametrize(("style", "level"), [("json", "INFO"), ("text", "INFO"), ("text", "DEBUG")])
def test_a_line_that_cannot_be_written_is_no_failure_of_who_logs_it(style, level, capsys, monkeypatch):
    monkeypatch.setattr(logging, "raiseExceptions", False)
    logs.set_up(style, level)
    log = logging.getLogger("strata.search")
    log.warning("a %d", "b")
    log.warning("a %d", 1)
    (line,) = "".join(capsys.readouterr()).splitlines()
    assert "a 1" in line


def test_of_warnings_the_latest_are_known_and_none_of_their_words():
    repeats = Repeats(lambda: 0.0)

    def told(number):
        record = logging.LogRecord("strata", logging.WARNING, "", 1, f"{MARK} %d", (number,), None)
        return repeats.told(record) is not None

    assert all(told(number) for number in range(300))
    assert not told(299)
    assert not told(100)
    assert told(99)
    assert MARK not in str(vars(repeats))


@pytest.mark.parametrize(("style", "level"), [("json", "INFO"), ("text", "DEBUG")])
def test_each_line_is_written_where_lines_are_counted_or_asked_for(style, level, capsys):
    logs.set_up(style, level)
    for _ in range(3):
        logging.getLogger("strata.search").warning("away")
    out, err = capsys.readouterr()
    assert (out + err).count("away") == 3


@pytest.mark.parametrize("given", ["two\nlines", "ann@example.org", "x" * 129, "", '{"a":1}'])
def test_a_request_id_that_is_no_plain_id_is_not_taken_over(given, tmp_path, capsys):
    logs.set_up("json", "INFO")
    event = {"requestContext": {"requestId": "gateway-1"}, "headers": {"x-request-id": given}}
    with Observing(application(tmp_path).clock).invocation(event, None):
        logging.getLogger("strata.http").warning("hello")

    assert json.loads(capsys.readouterr().out)["correlation_id"] == "gateway-1"


def test_an_error_of_our_own_keeps_its_message_and_its_cause_by_name():
    try:
        try:
            raise KeyError(MARK)
        except KeyError as cause:
            raise Unavailable("the store was busy") from cause
    except Unavailable as error:
        said = described(error)
    assert said.endswith("Unavailable: the store was busy")
    assert "KeyError\nwhich led to\n" in said
    assert MARK not in said


def test_libraries_are_heard_from_warnings_on(capsys):
    logging.getLogger().handlers.clear()
    logs.set_up("text", "DEBUG")
    library = logging.getLogger(unique("library"))
    library.debug("request body: %s", MARK)
    library.warning("the pool is full")

    assert capsys.readouterr().err.count("\n") == 1


def test_setting_up_twice_says_nothing_twice(capsys):
    logs.set_up("text", "INFO")
    logs.set_up("json", "INFO")
    logging.getLogger("strata.http").warning("once")

    out, err = capsys.readouterr()
    assert (out.count("once"), err) == (1, "")


def test_a_call_made_beside_another_is_known_to_be_of_the_same_request(tmp_path, capsys):
    logs.set_up("json", "INFO")
    log = logging.getLogger("strata.search")
    with Observing(application(tmp_path).clock).invocation({"headers": {"x-request-id": "abc-1"}}, None):
        Parallel(2).both(lambda: None, lambda: log.warning("from the other thread"))

    assert json.loads(capsys.readouterr().out)["correlation_id"] == "abc-1"


def test_an_operator_may_ask_for_json_by_the_environment(tmp_path):
    code = (
        "import logging; from strata.bootstrap import application; application().handlers.save();"
        "logging.getLogger('strata.http').warning('hello')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"STRATA_DATA": str(tmp_path), "STRATA_LOG_FORMAT": "json"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout)["message"] == "hello"


def test_a_search_engine_that_quotes_the_query_is_not_quoted():
    refused = {"type": "query_shard_exception", "reason": f"cannot parse [{MARK}]"}
    with pytest.raises(Unavailable, match="query_shard_exception") as caught:
        responses.hits({"status": 400, "error": refused | {"root_cause": [refused]}})
    assert MARK not in caught.value.message
