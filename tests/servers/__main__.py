"""Build both servers, or run one of them until Ctrl-C."""

import argparse
import signal
import sys
from contextlib import suppress

from servers import opensearch
from servers.dynamodb import dynamodb
from servers.java import built

parser = argparse.ArgumentParser(prog="servers", description=__doc__)
parser.add_argument("what", choices=["build", "dynamodb", "opensearch"])
parser.add_argument("--port", type=int, default=None, help="a free one unless given")
chosen = parser.parse_args()

if chosen.what == "build":
    built("dynamodb")
    built("opensearch", opensearch.arrange)
    sys.exit()
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
servers = {"dynamodb": dynamodb, "opensearch": opensearch.opensearch}
with servers[chosen.what](chosen.port) as url, suppress(KeyboardInterrupt):
    print(url, flush=True)  # noqa: T201 - this is a command
    signal.pause()
