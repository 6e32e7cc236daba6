"""Which memory a command speaks to: decided here, once for all of them."""

from pathlib import Path

import httpx
import typer

from strata.client.client import Client
from strata.client.retries import RetryPolicy

LONGEST_PROJECT = 200


def connect(context: typer.Context, url: str | None) -> Client:
    """A client of the server at `url`; without one, of this machine's own store, in this process.

    The own store may be in use by a running server at the same time: both take the same locks. A transport
    that stands in the context (as tests put it there) replaces the network and the store.
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


def current_project() -> str:
    """The project of the current folder: the name of its checkout, else its own."""
    here = Path.cwd()
    root = next((place for place in (here, *here.parents) if (place / ".git").exists()), here)
    return root.name[:LONGEST_PROJECT] or "default"
