"""Connects commands to a server or to this machine's store."""

import os
from typing import TypeVar

import httpx
import typer

from strata.cli import output
from strata.cli.project import project_at
from strata.client.call import Call
from strata.client.client import Client
from strata.client.exchange import Reply
from strata.client.retries import RetryPolicy

T = TypeVar("T")

_NAMED = 20
_LACKING = {
    "index": "The search index is away or not whole: memories may be missing here.",
    "totals": "The latest changes are not counted yet: some may be missing here.",
    "model": "The language model did not answer: this is by rules.",
}
"""By the parts that the header `Strata-Degraded` names."""


def connect(context: typer.Context, url: str | None) -> Client:
    """A client of the server at `url`; without one, of this machine's store, in this process.

    A running server may use the store at the same time: both take the same locks. A transport in the context
    (set by tests) replaces the network and the store.
    """
    given = context.find_root().obj
    if isinstance(given, httpx.BaseTransport):
        return Client(url or "http://strata.test", transport=given, retry=RetryPolicy(retries=0))
    if url:
        return Client(url)
    from strata import settings

    wired = settings.load()  # before the slow imports: what is wrong with them shows at once
    from strata.local.transport import in_process

    return Client("http://127.0.0.1", transport=in_process(wired), retry=RetryPolicy(retries=0))


def answered(context: typer.Context, url: str | None, call: Call[T], *, json: bool) -> Reply[T] | None:
    """The response to a call; None where it was asked for as JSON, which is printed."""
    with connect(context, url) as client:
        return shown(client.send(call), json=json)


def shown(reply: Reply[T], *, json: bool) -> Reply[T] | None:
    """A response to show to people; None where it was asked for as JSON, which is printed.

    What the response lacks, because a part of Strata is away, is said on the error stream.
    """
    if json:
        output.print_json(reply.text)
        return None
    for part in reply.headers.get("strata-degraded", "").split(", "):
        if part in _LACKING:
            typer.secho(_LACKING[part], err=True, fg=typer.colors.YELLOW)
    return reply


def unless_known(context: typer.Context, url: str | None, project: str) -> str:
    """A sentence that names the projects there are, where this is none of them; else nothing."""
    with connect(context, url) as client:
        projects = client.stats().projects
    if project.lower() in projects:
        return ""
    named = ", ".join(f"'{each}'" for each in projects[:_NAMED]) + (" …" if len(projects) > _NAMED else "")
    return f" There is no project '{project}'" + (f"; projects are {named}." if projects else " yet.")


def current_project() -> str:
    """The project of the current folder."""
    return project_at(os.getcwd())
