"""A client that a process has when it forks."""

import os
import subprocess
import sys

import pytest

from support.http_server import Answering, listening

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system knows no fork")

_IN_TURN = """
import os, sys
from strata.client import Client

client = Client(sys.argv[1])
ask = lambda: print(client.get_working_memory("c")["port"], flush=True)
ask()
child = os.fork()
if child == 0:
    ask()
    ask()
    os._exit(0)
os.waitpid(child, 0)
ask()
client.close()
"""

_AWAITED = """
import asyncio, os, sys
from strata.client import AsyncClient

client = AsyncClient(sys.argv[1])

async def ask(times):
    for _ in range(times):
        print((await client.get_working_memory("c"))["port"], flush=True)

async def parent():
    await ask(1)
    child = os.fork()
    if child == 0:
        asyncio.events._set_running_loop(None)
        asyncio.run(ask(2))
        os._exit(0)
    os.waitpid(child, 0)
    await ask(1)
    await client.close()

asyncio.run(parent())
"""

_CLOSED = """
import os, sys
from strata.client import Client

client = Client(sys.argv[1])
client.close()
if child := os.fork():
    os.waitpid(child, 0)
try:
    client.health()
except RuntimeError as error:
    print("closed", flush=True)
if not child:
    os._exit(0)
"""


class Ports(Answering):
    """Tells each request the port at the other end of its connection."""

    def do_GET(self):
        self.tell(200, {"content-type": "application/json"}, b'{"port": %d}' % self.client_address[1])


def said(script: str) -> list[str]:
    with listening(Ports) as url:
        command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script, url]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert ended.stderr == ""
    return ended.stdout.split()


@pytest.mark.parametrize("script", [_IN_TURN, _AWAITED], ids=["sync", "async"])
def test_a_forked_process_reads_no_answers_of_its_parent_s_connection(script):
    before, child, again, after = said(script)
    assert child == again != before == after


def test_a_closed_client_stays_closed_in_a_forked_process():
    assert said(_CLOSED) == ["closed", "closed"]
