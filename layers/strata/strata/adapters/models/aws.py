"""Bedrock's client, the mapping of its errors to ours, and keys from Secrets Manager."""

from collections.abc import Callable
from typing import Any, TypeVar

from strata.adapters.deadline import within
from strata.adapters.models.errors import Rejected, Slowed, Unanswered, Unusable
from strata.installation import adding

T = TypeVar("T")

SECRET_SECONDS = 3.0

_UNREADABLE = (AttributeError, KeyError, RecursionError, TypeError, ValueError)
"""Exceptions of botocore for a response that it cannot parse."""

_SLOWED = {"ThrottlingException", "TooManyRequestsException", "ServiceQuotaExceededException"}
_REJECTED = {"ValidationException", "RequestEntityTooLargeException"}
_PASSING = {
    "InternalServerException",
    "ServiceUnavailableException",
    "ModelNotReadyException",
    "ModelTimeoutException",
    "ModelErrorException",
}


def make_client(
    service: str,
    *,
    region: str | None = None,
    endpoint: str | None = None,
    seconds: float,
    connections: int = 10,
) -> Any:
    """Create a client without retries; credentials, and a default region, come from the usual AWS chain.

    Raises:
        Unusable: botocore is not installed, or no region is known.
    """
    try:
        from botocore.config import Config  # noqa: PLC0415 - half of a function's start
        from botocore.exceptions import BotoCoreError  # noqa: PLC0415
        from botocore.session import get_session  # noqa: PLC0415
    except ModuleNotFoundError:
        raise Unusable(f"boto3 is not installed; {adding('aws')} brings it") from None

    config = Config(
        connect_timeout=min(3.0, seconds),
        read_timeout=seconds,
        max_pool_connections=connections,
        retries={"total_max_attempts": 1},
        tcp_keepalive=True,
    )
    try:
        return get_session().create_client(service, region_name=region, endpoint_url=endpoint, config=config)
    except BotoCoreError as error:
        raise Unusable(f"{service} can't be used: {type(error).__name__}") from error


def called(send: Callable[[], T], seconds: float) -> T:
    """The result of `send`, within a time limit in seconds.

    Raises:
        Unanswered, Slowed, Unusable, Rejected: for botocore's errors.
    """
    from botocore.exceptions import (  # noqa: PLC0415
        BotoCoreError,
        ClientError,
        EndpointConnectionError,
        HTTPClientError,
    )
    from botocore.parsers import ResponseParserError  # noqa: PLC0415

    try:
        return within(seconds, send)
    except TimeoutError:
        raise Unanswered(f"AWS did not answer within {seconds:.3g} s", was_sent=True) from None
    except ClientError as error:
        raise _meant(error.response) from error
    except EndpointConnectionError as error:
        raise Unanswered("AWS can't be reached") from error
    except (HTTPClientError, ResponseParserError, *_UNREADABLE) as error:
        raise Unanswered("AWS did not answer in time, or not whole", was_sent=True) from error
    except BotoCoreError as error:
        raise Unusable(f"AWS can't be asked: {type(error).__name__}") from error


def _meant(response: Any) -> Exception:
    code = str(response.get("Error", {}).get("Code", ""))
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in _SLOWED or status == 429:
        return Slowed("AWS asks to slow down")
    if code in _REJECTED:
        return Rejected(f"AWS will not have the request ({code})")
    if code in _PASSING or status >= 500:
        return Unanswered(f"AWS fails with {code or status}")
    return Unusable(f"AWS refuses: {code or status}")


def secret(name: str, *, region: str | None = None, endpoint: str | None = None) -> Callable[[], str]:
    """A key from Secrets Manager, read at its first use and cached."""
    kept: list[str] = []

    def read() -> str:
        if not kept:
            client = make_client("secretsmanager", region=region, endpoint=endpoint, seconds=SECRET_SECONDS)
            try:
                answer = called(lambda: client.get_secret_value(SecretId=name), SECRET_SECONDS)
                kept.append(str(answer["SecretString"]).strip())
            except KeyError:
                raise Unusable("the secret of the model's key holds no text") from None
            except Rejected as error:
                raise Unusable("the secret of the model's key can't be read") from error
        return kept[0]

    return read
