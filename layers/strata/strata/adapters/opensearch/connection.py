"""Requests to one engine: short timeouts, our errors, a circuit breaker."""

import json
import logging
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from strata.adapters.circuit import Circuit
from strata.adapters.deadline import within
from strata.adapters.opensearch.errors import (
    Missing,
    Rejected,
    UnusableEndpoint,
    blocked,
    refused_credentials,
)
from strata.domain.errors import Throttled, Unavailable

Auth = Callable[[], Any]
"""Creates opensearch-py's `http_auth` at the first request."""

_NDJSON = {"content-type": "application/x-ndjson"}


class Connection:
    """Requests to one engine.

    Args:
        url: `http` or `https`; a name and password in it are sent as basic authentication.
        auth: see `signed`; None for no further authentication.
        connect_timeout: seconds to wait for a socket.
        pause: seconds for which calls fail at once after one without a response.
    """

    def __init__(
        self, url: str, *, auth: Auth | None = None, connect_timeout: float = 0.5, pause: float = 3.0
    ) -> None:
        self.url = url
        self._auth = auth
        self._connect_timeout = connect_timeout
        self.circuit = Circuit(pause)
        self._transport: Any = None
        self._pid = os.getpid()

    def request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | str | None = None,
        *,
        params: Mapping[str, str] | None = None,
        timeout: float,
    ) -> Any:
        """The engine's response. A string body is sent as one JSON value a line.

        `timeout` is in seconds, for all of the response; a request on a connection that the server closed is
        retried once, as all requests are idempotent.

        Raises:
            Unavailable: no response, one that is not OpenSearch's, or a failure of the engine.
            Throttled: the engine throttles.
            Missing, Rejected, Blocked: see there.
        """
        self.circuit.admit()
        headers = _NDJSON if isinstance(body, str) else None
        sent = body if body is None or isinstance(body, str) else compact(body)
        answer = self._perform(method, path, params=params, body=sent, headers=headers, timeout=timeout)
        self.circuit.succeeded()
        if not isinstance(answer, dict):
            raise Unavailable("the search engine's answer is not one of OpenSearch's")
        return answer

    def close(self) -> None:
        """Close every connection."""
        if self._transport is not None and self._pid == os.getpid():
            self._transport.close()
        self._transport = None

    def _perform(self, method: str, path: str, *, timeout: float, **request: Any) -> Any:
        from opensearchpy import exceptions  # noqa: PLC0415 - a fifth of a second, for those that use it
        from urllib3 import Timeout  # noqa: PLC0415

        connect = min(self._connect_timeout, timeout)
        wait = Timeout(connect=connect, read=timeout)
        for attempt in (1, 2):
            perform = partial(self._open().perform_request, method, path, timeout=wait, **request)
            try:
                # the socket's timeout restarts with every byte, this one does not
                return within(connect + timeout, perform)
            except (exceptions.ConnectionTimeout, TimeoutError) as error:
                self.circuit.failed()
                raise Unavailable(f"the search engine did not answer within {timeout:g} s") from error
            except exceptions.SSLError as error:
                raise UnusableEndpoint(f"the search engine has no valid certificate: {error}") from error
            except exceptions.ConnectionError as error:
                if attempt == 1 and not isinstance(error.info, _connect_timeout()):
                    continue
                self.circuit.failed()
                raise Unavailable("the search engine cannot be reached") from error
            except exceptions.TransportError as error:
                raise self._translated(error) from error
            except (exceptions.SerializationError, UnicodeDecodeError) as error:
                raise Unavailable("the search engine's answer is not JSON") from error
        raise AssertionError  # the second attempt returns or raises

    def _translated(self, error: Any) -> Exception:
        status, info = error.status_code, error.info
        cause = info.get("error") if isinstance(info, dict) else None
        if status >= 500:
            self.circuit.failed()
            return Unavailable(f"the search engine fails with status {status}")
        self.circuit.succeeded()
        reason = cause.get("reason") if isinstance(cause, dict) else cause
        if block := blocked(status, str(error.error), str(reason)):
            return block
        if status == 404:
            return Missing(str(error.error))
        if status == 429:
            return Throttled("the search engine asks to slow down")
        if status in {401, 403}:
            return refused_credentials(status)
        return Rejected(str(error.error), str(reason or f"status {status}"))

    def _open(self) -> Any:
        """The transport of this process: a forked child must not use its parent's connections."""
        if self._transport is None or self._pid != os.getpid():
            from opensearchpy import OpenSearch  # noqa: PLC0415

            # It would log every failure with a stack trace; what matters of it is in our errors.
            logging.getLogger("opensearch").setLevel(logging.CRITICAL)
            auth = self._auth() if self._auth is not None else None
            client = OpenSearch(self.url, http_auth=auth, max_retries=0, pool_maxsize=16)
            self._transport, self._pid = client.transport, os.getpid()
        return self._transport


def signed(service: str, region: str | None = None) -> Auth:
    """AWS Signature Version 4 with the credentials of this process.

    `service` is `es` for a managed domain, `aoss` for a serverless collection.
    """

    def signer() -> Any:
        import boto3  # noqa: PLC0415 - only where requests are signed
        from opensearchpy import Urllib3AWSV4SignerAuth  # noqa: PLC0415

        session = boto3.Session()
        where = region or session.region_name
        credentials = session.get_credentials()
        if credentials is None or not where:
            raise UnusableEndpoint(
                "no AWS credentials or no region to sign the search engine's requests with"
            )
        return Urllib3AWSV4SignerAuth(credentials, where, service)

    return signer


def compact(value: Any) -> str:
    """JSON on one line, without whitespace."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _connect_timeout() -> type[Exception]:
    from urllib3.exceptions import ConnectTimeoutError  # noqa: PLC0415

    return ConnectTimeoutError
