"""Asks the server for the context that a hook answers with.

Plain HTTP is spoken here: importing a library takes longer than all else that a hook does.
"""

from __future__ import annotations

import os
import re
import socket


def fetch(url: str | None, asked: dict[str, str], limit: float) -> str:
    """The context as text, within so many seconds for a connection and for each read.

    Raises:
        OSError: the server can't be reached.
        ValueError: its answer is not a context.
    """
    address = (url or os.environ.get("STRATA_URL") or "http://127.0.0.1:7437").strip().rstrip("/")
    plain = re.fullmatch(r"http://([\w.-]+)(?::(\d+))?(/[^?#\s]*)?", address, re.ASCII)
    query = "&".join(f"{name}={''.join(map(_quoted, value.encode()))}" for name, value in asked.items())
    if plain:
        status, text = _plainly(plain[1], int(plain[2] or 80), plain[3] or "", query, limit)
    else:
        status, text = _by_library(address, query, limit)
    if status != 200:
        raise ValueError(f"the server answered {status}")
    return text.decode()


def _plainly(host: str, port: int, path: str, query: str, limit: float) -> tuple[int, bytes]:
    key = os.environ.get("STRATA_API_KEY", "").strip()
    lines = [f"GET {path}/context?{query} HTTP/1.0", f"Host: {host}", "Accept: text/plain"]
    lines += [f"Authorization: Bearer {key}"] if key else []
    place = host.encode(), port  # bytes: text would import the rules for names of hosts
    with socket.create_connection(place, limit) as connection:  # type: ignore[arg-type]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        with connection.makefile("rb") as answered:
            head, _, text = answered.read().partition(b"\r\n\r\n")
    return int(head.split(None, 2)[1]), text


def _by_library(address: str, query: str, limit: float) -> tuple[int, bytes]:
    from http.client import HTTPConnection, HTTPSConnection
    from urllib.parse import urlsplit

    from strata.client.config import endpoint

    server = endpoint(address)
    place = urlsplit(server.url)
    kind = HTTPSConnection if place.scheme == "https" else HTTPConnection
    connection = kind(str(place.hostname), place.port, timeout=limit)
    headers = {"Accept": "text/plain"} | ({"Authorization": f"Bearer {server.key}"} if server.key else {})
    connection.request("GET", f"{place.path}/context?{query}", headers=headers)
    response = connection.getresponse()
    return response.status, response.read()


def _quoted(byte: int) -> str:
    return chr(byte) if byte < 128 and chr(byte).isalnum() else f"%{byte:02X}"
