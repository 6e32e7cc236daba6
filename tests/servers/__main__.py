"""Build both servers, or run one of them until Ctrl-C."""

import argparse
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path

from servers import opensearch, shared
from servers.dynamodb import dynamodb
from servers.java import built

parser = argparse.ArgumentParser(prog="servers", description=__doc__)
parser.add_argument("what", choices=["build", "dynamodb", "opensearch"])
parser.add_argument("--port", type=int, default=None, help="a free one unless given")
parser.add_argument(
    "--run", type=Path, default=None, help="end with the run of pytest that holds this folder"
)
chosen = parser.parse_args()

if chosen.what == "build":
    built("dynamodb")
    built("opensearch", opensearch.arrange)
    sys.exit()
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
servers: dict[str, Callable[..., AbstractContextManager[str]]] = {
    "dynamodb": dynamodb,
    "opensearch": opensearch.opensearch,
}
start = partial(servers[chosen.what], chosen.port)
if chosen.run:
    shared.keep(start, chosen.run)
    sys.exit()
with start() as url, suppress(KeyboardInterrupt):
    print(url, flush=True)  # noqa: T201 - this is a command
    signal.pause()
