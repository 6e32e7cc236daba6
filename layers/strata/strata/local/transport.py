"""An httpx transport that calls the gateway in this process: the whole way of a request without a socket."""

import httpx

from strata.local.gateway import Gateway
from strata.local.messages import Request
from strata.local.runtime import on_this_machine
from strata.settings import Settings


class InProcessTransport(httpx.BaseTransport):
    """`httpx.Client(transport=InProcessTransport(gateway), base_url="http://localhost")`."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
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
                body=request.read(),
            )
        )
        return httpx.Response(
            response.status, headers=response.headers, content=response.body, request=request
        )


def in_process(settings: Settings) -> InProcessTransport:
    """A transport over this installation's template and the store that the settings name.

    A server may be running on the same store at the same time. As in `serve`, the settings must be the
    environment's. What was written but not indexed before is indexed first.

    Raises:
        TemplateError: the installation holds no usable template.
    """
    runtime = on_this_machine(settings)
    runtime.catch_up()
    return InProcessTransport(runtime.gateway)
