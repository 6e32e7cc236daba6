"""Large requests are handled in a process of their own."""

import asyncio
import os
import signal

from strata.local.http.apart import apart
from strata.local.http.messages import Response, of_json


def test_the_response_comes_back_whole_and_others_go_on_meanwhile():
    reads, writes = os.pipe()

    def slow() -> Response:
        os.read(reads, 1)  # until the other one was done
        return Response(201, [("x-pid", str(os.getpid()))], bytes(range(256)) * 1000)

    async def both() -> Response:
        answer = asyncio.create_task(apart(slow))
        await asyncio.sleep(0)
        os.write(writes, b".")
        return await answer

    response = asyncio.run(both())
    assert (response.status, response.body) == (201, bytes(range(256)) * 1000)
    assert response.headers != [("x-pid", str(os.getpid()))]


def test_a_process_that_dies_before_its_answer_is_an_error_and_leaves_nothing(caplog):
    def die() -> Response:
        os.kill(os.getpid(), signal.SIGKILL)
        return of_json(200, "unreachable")

    response = asyncio.run(apart(die))
    assert response.status == 500
    assert "ended before it answered" in caplog.text
    try:
        ended, _ = os.waitpid(-1, os.WNOHANG)
        assert ended == 0, "a child was left"
    except ChildProcessError:
        pass


def test_when_nobody_waits_any_more_the_process_is_ended():
    reads, writes = os.pipe()

    def forever() -> Response:
        os.write(writes, f"{os.getpid()}\n".encode())
        signal.pause()
        return of_json(200, "unreachable")

    async def given_up() -> int:
        answer = asyncio.create_task(apart(forever))
        await asyncio.sleep(0)
        pid = int(await asyncio.to_thread(os.read, reads, 20))
        answer.cancel()
        await asyncio.gather(answer, return_exceptions=True)
        return pid

    assert not os.path.exists(f"/proc/{asyncio.run(given_up())}")
