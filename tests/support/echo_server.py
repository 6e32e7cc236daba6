"""`strata serve` as a real process over a small application that echoes, saves and follows its stream."""

import http.client
import json
import os
import re
import select
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TEMPLATE = """
Resources:
  Table: {Type: AWS::DynamoDB::Table}
  Echo:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: echo/
      Handler: app.lambda_handler
      Events:
        Echo: {Type: HttpApi, Properties: {Method: ANY, Path: "/echo/{id}"}}
        Slow: {Type: HttpApi, Properties: {Method: GET, Path: /slow}}
        Save: {Type: HttpApi, Properties: {Method: POST, Path: "/save/{id}"}}
        Saved: {Type: HttpApi, Properties: {Method: GET, Path: /delivered}}
  Indexer:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: indexer/
      Handler: app.lambda_handler
      Events: {Stream: {Type: DynamoDB, Properties: {Stream: !GetAtt Table.StreamArn, BatchSize: 10}}}
"""
ECHO = """
import json, os, time
from strata.bootstrap import application
from strata.domain.scope import Scope
from strata.ports.rows import Key, Put

def answer(status, value):
    return {"statusCode": status, "headers": {"content-type": "application/json"}, "body": json.dumps(value)}

def lambda_handler(event, context):
    if event["rawPath"] == "/slow":
        time.sleep(float(event["queryStringParameters"]["seconds"]))
        return answer(200, {"pid": os.getpid()})
    if event["rawPath"] == "/delivered":
        path = application().settings.data_dir / "delivered"
        return answer(200, path.read_text().split() if path.exists() else [])
    if event["routeKey"].startswith("POST /save"):
        name = event["pathParameters"]["id"]
        application().stores.table.transact(Scope("local"), [Put(Key("OBS", name), {"n": 1})])
        return answer(201, {"id": name})
    return answer(200, event | {"pid": os.getpid()})
"""
INDEXER = """
from strata.bootstrap import application

def lambda_handler(event, context):
    with (application().settings.data_dir / "delivered").open("a") as file:
        for record in event["Records"]:
            file.write(record["dynamodb"]["Keys"]["sk"]["S"] + chr(10))
"""
RUN = """
import resource, sys
from pathlib import Path
for number in sys.argv[2:]:
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(number), int(number)))
from strata import settings
from strata.local.server import serve
sys.exit(serve(settings.load(), Path(sys.argv[1])))
"""


class Server:
    """A running server: its process, its address, and requests to it."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def connect(self) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def ask(self, method: str, path: str, body=None, headers=None, connection=None):
        """Status and decoded body of one request."""
        used = connection or self.connect()
        used.request(
            method, path, body, headers or {}, encode_chunked=bool(headers and "Transfer-Encoding" in headers)
        )
        response = used.getresponse()
        content = response.read()
        if connection is None:
            used.close()
        return response.status, json.loads(content) if content else None

    def send_raw(self, data: bytes) -> bytes:
        """The answer to bytes that a client library would not send."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as sock:
            sock.sendall(data)
            return b"".join(iter(lambda: sock.recv(65536), b""))

    def processes(self) -> set[int]:
        listed = subprocess.run(
            ["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False
        )
        return {int(line) for line in listed.stdout.split()}


READY = r"Strata listens on http://127\.0\.0\.1:(\d+) \(data in (.+); docs: \S+; Ctrl\+C stops it\)\n"


def write_app(folder: Path, template: str = TEMPLATE, **functions: str) -> Path:
    for name, code in ({"echo": ECHO, "indexer": INDEXER} | functions).items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "app.py").write_text(code)
    (folder / "template.yaml").write_text(textwrap.dedent(template))
    return folder / "template.yaml"


def spawn(template: Path, data: Path, descriptors: str = "", **settings: str) -> subprocess.Popen[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "MEMORY_"))}
    given = {"DATA": str(data), "PORT": "0", "WORKERS": "2"} | settings
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(template), *([descriptors] if descriptors else [])],
        env=kept | {f"STRATA_{name}": value for name, value in given.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def running(
    folder: Path, template: Path | None = None, descriptors: str = "", **settings: str
) -> Iterator[Server]:
    """A server over the template, by default this file's, whose processes may have so many descriptors."""
    process = spawn(template or write_app(folder), folder / "data", descriptors, **settings)
    try:
        ready, _, _ = select.select([process.stdout], [], [], 20)
        line = process.stdout.readline() if ready else ""
        found = re.fullmatch(READY, line)
        assert found, (line, process.poll() is not None and process.stderr.read())
        assert found[2] == str(folder / "data")
        server = Server(process, int(found[1]))
        beside = 1  # follows the stream, and works on queues and schedules
        assert until(lambda: len(server.processes()) == int(settings.get("WORKERS", 2)) + beside)
        yield server
    finally:
        process.terminate()
        process.communicate(timeout=20)


def refused(folder: Path, template: Path, **settings: str) -> tuple[int, str]:
    """Exit code and complaint of a server that does not start."""
    process = spawn(template, folder / "data", **settings)
    try:
        out, complaint = process.communicate(timeout=20)
    finally:
        process.kill()
    assert out == ""
    return process.returncode, complaint


def until(holds, seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.02)
    return held
