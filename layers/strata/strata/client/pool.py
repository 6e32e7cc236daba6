"""A client's connections, never shared between processes."""

import os
from collections.abc import Callable
from typing import Generic, TypeVar

import httpx

H = TypeVar("H", httpx.Client, httpx.AsyncClient)


class Pool(Generic[H]):
    """The connections of one client, made by `make`.

    A forked process gets new ones: on a shared connection parent and child would read each other's responses.
    Inherited ones are dropped without `close`, because a thread of the parent may hold their lock.
    """

    def __init__(self, make: Callable[[], H]) -> None:
        self._make: Callable[[], H] = make
        self._http: H = make()
        self._process = os.getpid()

    @property
    def http(self) -> H:
        """The httpx client of this process."""
        if self._process != os.getpid():
            if not self._http.is_closed:
                self._http = self._make()
            self._process = os.getpid()
        return self._http
