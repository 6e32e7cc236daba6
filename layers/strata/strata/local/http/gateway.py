"""The template's HTTP API on one machine: calls the function of a route."""

import logging
import os
import threading
from collections.abc import Mapping

from strata.local.http import docs
from strata.local.http.authorization import Authorizer
from strata.local.http.messages import Request, Response, from_answer, in_envelope, problem, to_event
from strata.local.http.routing import Router
from strata.local.template.cloudformation import TemplateError
from strata.local.template.declarations import Route, Template
from strata.local.template.functions import Function

_log = logging.getLogger(__name__)

_REST = "$default"
_DOCS = "GET, HEAD, OPTIONS"


class Gateway:
    """Calls the function that the template's routes name for a request.

    Synchronous, one request at a time: powertools keeps the current event on a class, so a second handler
    call in the same process would read the first one's request. Use processes, not threads, for parallelism.

    Args:
        template: the template.
        functions: its loaded functions by name.
        authorizers: protect the routes that name them; without any, everyone is admitted.

    Raises:
        TemplateError: two functions declare the same route.
    """

    def __init__(
        self,
        template: Template,
        functions: Mapping[str, Function],
        authorizers: Mapping[str, Authorizer] | None = None,
    ) -> None:
        self._authorizers = authorizers or {}
        self._one_at_a_time = threading.Lock()
        self._router: Router[tuple[Function, Route]] = Router()
        self._rest: Function | None = None
        for spec in template.functions.values():
            if spec.takes_rest:
                self._rest = functions[spec.name]
            for route in spec.routes:
                try:
                    self._router.add(route.method, route.path, (functions[spec.name], route))
                except ValueError as error:
                    raise TemplateError(f"{spec.name}: {error}") from None

    def handle(self, request: Request) -> Response:
        """Handle a request. Never raises: an internal error is logged and returned as 500."""
        match = self._router.match(request.method, request.path)
        if match is None:
            return self._unrouted(request)
        function, route = match.target
        authorizer = self._authorizers.get(route.authorizer or "")
        return self._call(function, request, match.route_key, match.parameters, authorizer)

    def _call(
        self,
        function: Function,
        request: Request,
        route_key: str,
        parameters: Mapping[str, str],
        authorizer: Authorizer | None = None,
    ) -> Response:
        request_id = os.urandom(16).hex()
        event = to_event(request, route_key, parameters, request_id)
        with self._one_at_a_time:
            if authorizer is not None:
                refusal = authorizer.admit(event, request_id)
                if refusal is not None:
                    return in_envelope(request.path, refusal)
            try:
                return from_answer(function(event, request_id))
            except Exception:
                _log.exception("%s failed on %s", function.spec.name, route_key)
                failure = problem(500, "something went wrong inside; the log says what", "internal_error")
                return in_envelope(request.path, failure)

    def _unrouted(self, request: Request) -> Response:
        """The response where no route is named: the docs page, or what the template's function answers."""
        if request.path == docs.PATH:
            return _docs(request.method)
        if request.path in docs.LEADING and request.method in ("GET", "HEAD"):
            return docs.redirect(request.query)
        if self._rest is not None:
            return self._call(self._rest, request, _REST, {})
        missing = problem(404, f"there is no {request.method} {request.path}", "not_found")
        return in_envelope(request.path, missing)


def _docs(method: str) -> Response:
    match method:
        case "GET":
            return docs.page()
        case "HEAD":
            page = docs.page()
            return Response(page.status, page.headers)
        case "OPTIONS":
            return Response(204, [("allow", _DOCS)])
    refusal = problem(405, f"{docs.PATH} takes {_DOCS}, not {method}", "method_not_allowed")
    refusal.headers.append(("allow", _DOCS))
    return refusal
