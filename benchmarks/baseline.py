"""The cost of saving if it were nothing but a request: the yardstick for `saves`.

The same HTTP server and handler library, a body of the same fields checked by pydantic, one row in one SQLite
transaction; no dedup, no index, no stream, one process.
"""

import select
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from benchmarks.server import ROOT, Server


@contextmanager
def running(path: Path) -> Iterator[Server]:
    """The bare server in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.baseline", str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], 30)
        if not ready:
            raise RuntimeError("the bare server did not start")
        yield Server(process, process.stdout.readline().strip(), 0.0)
    finally:
        process.terminate()
        process.wait(10)


def application(path: Path) -> Any:
    """The ASGI application."""
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
    from aws_lambda_powertools.event_handler.openapi.params import Body
    from pydantic import BaseModel

    class Observation(BaseModel):
        session_id: str
        project: str
        type: str
        title: str
        content: str

    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE saved (id INTEGER PRIMARY KEY, item TEXT)")
    resolver = APIGatewayHttpResolver(enable_validation=True)

    def save(new: Annotated[Observation, Body()]) -> dict[str, Any]:
        connection.execute("BEGIN IMMEDIATE")
        written = connection.execute("INSERT INTO saved (item) VALUES (?)", (new.model_dump_json(),))
        connection.execute("COMMIT")
        return {"id": written.lastrowid, "action": "created"}

    resolver.post("/observations")(save)

    async def answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
        body = b""
        more = True
        while more:
            message = await receive()
            body, more = body + message["body"], message.get("more_body", False)
        http = {"method": scope["method"], "path": scope["path"], "sourceIp": "127.0.0.1"}
        event = {
            "version": "2.0",
            "rawPath": scope["path"],
            "rawQueryString": "",
            "headers": {name.decode(): value.decode() for name, value in scope["headers"]},
            "requestContext": {"http": http, "stage": "$default", "timeEpoch": int(time.time() * 1000)},
            "body": body.decode(),
            "isBase64Encoded": False,
        }
        found = resolver.resolve(event, None)  # type: ignore[arg-type]
        content = found["body"].encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": found["statusCode"], "headers": headers})
        await send({"type": "http.response.body", "body": content})

    return answer


def main(path: str) -> None:
    """Serve on a free port, which is printed."""
    import socket

    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(
        application(Path(path)), loop="uvloop", http="httptools", lifespan="off", log_level="error"
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(sys.argv[1])
