"""An agent as KAOS's programs are written: the same over every memory, whatever that keeps of it."""

import asyncio
import json

import pytest

from strata.client import AsyncClient
from strata.client.kaos import LocalMemory, NullMemory, RemoteMemory, memory_from_env
from strata.local.transport import InProcessTransport
from support.api import gateway
from support.clocks import HandClock
from support.memory import application

Memory = LocalMemory | NullMemory


class Agent:
    """Answers sums by a tool, hands "translate …" on to a worker, and logs all of it."""

    def __init__(self, name: str, memory: Memory | None = None, memory_context_limit: int = 6) -> None:
        self.name = name
        self.memory = memory or LocalMemory()
        self.memory_context_limit = memory_context_limit
        self.delegated: list[str] = []

    async def process_message(self, message, session_id=None):
        if session_id:
            session_id = await self.memory.get_or_create_session(session_id, "agent", "user")
        else:
            session_id = await self.memory.create_session("agent", "user")
        await self.memory.add_event(session_id, self.memory.create_event("user_message", message))
        try:
            if message.startswith("translate"):
                content = await self._delegate(session_id, message)
            else:
                content = await self._calculate(session_id, message)
        except ValueError as error:
            await self.memory.add_event(session_id, "error", str(error))
            return session_id, f"Sorry: {error}"
        await self.memory.add_event(session_id, "agent_response", content, {"steps": 2})
        return session_id, content

    async def _calculate(self, session_id, message):
        call = {"tool": "calc", "arguments": {"sum": message}}
        await self.memory.add_event(session_id, self.memory.create_event("tool_call", call))
        result = sum(int(part) for part in message.split("+"))
        done = {"tool": "calc", "result": result}
        await self.memory.add_event(session_id, self.memory.create_event("tool_result", done))
        return f"The answer is {result}"

    async def _delegate(self, session_id, message):
        context = await self.memory.build_conversation_context(
            session_id, max_events=self.memory_context_limit
        )
        self.delegated.append(context)
        asked = {"agent": "worker", "task": message}
        await self.memory.add_event(session_id, "delegation_request", asked)
        await self.memory.add_event(
            session_id, "delegation_response", {"agent": "worker", "response": "vier"}
        )
        return "vier"


class AgentServer:
    """The part of KAOS's server that answers for the memory."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    async def memory_events(self, limit=100, session_id=None):
        memory = self.agent.memory
        sessions = [session_id] if session_id else await memory.list_sessions()
        events = [event for each in sessions for event in await memory.get_session_events(each)]
        shown = [event.to_dict() for event in events[-limit:]]
        return json.dumps({"agent": self.agent.name, "events": shown, "total": len(shown)})

    async def memory_sessions(self):
        sessions = await self.agent.memory.list_sessions()
        return json.dumps({"agent": self.agent.name, "sessions": sessions, "total": len(sessions)})


SAID = [
    ("user_message", "2+2"),
    ("tool_call", {"tool": "calc", "arguments": {"sum": "2+2"}}),
    ("tool_result", {"tool": "calc", "result": 4}),
    ("agent_response", "The answer is 4"),
    ("user_message", "two"),
    ("tool_call", {"tool": "calc", "arguments": {"sum": "two"}}),
    ("error", "invalid literal for int() with base 10: 'two'"),
    ("user_message", "translate 4"),
    ("delegation_request", {"agent": "worker", "task": "translate 4"}),
    ("delegation_response", {"agent": "worker", "response": "vier"}),
    ("agent_response", "vier"),
]


@pytest.fixture(params=["local", "remote", "null"])
def memory(request, tmp_path):
    if request.param == "remote":
        app = application(tmp_path, HandClock())
        transport = InProcessTransport(gateway(app))
        yield RemoteMemory(client=AsyncClient("http://localhost", transport=transport))
        app.close()
    else:
        yield memory_from_env({"MEMORY_TYPE": request.param})


def test_a_program_of_kaos_runs_over_every_memory(memory):
    agent = Agent("my-agent", memory=memory, memory_context_limit=memory.context_limit)
    server = AgentServer(agent)
    keeps = not isinstance(memory, NullMemory)

    async def program():
        session_id, answer = await agent.process_message("2+2", session_id="my-session")
        assert (session_id, answer) == ("my-session", "The answer is 4")
        assert (await agent.process_message("two", "my-session"))[1].startswith("Sorry")
        assert (await agent.process_message("translate 4", "my-session"))[1] == "vier"
        said = "User: 2+2\nAssistant: The answer is 4\nUser: two\nUser: translate 4"
        assert agent.delegated == [said if keeps else ""]

        answer = json.loads(await server.memory_events(session_id="my-session"))
        assert answer["agent"] == "my-agent"
        assert [(event["event_type"], event["content"]) for event in answer["events"]] == (
            SAID if keeps else []
        )
        assert [
            event["metadata"] for event in answer["events"] if event["event_type"] == "agent_response"
        ] == ([{"steps": 2}] * 2 if keeps else [])
        assert json.loads(await server.memory_events(limit=2))["total"] == (2 if keeps else 0)

        other, _ = await agent.process_message("1+1")
        assert other.startswith("session_") if keeps else other == "null-session"
        assert json.loads(await server.memory_sessions())["total"] == (2 if keeps else 0)
        assert len(await memory.get_memory_stats()) == 3
        assert await memory.delete_session(other) is True
        assert await memory.list_sessions(user_id="user") == (["my-session"] if keeps else [])

    asyncio.run(program())
