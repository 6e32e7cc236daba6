"""Loads the code of Lambda functions into this process and calls it as the Lambda runtime does."""

import importlib.util
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from strata.local.template.cloudformation import TemplateError
from strata.local.template.declarations import FunctionSpec

Handler = Callable[[dict[str, Any], "LambdaContext"], Any]


@dataclass(slots=True)
class LambdaContext:
    """The context argument of a handler."""

    function_name: str
    aws_request_id: str
    timeout: int = 3
    memory_limit_in_mb: int = 128
    function_version: str = "$LATEST"
    invoked_function_arn: str = ""
    log_group_name: str = ""
    log_stream_name: str = "local"
    failures: dict[str, str] = field(default_factory=dict)
    """Reasons of failed messages, by message; Lambda's own context has no such field."""
    _started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.invoked_function_arn = f"arn:aws:lambda:local:000000000000:function:{self.function_name}"
        self.log_group_name = f"/aws/lambda/{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until a deployed function would be stopped; here nothing stops it."""
        return max(0, int((self._started + self.timeout - time.monotonic()) * 1000))


class Function:
    """A function of the template; its code is loaded at its first call or by `load`."""

    def __init__(self, spec: FunctionSpec) -> None:
        self.spec = spec
        self._handler: Handler | None = None

    def load(self) -> Handler:
        """Load the code, once, and return its handler.

        Raises:
            TemplateError: the code is missing, or does not define the handler. Exceptions of its import are
                not caught.
        """
        if self._handler is None:
            self._handler = _import(self.spec)
        return self._handler

    def __call__(self, event: dict[str, Any], request_id: str, failures: dict[str, str] | None = None) -> Any:
        """Call the handler, which may add reasons to `failures`; its exceptions are not caught."""
        spec = self.spec
        handler = self._handler or self.load()
        context = LambdaContext(spec.name, request_id, spec.timeout, spec.memory)
        if failures is not None:
            context.failures = failures
        return handler(event, context)


def _import(spec: FunctionSpec) -> Handler:
    module_name, _, attribute = spec.handler.rpartition(".")
    path = spec.code_dir / f"{module_name}.py"
    # Every function's module is called `app`; each gets a name of its own here.
    unique = f"strata_functions.{spec.name}"
    location = importlib.util.spec_from_file_location(unique, path)
    if not path.is_file() or location is None or location.loader is None:
        raise TemplateError(f"{spec.name}: {path} does not exist")
    module = importlib.util.module_from_spec(location)
    sys.modules[unique] = module  # pydantic and pickle look a class's module up by its name
    location.loader.exec_module(module)
    handler = getattr(module, attribute, None)
    if not callable(handler):
        raise TemplateError(f"{spec.name}: {path} has no {attribute}")
    return handler  # type: ignore[no-any-return]
