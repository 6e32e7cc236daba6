"""An httpx transport that calls the gateway in this process, without a socket."""

import asyncio
from collections.abc import Callable

import httpx

from strata.local.http.gateway import Gateway
from strata.local.http.messages import Request
from strata.local.runtime import on_this_machine
from strata.settings import Settings

_FINISH = 5.0
"""Seconds that closing the client may take to index what was just written."""


class InProcessTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """`Client(transport=InProcessTransport(gateway), base_url="http://localhost")` of httpx; async, too."""

    def __init__(self, gateway: Gateway, close: Callable[[], None] = lambda: None) -> None:
        self._gateway = gateway
        self._close = close

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        return self._answer(request, request.read())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request in a thread, so that the event loop goes on."""
        return await asyncio.to_thread(self._answer, request, await request.aread())

    def close(self) -> None:
        """Release what the transport holds; called by the client's own `close`."""
        self._close()

    async def aclose(self) -> None:
        """Do the same in a thread."""
        await asyncio.to_thread(self._close)

    def _answer(self, request: httpx.Request, body: bytes) -> httpx.Response:
        path, _, query = request.url.raw_path.decode("ascii").partition("?")
        response = self._gateway.handle(
            Request(
                method=request.method,
                path=path,
                query=query,
                headers=[
                    (name.decode("latin-1").lower(), value.decode("latin-1"))
                    for name, value in request.headers.raw
                ],
                body=body,
            )
        )
        return httpx.Response(
            response.status, headers=response.headers, content=response.body, request=request
        )


def in_process(settings: Settings) -> InProcessTransport:
    """A transport over this installation's template and the store that the settings name:
    `Client(transport=in_process(settings.load()))`, and the same for `AsyncClient`.

    A server may run on the same store at the same time. As in `serve`, the settings must be the
    environment's. A thread indexes what is written until the client is closed, unless another process does.

    Raises:
        TemplateError: the installation holds no usable template.
    """
    runtime = on_this_machine(settings)
    runtime.check()
    runtime.follow()
    return InProcessTransport(runtime.gateway, lambda: runtime.finish(_FINISH))
