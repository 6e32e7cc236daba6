"""The low-level client of DynamoDB, with short timeouts and without its own retries."""

from typing import Any


def make_client(
    service: str = "dynamodb",
    *,
    endpoint: str | None = None,
    region: str | None = None,
    connect_timeout: float = 1.0,
    read_timeout: float = 5.0,
    connections: int = 50,
) -> Any:
    """Create a client; credentials, and the region unless given, come from the usual AWS chain.

    Args:
        service: `dynamodb`, or `dynamodbstreams` for its streams.
        endpoint: the URL of a store that speaks DynamoDB's protocol; AWS's own when None.
        connect_timeout: seconds.
        read_timeout: seconds without an answer.
        connections: maximum of open connections.
    """
    from botocore.config import Config  # noqa: PLC0415 - half of a function's start
    from botocore.session import get_session  # noqa: PLC0415

    config = Config(
        connect_timeout=connect_timeout,
        read_timeout=read_timeout,
        max_pool_connections=connections,
        retries={"total_max_attempts": 1},  # `patience` knows what may be repeated
        tcp_keepalive=True,
        parameter_validation=False,  # a tenth of a call's processor time; DynamoDB checks them anyway
    )
    return get_session().create_client(service, endpoint_url=endpoint, region_name=region, config=config)
