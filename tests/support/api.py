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


def gateway(app: Application, authorizer: object = None) -> Gateway:
    """The template's routes over one application, without its process-wide wiring.

    Nothing follows the table's stream: what a client reads right after a write does not depend on when the
    change is processed.
    """
    spec = declarations.load()
    handlers: dict[str, Any] = {
        name: _Called(function, getattr(app.handlers, function.code_dir.name)())
        for name, function in spec.functions.items()
    }
    if authorizer is not None:
        spec = replace(spec, functions={name: _guarded(each) for name, each in spec.functions.items()})
    return Gateway(spec, handlers, authorizer)  # type: ignore[arg-type]


def stream(app: Application, folder: Path) -> Stream:
    """The table's stream as a server follows it: it trims the change log."""
    consumers = [
        Consumer(
            name,
            source.table,
            _Called(function, getattr(app.handlers, function.code_dir.name)()),
            compile_filters(source.patterns),
            source.batch_size,
        )
        for name, function in declarations.load().functions.items()
        for source in function.streams
    ]
    return Stream(consumers, lambda: app.stores.change_log, folder / "stream.state")


def _guarded(function: declarations.FunctionSpec) -> declarations.FunctionSpec:
    return replace(function, routes=tuple(replace(route, authorized=True) for route in function.routes))


class _Called:
    def __init__(self, spec: object, handler: Any) -> None:
        self.spec = spec
        self._handler = handler

    def __call__(self, event: Mapping[str, Any], request_id: str = "") -> Any:
        return self._handler(event, None)


def client(app: Application, authorizer: object = None) -> httpx.Client:
    """The API in this process."""
    transport = InProcessTransport(gateway(app, authorizer))
    return httpx.Client(transport=transport, base_url="http://localhost")
