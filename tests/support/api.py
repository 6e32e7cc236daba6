"""The API of one application, in this process."""

import functools
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from strata.bootstrap import Application
from strata.entrypoints.http.api.openapi import document
from strata.local.http.gateway import Gateway
from strata.local.http.messages import Response, problem
from strata.local.stream.delivery import Consumer, Stream
from strata.local.template import declarations
from strata.local.template.filters import compile_filters
from strata.local.transport import InProcessTransport
from support.template import declared


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
    spec = declared()
    handlers = called_functions(app)
    if authorizer is not None:
        spec = replace(spec, functions={name: _guarded(each) for name, each in spec.functions.items()})
    return Gateway(spec, handlers, None if authorizer is None else {"tested": authorizer})  # type: ignore[dict-item]


def called_functions(app: Application) -> dict[str, Any]:
    """The template's functions by name, over one application."""
    return {name: _Called(function, app) for name, function in declared().functions.items()}


def stream(app: Application, folder: Path) -> Stream:
    """The table's stream as a server follows it: it trims the change log."""
    consumers = [
        Consumer(
            name,
            source.table,
            _Called(function, app),
            compile_filters(source.patterns),
            source.batch_size,
        )
        for name, function in declared().functions.items()
        for source in function.streams
    ]
    return Stream(consumers, lambda: app.stores.change_log, folder / "stream.state")


def _guarded(function: declarations.FunctionSpec) -> declarations.FunctionSpec:
    return replace(function, routes=tuple(replace(route, authorizer="tested") for route in function.routes))


class _Called:
    """A function over one application; its handler is made at its first call, since a test calls few."""

    def __init__(self, spec: declarations.FunctionSpec, app: Application) -> None:
        self.spec = spec
        self._app = app

    @functools.cached_property
    def _handler(self) -> Any:
        return getattr(self._app.handlers, self.spec.code_dir.name)()

    def __call__(self, event: Mapping[str, Any], request_id: str = "") -> Any:
        return self._handler(event, None)


def client(app: Application, authorizer: object = None) -> httpx.Client:
    """The API in this process."""
    transport = Described(gateway(app, authorizer), guarded=authorizer is not None)
    return httpx.Client(transport=transport, base_url="http://localhost")


class Described(InProcessTransport):
    """Answers as the OpenAPI document says: a status that it does not name for a route fails the test."""

    def __init__(self, served: Gateway, *, guarded: bool) -> None:
        super().__init__(served)
        self._router = served._router
        self._guarded = guarded

    def _answer(self, request: httpx.Request, body: bytes) -> httpx.Response:
        response = super()._answer(request, body)
        match = self._router.match(request.method, request.url.raw_path.decode("ascii").partition("?")[0])
        if match is not None and not (self._guarded and response.status_code == 401):
            method, _, path = match.route_key.partition(" ")
            described = _paths()[path][method.lower()]["responses"]
            assert str(response.status_code) in described, (
                f"{match.route_key} answered {response.status_code}, which openapi.json does not name: "
                f"see `errors` of Api.route. {response.text[:500]}"
            )
        return response


@functools.cache
def _paths() -> dict[str, Any]:
    """The document's paths."""
    return dict(json.loads(document())["paths"])
