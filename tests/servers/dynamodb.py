"""DynamoDB Local 2.6.1, in memory: about 150 MB, up in one to two seconds."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from servers.java import answers, built, free_port, running


@contextmanager
def dynamodb(port: int | None = None) -> Iterator[str]:
    """The URL of a running DynamoDB Local. Any region and any credentials see the same tables.

    Raises:
        ServerError: it could not be built or started.
    """
    home = built("dynamodb")
    port = port or free_port()
    url = f"http://127.0.0.1:{port}"
    options = ["-Xmx256m", f"-Dsqlite4java.library.path={home}/lib"]
    arguments = ["-inMemory", "-sharedDb", "-disableTelemetry", "-port", str(port)]
    with (
        tempfile.TemporaryDirectory(prefix="strata-dynamodb-") as folder,
        running(home, options, arguments, Path(folder, "log"), lambda: answers(url)),
    ):
        yield url
