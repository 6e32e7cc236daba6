"""The API of one application, in this process."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from strata.bootstrap import Application
from strata.local.http.gateway import Gateway
from strata.local.http.messages import Response, problem
from strata.local.stream.delivery import Consumer, Stream
from strata.local.template import declarations
from strata.local.template.filters import compile_filters
from strata.local.transport import InProcessTransport


class ClaimsFromHeader:
    """Stands where the authorizer stands: the header `x-tenant` says whose call it is."""

    def admit(self, event: dict[str, Any], request_id: str) -> Response | None:
        tenant = event["headers"].get("x-tenant")
        if tenant is None:
            return problem(401, "who are you?", "unauthenticated")
        scopes = event["headers"].get("x-scopes", "read write admin")
        claims = {"tenant": tenant, "scopes": scopes}
        event["requestContext"]["authorizer"] = {"lambda": claims}
        return None


def gateway(app: Application, folder: Path, authorizer: object = None) -> Gateway:
    """The template's routes over one application, without its process-wide wiring."""
    spec = declarations.load()
    handlers: dict[str, Any] = {}
    consumers = []
    for name, function in spec.functions.items():
        handler = getattr(app.handlers, function.code_dir.name)()
        handlers[name] = _Called(function, handler)
        for source in function.streams:
            wants = compile_filters(source.patterns)
            consumers.append(
                Consumer(name, source.table, _Called(function, handler), wants, source.batch_size)
            )
    stream = Stream(consumers, lambda: app.stores.change_log, folder / "stream.state")
    if authorizer is not None:
        spec = replace(spec, functions={name: _guarded(each) for name, each in spec.functions.items()})
    return Gateway(spec, handlers, stream.drain, authorizer)  # type: ignore[arg-type]


def _guarded(function: declarations.FunctionSpec) -> declarations.FunctionSpec:
    return replace(function, routes=tuple(replace(route, authorized=True) for route in function.routes))


class _Called:
    def __init__(self, spec: object, handler: Any) -> None:
        self.spec = spec
        self._handler = handler

    def __call__(self, event: Mapping[str, Any], request_id: str = "") -> Any:
        return self._handler(event, None)


def client(app: Application, folder: Path, authorizer: object = None) -> httpx.Client:
    """The API in this process."""
    transport = InProcessTransport(gateway(app, folder, authorizer))
    return httpx.Client(transport=transport, base_url="http://localhost")
