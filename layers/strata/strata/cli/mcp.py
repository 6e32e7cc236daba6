"""mcp: the memory as tools of the Model Context Protocol, on standard streams."""

import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from strata.cli import options
from strata.cli.connection import connect
from strata.cli.failures import sentence_for
from strata.client.client import Client

if TYPE_CHECKING:
    from strata.entrypoints.mcp.protocol import Outcome, Tool
    from strata.entrypoints.mcp.tools import Preset

_log = logging.getLogger("strata.mcp")


def mcp(
    context: typer.Context,
    *,
    project: options.Project,
    session: Annotated[
        str | None,
        typer.Option("--session", help="Id of the session that saves belong to.", show_default="one a day"),
    ] = None,
    user: Annotated[str | None, typer.Option("--user", help="The user these memories belong to.")] = None,
    auto_save: Annotated[
        bool, typer.Option("--auto-save/--no-auto-save", help="Let the model save memories.")
    ] = True,
    auto_search: Annotated[
        bool, typer.Option("--auto-search/--no-auto-search", help="Let the model search by itself.")
    ] = True,
    tools: Annotated[
        str,
        typer.Option(
            "--tools",
            help="Further tools: mem_update, mem_delete, mem_session_summary, memory_ask_about_user, "
            "mem_entity, mem_forget.",
        ),
    ] = "",
    url: options.Url = None,
) -> None:
    """Serve the memory to one agent as MCP tools, on the standard streams, until the input ends."""
    from strata.entrypoints.mcp.stdio import serve
    from strata.entrypoints.mcp.tools import Preset, optional_tools

    try:
        chosen = optional_tools(tools)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--tools") from None
    preset = Preset(project, session, user, auto_save, auto_search, chosen)
    relay = Relay(lambda: connect(context, url), preset)
    with _output_of_its_own() as out:
        try:
            serve(sys.stdin.buffer, out, relay)
        finally:
            relay.close()


class Relay:
    """The tools of a remote memory.

    They are described here, so that a client gets them at once, even while the server is unavailable, and
    called there.

    Args:
        connect: creates the client at the first call of a tool.
        preset: the model's presets.
    """

    def __init__(self, connect: Callable[[], Client], preset: "Preset") -> None:
        from strata.entrypoints.mcp.tools import chosen

        self._connect = connect
        self._preset = preset
        self._chosen = chosen(preset)
        self._client: Client | None = None

    @property
    def instructions(self) -> str:
        """Instructions for a model about the tools as a whole."""
        from strata.entrypoints.mcp.tools import instructions

        return instructions(self._preset)

    def offered(self) -> "Sequence[Tool]":
        """The tools that the preset allows."""
        from strata.entrypoints.mcp.tools import described

        return [described(spec, self._preset) for spec in self._chosen.values()]

    def call(self, name: str, arguments: Mapping[str, Any]) -> "Outcome":
        """Call a remote tool. Never raises: a failure is one sentence in the outcome."""
        from strata.entrypoints.mcp.protocol import Outcome

        preset = self._preset
        try:
            if self._client is None:
                self._client = self._connect()
            given = self._client.call_tool(
                name,
                arguments,
                project=preset.project,
                session_id=preset.session_id,
                user_id=preset.user_id,
                tools=",".join(sorted(preset.tools)) or None,
            )
        except Exception as error:
            sentence = sentence_for(error)
            if sentence is None:
                _log.exception("%s failed", name)
            return Outcome(sentence or "something went wrong inside; the log says what", failed=True)
        texts = [part["text"] for part in given.get("content", ()) if part.get("type") == "text"]
        return Outcome("\n".join(texts), given.get("structuredContent"), bool(given.get("isError")))

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._client is not None:
            self._client.close()


@contextmanager
def _output_of_its_own() -> Iterator[BinaryIO]:
    """Reserve the standard output for the protocol; anything else printed goes to the error stream."""
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)
        yield out
