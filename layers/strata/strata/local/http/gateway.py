"""The template's HTTP API on one machine: calls the function of a route."""

import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import replace

from strata.local.http import docs
from strata.local.http.authorization import Authorizer
from strata.local.http.messages import Request, Response, from_answer, in_envelope, problem, to_event
from strata.local.http.routing import Router
from strata.local.template.cloudformation import TemplateError
from strata.local.template.declarations import Route, Template
from strata.local.template.functions import Function

_log = logging.getLogger(__name__)

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


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
        for spec in template.functions.values():
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
        request_id = os.urandom(16).hex()
        event = to_event(request, match.route_key, match.parameters, request_id)
        with self._one_at_a_time:
            authorizer = self._authorizers.get(route.authorizer or "")
            if authorizer is not None:
                refusal = authorizer.admit(event, request_id)
                if refusal is not None:
                    return in_envelope(request.path, refusal)
            try:
                return from_answer(function(event, request_id))
            except Exception:
                _log.exception("%s failed on %s", function.spec.name, match.route_key)
                failure = problem(500, "something went wrong inside; the log says what", "internal_error")
                return in_envelope(request.path, failure)

    def _unrouted(self, request: Request) -> Response:
        """The response where no route is named: the docs page, of HEAD and OPTIONS, a 405 or a 404."""
        if request.path == docs.PATH and request.method == "GET":
            return docs.page()
        methods = [method for method in _METHODS if self._router.match(method, request.path)]
        methods = methods or (["GET"] if request.path == docs.PATH else [])
        if not methods:
            missing = problem(404, f"there is no {request.method} {request.path}", "not_found")
            return in_envelope(request.path, missing)
        if request.method == "HEAD" and "GET" in methods:
            response = self.handle(replace(request, method="GET"))
            return Response(response.status, response.headers)
        allowed = ", ".join([*methods, *(["HEAD"] if "GET" in methods else []), "OPTIONS"])
        if request.method == "OPTIONS":
            return Response(204, [("allow", allowed)])
        refusal = problem(405, f"{request.path} takes {allowed}, not {request.method}", "method_not_allowed")
        refusal.headers.append(("allow", allowed))
        return in_envelope(request.path, refusal)
