"""Opens an index as the settings describe it."""

from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from strata.adapters.opensearch.connection import Connection, signed
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.errors import UnusableEndpoint
from strata.adapters.opensearch.search_index import Model, OpenSearchIndex
from strata.installation import adding


def open_index(
    model: Model,
    *,
    url: str,
    service: str,
    alias: str,
    timeout: float,
    write_timeout: float,
    pause: float,
    region: str | None = None,
    **told: Any,
) -> OpenSearchIndex:
    """The index of a self-hosted server (`service` none), a managed domain (es) or a serverless collection
    (aoss). `told` overrides attributes of its `Dialect`. Nothing is sent over the network yet.

    Raises:
        TypeError: the dialect has no such attribute.
        UnusableEndpoint: the client is not installed.
    """
    if find_spec("opensearchpy") is None:
        raise UnusableEndpoint(f"opensearch-py is not installed; {adding('aws')} brings it")
    dialect = Dialect.nextgen() if service == "aoss" else Dialect(replicas=0 if service == "none" else 1)
    auth = None if service == "none" else signed(service, region)
    return OpenSearchIndex(
        Connection(url, auth=auth, pause=pause),
        model,
        dialect=replace(dialect, **told),
        alias=alias,
        search_seconds=timeout,
        write_seconds=write_timeout,
    )
