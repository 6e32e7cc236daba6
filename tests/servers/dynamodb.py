"""DynamoDB Local 2.6.1: about 150 MB, up in one to two seconds."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from servers.java import answers, built, free_port, running


@contextmanager
def dynamodb(port: int | None = None, data: Path | None = None) -> Iterator[str]:
    """The URL of a running DynamoDB Local, in memory unless it is given a folder for its data.

    Any region and any credentials see the same tables.

    Raises:
        ServerError: it could not be built or started.
    """
    home = built("dynamodb")
    port = port or free_port()
    url = f"http://127.0.0.1:{port}"
    options = ["-Xmx256m", f"-Dsqlite4java.library.path={home}/lib"]
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
    place = ["-inMemory"] if data is None else ["-dbPath", str(data)]
    arguments = [*place, "-sharedDb", "-disableTelemetry", "-port", str(port)]
    with (
        tempfile.TemporaryDirectory(prefix="strata-dynamodb-") as folder,
        running(home, options, arguments, Path(folder, "log"), lambda: answers(url)),
    ):
        yield url
