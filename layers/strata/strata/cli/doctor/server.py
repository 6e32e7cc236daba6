"""Checks of the server: this machine's, or the one at a URL."""

import httpx

from strata.cli.doctor.finding import Finding, State
from strata.client.client import Client
from strata.client.errors import StrataClientError
from strata.client.retries import RetryPolicy
from strata.settings import Settings

_SECONDS = 3.0


def port(settings: Settings) -> Finding:
    """Check that the port is free, or that Strata responds there."""
    chosen = settings.server
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(chosen.host, chosen.host)  # noqa: S104
    address = f"http://{f'[{host}]' if ':' in host else host}:{chosen.port}"
    try:
        with Client(address, timeout=_SECONDS, retry=RetryPolicy(retries=0)) as client:
            health = client.health()
    except StrataClientError as error:
        if isinstance(error.__cause__, httpx.ConnectError):
            return Finding(State.OK, "port", f"{chosen.port} is free; strata serve starts the server")
        if error.code == "unauthenticated":
            return Finding(State.OK, "port", f"a Strata that asks for a key answers at {address}")
        if error.code == "timeout":
            found = f"what listens at {address} does not answer within {_SECONDS:g} s"
            return Finding(State.WARN, "port", found, "Look at its log, and at what it depends on.")
        advice = "Stop that program, or choose another port with STRATA_PORT."
        return Finding(State.FAIL, "port", f"something that is not Strata answers at {address}", advice)
    if health.status != "ok":
        return Finding(
            State.WARN, "port", f"a {health.status} Strata answers at {address}", "Look at its log."
        )
    return Finding(State.OK, "port", f"a healthy Strata answers at {address}")


def server(url: str) -> Finding:
    """Check that the server at the URL is healthy, and takes the key."""
    try:
        with Client(url, timeout=10.0) as client:
            health = client.health()
            refusal = _refusal(client)
    except StrataClientError as error:
        return Finding(State.FAIL, "server", error.message, "Check STRATA_URL, and that the server runs.")
    if health.status != "ok":
        ill = ", ".join(name for name, service in health.services.items() if service.status != "ok")
        return Finding(State.WARN, "server", f"{url} is {health.status} ({ill})", "Look at its log.")
    if refusal:
        return Finding(State.FAIL, "server", f"{url} is healthy, but {refusal}", "Check STRATA_API_KEY.")
    return Finding(State.OK, "server", f"{url} is healthy")


def _refusal(client: Client) -> str:
    """Why the server lets nobody in with this key, or without one; empty if it does."""
    try:
        client.stats()
    except StrataClientError as error:
        return error.message if error.status in {401, 403} else ""
    return ""
