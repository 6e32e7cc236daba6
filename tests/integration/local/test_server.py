"""`strata serve` as a real process on a free port, over small applications and a real store."""

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from support.echo_server import Server, refused, running, until, write_app

pytestmark = pytest.mark.xdist_group("server")


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("app")) as server:
        yield server


@contextmanager
def descriptors(most: int) -> Iterator[None]:
    """So many open files for this process, where it may have them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def together(client, names) -> None:
    """Run a client for each name, at the same time."""
    threads = [threading.Thread(target=client, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# --- Requests -------------------------------------------------------------------------------------


def test_one_connection_carries_many_requests(server):
    connection = server.connect()
    sock = connection.sock
    for number in range(20):
        status, event = server.ask("GET", f"/echo/{number}", connection=connection)
        assert (status, event["pathParameters"]) == (200, {"id": str(number)})
    assert connection.sock is sock
    connection.close()


def test_concurrent_requests_are_never_mixed_up(server):
    wrong = []

    def client(name: int) -> None:
        connection = server.connect()
        for number in range(25):
            wanted, json_type = f"{name}-{number}", {"content-type": "application/json"}
            path = f"/echo/{wanted}?q={wanted}"
            _, event = server.ask("POST", path, f'"{wanted}"', json_type, connection)
            came = [
                event["pathParameters"]["id"],
                event["queryStringParameters"]["q"],
                json.loads(event["body"]),
            ]
            if came != [wanted] * 3:
                wrong.append(event)
        connection.close()

    together(client, range(8))

    assert wrong == []


def test_while_one_process_is_busy_another_answers(server):
    busy = server.connect()
    busy.request("GET", "/slow?seconds=1.5")
    time.sleep(0.3)

    answering = {server.ask("GET", "/echo/1")[1]["pid"] for _ in range(5)}

    assert json.loads(busy.getresponse().read())["pid"] not in answering
    busy.close()


def test_a_query_with_commas_arrives_whole(server):
    _, event = server.ask("GET", "/echo/1?q=tea,%20coffee&tag=a&tag=b")
    assert event["queryStringParameters"] == {"q": "tea, coffee", "tag": "a,b"}
    assert event["rawQueryString"] == "q=tea,%20coffee&tag=a&tag=b"


@pytest.mark.parametrize("name", ["a/b", "🧠", "#", "?", "100%", "a b", "عربى", "..", "%2F"])
def test_an_encoded_id_arrives_whole(server, name):
    status, event = server.ask("GET", f"/echo/{quote(name, safe='')}")
    assert (status, event["pathParameters"]) == (200, {"id": name})


def test_a_body_over_the_limit_is_refused_and_the_connection_goes_on(server):
    connection = server.connect()
    status, answer = server.ask("POST", "/echo/1", b"x" * (6 * 1024**2 + 1), connection=connection)
    assert (status, answer["code"]) == (413, "too_large")
    assert server.ask("GET", "/echo/1", connection=connection)[0] == 200
    connection.close()


def test_a_body_over_the_limit_is_refused_also_when_its_length_is_not_said(server):
    body = (b"x" * 1024**2 for _ in range(7))
    status, answer = server.ask("POST", "/echo/1", body, {"Transfer-Encoding": "chunked"})
    assert (status, answer["code"]) == (413, "too_large")


def test_a_body_up_to_the_limit_arrives_whole(server):
    body = b"x" * (6 * 1024**2)
    status, event = server.ask("POST", "/echo/1", body, {"content-type": "text/plain"})
    assert (status, len(event["body"])) == (200, len(body))


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "localhost", "Origin": "http://localhost:3000"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_calls_of_foreign_pages_are_refused(server, headers):
    status, answer = server.ask("GET", "/echo/1", headers=headers)
    assert (status, answer["code"]) == (403, "forbidden")


def test_the_servers_own_pages_may_call(server):
    own = {"Host": "localhost:7437", "Origin": "http://localhost:7437"}
    assert server.ask("GET", "/echo/1", headers=own)[0] == 200


def test_what_is_not_http_gets_our_error_body(server):
    answer = server.send_raw(b"this is no request\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "invalid_request"


def test_an_unknown_route_gets_our_error_body(server):
    assert server.ask("GET", "/nowhere") == (404, {"error": "there is no GET /nowhere", "code": "not_found"})


def test_a_slow_client_holds_nobody_up(tmp_path):
    with running(tmp_path, WORKERS="1") as server:
        slow = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        slow.sendall(b"POST /echo/slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab")
        assert server.ask("GET", "/echo/quick")[0] == 200
        slow.sendall(b"cd")
        assert slow.recv(100).startswith(b"HTTP/1.1 200")
        slow.close()


def test_half_open_connections_shut_nobody_out_and_leave_nothing_in_the_log_of_a_stop(tmp_path):
    half = b"POST /echo/half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
    with running(tmp_path, descriptors="1024") as server, ExitStack() as opened, descriptors(4096):
        for number in range(2400):
            connection = opened.enter_context(
                socket.create_connection(("127.0.0.1", server.port), timeout=10)
            )
            connection.sendall(half if number % 2 else half + b"\r\nabc")
        began = time.monotonic()
        assert [server.ask("GET", f"/echo/{number}")[0] for number in range(50)] == [200] * 50
        assert time.monotonic() - began < 5
        server.process.terminate()
        assert server.process.wait(10) == 0
        assert server.process.stderr.read() == ""


def test_a_large_request_is_handled_in_a_process_of_its_own_which_ends_with_it(tmp_path):
    with running(tmp_path, WORKERS="1") as server:
        small, large = (
            server.ask("GET", "/slow?seconds=0", b"x" * size)[1]["pid"] for size in (65_536, 65_537)
        )
        assert small in server.processes()
        assert not Path(f"/proc/{large}").exists()


# --- The stream -----------------------------------------------------------------------------------


def delivered(server: Server, *names: str) -> bool:
    """Whether exactly these were delivered, each once; waits for them."""
    return until(lambda: sorted(server.ask("GET", "/delivered")[1]) == sorted(names))


def test_what_every_process_wrote_is_delivered_once_beside_the_requests(server):
    def client(name: str) -> None:
        connection = server.connect()
        for number in range(20):
            server.ask("POST", f"/save/{name}{number}", connection=connection)
        connection.close()

    together(client, "abcd")

    assert delivered(server, *(f"{name}{number}" for name in "abcd" for number in range(20)))


def leave_undelivered(data: Path) -> None:
    """A store as a crash leaves it that came after the commit and before the stream was read."""
    from strata.bootstrap import Application
    from strata.domain.scope import Scope
    from strata.ports.rows import Key, Put
    from strata.settings import Settings

    application = Application(Settings(data=data))
    application.stores.table.transact(Scope("local"), [Put(Key("OBS", "left"), {})])
    application.close()


def test_what_a_crash_left_undelivered_is_delivered_after_the_next_start(tmp_path):
    leave_undelivered(tmp_path / "data")

    with running(tmp_path) as server:
        assert delivered(server, "left")


# --- Processes ------------------------------------------------------------------------------------


def test_every_killed_process_is_replaced(tmp_path):
    with running(tmp_path) as server:
        for victim in sorted(server.processes()):
            others = server.processes() - {victim}
            os.kill(victim, signal.SIGKILL)

            assert until(lambda victim=victim: len(server.processes() - {victim}) == 3)
            assert others < server.processes()
            assert server.ask("GET", "/echo/1")[0] == 200
        server.ask("POST", "/save/afterwards")
        assert delivered(server, "afterwards")


def test_after_the_parent_is_killed_no_process_is_left(tmp_path):
    with running(tmp_path) as server:
        processes = server.processes()
        assert len(processes) == 3
        server.process.kill()

        assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in processes))
        with pytest.raises(ConnectionRefusedError):
            server.connect()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_lets_a_request_in_flight_finish(tmp_path, number):
    with running(tmp_path) as server:
        connection = server.connect()
        connection.request("GET", "/slow?seconds=0.6")
        time.sleep(0.2)
        server.process.send_signal(number)

        response = connection.getresponse()
        assert (response.status, json.loads(response.read()).keys()) == (200, {"pid"})
        assert server.process.wait(10) == 0
        assert server.process.stderr.read() == ""


def test_idle_connections_do_not_delay_a_stop(tmp_path):
    with running(tmp_path) as server:
        idle = [server.connect() for _ in range(4)]
        for connection in idle:
            server.ask("GET", "/echo/1", connection=connection)
        started = time.monotonic()
        server.process.terminate()

        assert server.process.wait(10) == 0
        assert time.monotonic() - started < 8


# --- Refusals -------------------------------------------------------------------------------------


def test_a_port_in_use_is_said_in_one_sentence(server, tmp_path):
    code, complaint = refused(tmp_path, write_app(tmp_path), PORT=str(server.port))
    assert code == 1
    assert complaint.count("\n") == 1
    assert f"127.0.0.1:{server.port}: the port is in use" in complaint


def test_it_does_not_listen_beyond_the_loopback_without_keys(tmp_path):
    code, complaint = refused(tmp_path, write_app(tmp_path), HOST="0.0.0.0")
    assert code == 2
    assert complaint.count("\n") == 1
    assert "STRATA_AUTH=required" in complaint


def test_it_does_not_start_with_keys_that_nobody_checks(tmp_path):
    code, complaint = refused(tmp_path, write_app(tmp_path), AUTH="required")
    assert code == 1
    assert "declares no authorizer" in complaint


def test_a_damaged_store_is_refused_and_left_alone(tmp_path):
    (tmp_path / "data").mkdir()
    store = tmp_path / "data" / "strata.db"
    store.write_bytes(b"not a database" * 1000)

    code, complaint = refused(tmp_path, write_app(tmp_path))

    assert code == 1
    assert "Strata cannot start: " in complaint
    assert "Traceback" not in complaint
    assert store.read_bytes() == b"not a database" * 1000


BROKEN_AFTER_THE_FORK = """
import os
from strata.bootstrap import application
from strata.domain.errors import Unavailable

def broken():
    raise Unavailable("the store can't be read in this process")

os.register_at_fork(after_in_child=lambda: setattr(application().stores.change_log, "head", broken))

def lambda_handler(event, context):
    return event
"""


def test_a_server_whose_workers_cannot_start_ends(tmp_path):
    code, complaint = refused(tmp_path, write_app(tmp_path, echo=BROKEN_AFTER_THE_FORK))

    assert code == 1
    assert "the store can't be read in this process" in complaint
    assert "Traceback" not in complaint


def test_a_function_that_cannot_be_loaded_stops_the_start(tmp_path):
    code, complaint = refused(tmp_path, write_app(tmp_path, echo="raise RuntimeError('no such model')"))
    assert (code, complaint) == (1, "Strata cannot start: no such model\n")


def test_an_installed_package_serves_the_template_that_it_carries(tmp_path):
    from strata.local.template import declarations

    source = declarations.find().parent
    package = tmp_path / "site" / "strata"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source / "layers" / "strata" / "strata", package, ignore=ignored)
    shutil.copytree(source / "functions", package / "_app" / "functions", ignore=ignored)
    shutil.copy(source / "template.yaml", package / "_app" / "template.yaml")

    found = subprocess.run(
        [
            sys.executable,
            "-c",
            "from strata.local.template import declarations; print(declarations.load().path)",
        ],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert found.stdout == f"{package / '_app' / 'template.yaml'}\n"
