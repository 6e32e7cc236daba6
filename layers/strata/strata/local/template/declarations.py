"""The declarations of `template.yaml` that one machine can run: functions and their event sources.

The template is the map of the whole application; the same file is deployed with AWS SAM. Its language is
described in the SAM specification (AWS::Serverless::Function, AWS::Serverless::HttpApi).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from strata.local.template import cloudformation
from strata.local.template.cloudformation import TemplateError
from strata.local.template.event_sources import (
    QueueSource,
    QueueSpec,
    Schedule,
    queue_source,
    queues_of,
    schedule,
)

DEFAULT_BATCH_SIZE = 100
"""Of a DynamoDB stream, when the template gives none."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the HTTP API: `method` may be ANY, `path` holds `{name}` and, at its end, `{name+}`."""

    method: str
    path: str
    authorizer: str | None = None
    """The name of the authorizer that protects it; None for a public route."""


@dataclass(frozen=True, slots=True)
class StreamSource:
    """A table's stream; a record goes to the function when any pattern matches, or when there is none."""

    table: str
    batch_size: int = DEFAULT_BATCH_SIZE
    patterns: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """One Lambda function. `name` is its logical id, `handler` names `module.function` inside `code_dir`."""

    name: str
    code_dir: Path
    handler: str
    timeout: int = 3
    memory: int = 128
    routes: tuple[Route, ...] = ()
    takes_rest: bool = False
    """Whether it gets the requests that no route takes (`$default`)."""
    streams: tuple[StreamSource, ...] = ()
    queues: tuple[QueueSource, ...] = ()
    schedules: tuple[Schedule, ...] = ()
    environment: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuthorizerSpec:
    """A Lambda authorizer of the HTTP API (payload 2.0, simple responses), cached for `ttl` seconds.

    A request that lacks one of `headers` is refused without asking it. Without any it is asked every time.
    """

    function: str
    headers: tuple[str, ...] = ("authorization",)
    ttl: int = 60


@dataclass(frozen=True, slots=True)
class Template:
    """The functions and queues of a template by logical id, and its API's authorizers by name."""

    path: Path
    functions: Mapping[str, FunctionSpec]
    authorizers: Mapping[str, AuthorizerSpec] = field(default_factory=dict)
    queues: Mapping[str, QueueSpec] = field(default_factory=dict)


def find() -> Path:
    """Find this installation's template: the checkout's, or the copy in the wheel.

    Raises:
        TemplateError: there is neither.
    """
    package = Path(__file__).resolve().parents[2]
    # In a checkout the package is layers/strata/strata; a wheel carries template and functions in _app.
    places = (package / "_app" / "template.yaml", package.parents[2] / "template.yaml")
    for place in places:
        if place.is_file():
            return place
    raise TemplateError(
        "template.yaml is not part of this installation; looked for " + " and ".join(map(str, places))
    )


def load(path: Path | None = None, parameters: Mapping[str, object] | None = None) -> Template:
    """Read a template, by default this installation's; `parameters` override defaults.

    Unknown parameters are ignored.

    Raises:
        TemplateError: it cannot be read, or cannot run here (an unknown kind of event).
    """
    path = find() if path is None else path
    document = cloudformation.read(path)
    declared = document.get("Parameters", {})
    given = {name: value for name, value in (parameters or {}).items() if name in declared}
    resolved = cloudformation.Resolver(document, given).resolve(document)
    resources = resolved["Resources"]
    queues = queues_of(resources)
    authorizers, default = _authorizers(resources)
    global_function = resolved.get("Globals", {}).get("Function", {})
    functions = {
        name: _function(
            name,
            global_function,
            resource.get("Properties", {}),
            path.parent,
            default_auth=default,
            declared=queues,
        )
        for name, resource in resources.items()
        if resource.get("Type") == "AWS::Serverless::Function"
    }
    for authorizer in authorizers.values():
        if authorizer.function not in functions:
            raise TemplateError(f"the authorizer's function {authorizer.function} is not declared")
    for each in functions.values():
        for route in each.routes:
            if route.authorizer is not None and route.authorizer not in authorizers:
                raise TemplateError(f"{each.name}: the authorizer {route.authorizer} is not declared")
    return Template(path, functions, authorizers, queues)


def _function(
    name: str,
    shared: dict[str, Any],
    own: dict[str, Any],
    root: Path,
    *,
    default_auth: str | None,
    declared: Mapping[str, QueueSpec],
) -> FunctionSpec:
    merged = shared | own
    code, handler = merged.get("CodeUri"), merged.get("Handler")
    if not isinstance(code, str) or not isinstance(handler, str):
        raise TemplateError(f"{name}: CodeUri and Handler must be plain text")
    routes: list[Route] = []
    takes_rest = False
    streams: list[StreamSource] = []
    queues: list[QueueSource | None] = []
    schedules: list[Schedule | None] = []
    timeout = int(merged.get("Timeout", 3))
    for event_name, event in merged.get("Events", {}).items():
        where, properties = f"{name}.{event_name}", event.get("Properties", {})
        match event.get("Type"):
            case "HttpApi" if "Path" not in properties and "Method" not in properties:
                if properties.get("Auth", {}).get("Authorizer", default_auth) not in ("NONE", None):
                    raise TemplateError(
                        f"{where}: what no route takes is answered without an authorizer here"
                    )
                takes_rest = True
            case "HttpApi":
                routes.append(_route(where, properties, default_auth))
            case "DynamoDB":
                streams.append(_stream(where, properties))
            case "SQS":
                queues.append(queue_source(where, properties, declared, timeout))
            case "Schedule" | "ScheduleV2" as kind:
                schedules.append(schedule(where, kind, properties))
            case unknown:
                raise TemplateError(f"{where}: events of type {unknown} cannot run on one machine")
    environment = {**_variables(shared), **_variables(own)}
    return FunctionSpec(
        name=name,
        code_dir=root / code,
        handler=handler,
        timeout=timeout,
        memory=int(merged.get("MemorySize", 128)),
        routes=tuple(routes),
        takes_rest=takes_rest,
        streams=tuple(streams),
        queues=tuple(filter(None, queues)),
        schedules=tuple(filter(None, schedules)),
        environment=environment,
    )


def _variables(function: dict[str, Any]) -> dict[str, Any]:
    return dict(function.get("Environment", {}).get("Variables", {}))


def _route(where: str, properties: dict[str, Any], default_auth: str | None) -> Route:
    method, path = properties.get("Method"), properties.get("Path")
    if not isinstance(method, str) or not isinstance(path, str) or not path.startswith("/"):
        raise TemplateError(f"{where}: an HttpApi event needs a Method and a Path that begins with /")
    authorizer = properties.get("Auth", {}).get("Authorizer", default_auth)
    return Route(method.upper(), path, None if authorizer == "NONE" else authorizer)


def _stream(where: str, properties: dict[str, Any]) -> StreamSource:
    match properties.get("Stream"):
        case {"Fn::GetAtt": [str(table), "StreamArn"]}:
            pass
        case _:
            raise TemplateError(f"{where}: Stream must be !GetAtt <table>.StreamArn")
    return StreamSource(
        table, int(properties.get("BatchSize", DEFAULT_BATCH_SIZE)), tuple(_patterns(where, properties))
    )


def _patterns(where: str, properties: dict[str, Any]) -> Iterator[Mapping[str, Any]]:
    for entry in properties.get("FilterCriteria", {}).get("Filters", []):
        try:
            pattern = json.loads(entry["Pattern"])
        except (KeyError, TypeError, ValueError) as error:
            raise TemplateError(f"{where}: a filter's Pattern must be JSON text: {entry}") from error
        if not isinstance(pattern, dict):
            raise TemplateError(f"{where}: a filter's Pattern must be a JSON object: {entry}")
        yield pattern


def _authorizers(resources: dict[str, Any]) -> tuple[dict[str, AuthorizerSpec], str | None]:
    """The API's Lambda authorizers by name, and the name of the routes' default."""
    found: dict[str, AuthorizerSpec] = {}
    default = None
    for resource in resources.values():
        if resource.get("Type") != "AWS::Serverless::HttpApi":
            continue
        auth = resource.get("Properties", {}).get("Auth", {})
        default = auth.get("DefaultAuthorizer", default)
        for name, spec in auth.get("Authorizers", {}).items():
            match spec.get("FunctionArn"):
                case {"Fn::GetAtt": [str(function), "Arn"]}:
                    pass
                case {"Ref": str(alias)} if alias.endswith(".Alias"):
                    function = alias.removesuffix(".Alias")
                case _:
                    raise TemplateError(f"authorizer {name}: FunctionArn must be !Ref <function>.Alias")
            identity = spec.get("Identity", {})
            headers = tuple(header.lower() for header in identity.get("Headers", []))
            ttl = min(int(identity.get("ReauthorizeEvery", 60)), 60) if headers else 0
            found[name] = AuthorizerSpec(function, headers, ttl)
    return found, default
