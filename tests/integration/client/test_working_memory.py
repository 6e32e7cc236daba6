"""An agent's working memory, kept by the service, and by a file of a process that is killed."""

import asyncio
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from strata.client import AsyncClient, Client
from strata.client.working_memory import AsyncCheckpointField, CheckpointField, Message, WorkingMemory
from strata.local.transport import InProcessTransport
from support.api import gateway
from support.memory import application, unique

TALK: list[dict[str, Any]] = [
    {"role": "user", "content": "Déploie-le 🚀"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "deploy", "arguments": '{"share": 1.0}'}}
    ]},
    {"role": "tool", "tool_call_id": "1", "content": "done"},
]  # fmt: skip


@pytest.fixture
def transport(tmp_path):
    app = application(tmp_path)
    yield InProcessTransport(gateway(app))
    app.close()


def test_the_service_gives_back_what_it_was_given(transport):
    with Client("http://localhost", transport=transport) as client:
        place = CheckpointField(client, unique("c"))
        memory = WorkingMemory(TALK, session_id="s1")
        memory.tool_meta["1"] = {"share": 1.0, "count": 2**70, "none": None}
        memory.delegation("g1").expect("1")
        memory.checkpoint(place)
        client.set_scratchpad(place.conversation_id, "notes")
        memory.add({"role": "assistant", "content": "It runs."})
        memory.checkpoint(place)
        restored = WorkingMemory()
        assert restored.restore(place)
        assert restored.messages == memory.messages
        assert restored.to_chat()[:3] == TALK
        assert restored.tool_meta == memory.tool_meta
        assert restored.delegations == memory.delegations
        assert client.get_scratchpad(place.conversation_id) == "notes"


def test_of_what_the_service_has_no_room_for_the_newest_part_is_kept(transport):
    with Client("http://localhost", transport=transport) as client:
        place = CheckpointField(client, unique("c"))
        client.set_scratchpad(place.conversation_id, "é" * 10_000)
        memory = WorkingMemory([Message.of("user", f"{number} " + "x" * 2_000) for number in range(100)])
        memory.checkpoint(place)
        restored = WorkingMemory()
        outcome = restored.restore(place)
        assert outcome.left_out == 100 - len(restored)
        assert restored.messages == memory.messages[-len(restored) :]
        assert len(restored) == 22
        assert client.get_scratchpad(place.conversation_id) == "é" * 10_000


def test_a_checkpoint_is_whole_up_to_the_last_bytes_of_room_and_then_loses_its_oldest_message(transport):
    with Client("http://localhost", transport=transport) as client:
        left_out = []
        for length in range(65_310, 65_350):
            place = CheckpointField(client, unique("c"))
            memory = WorkingMemory([Message.of("user", "hello"), Message.of("user", "x" * length)])
            memory.checkpoint(place)
            restored = WorkingMemory()
            left_out.append(restored.restore(place).left_out)
            assert restored.messages[-1] == memory.messages[-1]
        assert sorted(left_out) == left_out
        assert set(left_out) == {0, 1}


def test_a_corrupt_checkpoint_is_moved_within_the_service(transport):
    with Client("http://localhost", transport=transport) as client:
        place = CheckpointField(client, unique("c"))
        client.put_working_memory(place.conversation_id, {"checkpoint": {"version": 99}})
        assert WorkingMemory().restore(place).set_aside == "checkpoint.corrupt"
        assert client.get_working_memory(place.conversation_id) == {
            "checkpoint": None,
            "checkpoint.corrupt": {"version": 99},
        }


def test_an_asynchronous_agent_goes_on_where_it_was(transport):
    async def go():
        async with AsyncClient("http://localhost", transport=transport) as client:
            place = AsyncCheckpointField(client, unique("c"))
            await WorkingMemory(TALK, session_id="s1").acheckpoint(place)
            restored = WorkingMemory()
            return await restored.arestore(place), restored

    outcome, restored = asyncio.run(go())
    assert outcome
    assert restored.session_id == "s1"
    assert restored.to_chat() == TALK


WRITING = """
import sys
from strata.client.working_memory import Message, WorkingMemory
number = 0
while True:
    memory = WorkingMemory([Message.of("user", f"{number} " + "x" * 200_000)], session_id=str(number))
    memory.checkpoint(sys.argv[1])
    print(number, flush=True)
    number += 1
"""


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_checkpoint_or_the_new_one(tmp_path):
    path = tmp_path / "checkpoint.json"
    for place in range(8):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITING, str(path)], stdout=subprocess.PIPE, text=True
        )
        written = [int(process.stdout.readline()) for _ in range(3)]
        time.sleep(place * 0.003)
        process.send_signal(signal.SIGKILL)
        written += [int(line) for line in process.communicate()[0].splitlines()]
        memory = WorkingMemory()
        assert memory.restore(path)
        assert int(memory.session_id) in (written[-1], written[-1] + 1)
