"""Turns functions that make calls into typed, documented methods of both clients."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from strata.client.call import Call
from strata.client.exchange import Reply

S = TypeVar("S")
P = ParamSpec("P")
T = TypeVar("T")


class Sender(Protocol):
    """Sends a call and waits for its reply."""

    def send(self, call: Call[T]) -> Reply[T]:
        """The reply."""


class AsyncSender(Protocol):
    """Sends a call and awaits its reply."""

    async def send(self, call: Call[T]) -> Reply[T]:
        """The reply."""


class Method(Generic[S, P, T]):
    """A method that sends the call that a function makes, and returns the value of the reply.

    The function receives the object first, as a method does, unless it stands `alone`. The method is a
    coroutine where `send` is one. It has the function's docstring and signature, with the type of the value.
    """

    def __init__(
        self, make: Callable[Concatenate[S, P], Call[T]], alone: Callable[P, Call[T]] | None = None
    ) -> None:
        self._make = make
        self._alone = alone
        self._made: dict[type, Callable[..., Any]] = {}
        self.__doc__ = (alone or make).__doc__

    @overload
    def __get__(self, sender: Sender, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, sender: AsyncSender, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    @overload
    def __get__(self, sender: None, owner: type) -> Callable[..., Any]: ...
    def __get__(self, sender: Any, owner: type) -> Callable[..., Any]:
        if owner not in self._made:
            self._made[owner] = self._function(owner)
        return self._made[owner].__get__(sender, owner)  # type: ignore[no-any-return]

    def _function(self, owner: Any) -> Callable[..., Any]:
        make: Callable[..., Call[T]] = self._make

        def wait(sender: Sender, *args: Any, **kwargs: Any) -> T:
            return sender.send(make(sender, *args, **kwargs)).value

        async def await_(sender: AsyncSender, *args: Any, **kwargs: Any) -> T:
            return (await sender.send(make(sender, *args, **kwargs))).value

        described: Callable[..., Any] = self._alone or make
        function: Any = wraps(described)(await_ if inspect.iscoroutinefunction(owner.send) else wait)
        function.__qualname__ = f"{owner.__qualname__}.{described.__name__}"
        value = described.__annotations__["return"].removeprefix("Call[").removesuffix("]")
        function.__annotations__ = described.__annotations__ | {"return": value}
        signature = inspect.signature(described)
        given = list(signature.parameters.values())
        if self._alone:
            given.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY))
        function.__signature__ = signature.replace(parameters=given, return_annotation=value)
        return function  # type: ignore[no-any-return]


def method(make: Callable[P, Call[T]]) -> Method[Any, P, T]:
    """The method for a function that needs only the call's arguments."""

    def of_object(_object: Any, /, *args: P.args, **kwargs: P.kwargs) -> Call[T]:
        return make(*args, **kwargs)

    return Method(of_object, make)
