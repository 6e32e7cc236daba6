"""A client's connections, which no two processes may share."""

import os
from collections.abc import Callable
from typing import Generic, TypeVar

import httpx

H = TypeVar("H", httpx.Client, httpx.AsyncClient)


class Pool(Generic[H]):
    """The connections of one client, made by `make`.

    A forked process gets new ones: on a connection that it shares with its parent each would read the other's
    answers. Those it was given are dropped without `close`: a thread that stayed behind may hold their lock.
    """

    def __init__(self, make: Callable[[], H]) -> None:
        self._make: Callable[[], H] = make
        self._http: H = make()
        self._process = os.getpid()

    @property
    def http(self) -> H:
        """What requests of this process are sent by."""
        if self._process != os.getpid():
            if not self._http.is_closed:
                self._http = self._make()
            self._process = os.getpid()
        return self._http
