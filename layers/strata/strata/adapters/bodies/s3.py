"""The port `Bodies` over a bucket of Amazon S3, or of anything that speaks its protocol.

Reads after writes and deletes are consistent ("Amazon S3 data consistency model", User Guide). All calls are
idempotent, so botocore's own retries suffice.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from strata.adapters.bodies.names import path_of
from strata.domain.errors import Throttled, Unavailable
from strata.domain.scope import Scope

_AT_ONCE = 8
_DELETED_AT_ONCE = 1000
_LISTED_AT_ONCE = 1000
_THROTTLING = {"SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded", "TooManyRequests"}
_MISSING = {"NoSuchKey", "404"}


class S3Bodies:
    """Bodies as objects, `{tenant}/{name}`. The bucket's own settings determine the encryption.

    Args:
        bucket: its name.
        client: makes a client at the first use; one of the usual AWS chain unless given.
    """

    def __init__(self, bucket: str, *, client: Callable[[], Any] | None = None) -> None:
        self._bucket = bucket
        self._make_client = client or make_client

    def put(self, scope: Scope, name: str, body: bytes) -> None:
        """Store a body."""
        key = path_of(scope, name)
        self._call(partial(self._client.put_object, Bucket=self._bucket, Key=key, Body=body))

    def get_many(self, scope: Scope, names: Sequence[str]) -> dict[str, bytes]:
        """The bodies of these names, fetched in parallel; absent ones are left out."""
        keys = [path_of(scope, name) for name in names]
        if len(keys) > 1:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - few calls need it

            with ThreadPoolExecutor(min(len(keys), _AT_ONCE)) as threads:
                bodies = list(threads.map(self._get, keys))
        else:
            bodies = [self._get(key) for key in keys]
        return {name: body for name, body in zip(names, bodies, strict=True) if body is not None}

    def list(self, scope: Scope, after: str | None, limit: int) -> list[tuple[str, int]]:
        """Names after `after`, each with the time at which it was stored, a thousand a call."""
        prefix = path_of(scope, "any").removesuffix("any")
        found: list[tuple[str, int]] = []
        while len(found) < limit:
            last = found[-1][0] if found else after
            arguments: dict[str, Any] = {"StartAfter": prefix + last} if last else {}
            arguments["MaxKeys"] = min(limit - len(found), _LISTED_AT_ONCE)
            answer = self._call(
                partial(self._client.list_objects_v2, Bucket=self._bucket, Prefix=prefix, **arguments)
            )
            page = answer.get("Contents", ())
            found += [
                (each["Key"].removeprefix(prefix), int(each["LastModified"].timestamp() * 1_000_000))
                for each in page
            ]
            if not answer.get("IsTruncated") or not page:
                break
        return found

    def delete_many(self, scope: Scope, names: Sequence[str]) -> None:
        """Erase bodies, a thousand a call; absent ones are ignored."""
        keys = [path_of(scope, name) for name in names]
        for start in range(0, len(keys), _DELETED_AT_ONCE):
            objects = [{"Key": key} for key in keys[start : start + _DELETED_AT_ONCE]]
            answer = self._call(
                partial(
                    self._client.delete_objects,
                    Bucket=self._bucket,
                    Delete={"Objects": objects, "Quiet": True},
                )
            )
            if answer.get("Errors"):
                raise Unavailable(f"the bucket kept a body: {answer['Errors'][0].get('Code')}")

    @cached_property
    def _client(self) -> Any:
        return self._make_client()

    def _get(self, key: str) -> bytes | None:
        def read() -> bytes:
            body: bytes = self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
            return body

        found: bytes | None = self._call(read)
        return found

    def _call(self, send: Callable[[], Any]) -> Any:
        """The result of `send`; None for an absent object."""
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - few calls need S3

        try:
            return send()
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", ""))
            if code in _MISSING:
                return None
            if code in _THROTTLING:
                raise Throttled("the bucket asks to slow down") from error
            raise Unavailable(f"the bucket refuses: {code}") from error
        except BotoCoreError as error:
            raise Unavailable("the bucket does not answer") from error


def make_client(*, endpoint: str | None = None, region: str | None = None) -> Any:
    """A client of S3; credentials, and the region unless given, come from the usual AWS chain.

    Args:
        endpoint: the URL of a store that speaks S3's protocol; AWS's own when None.
    """
    from botocore.config import Config  # noqa: PLC0415 - only rows with bodies need S3
    from botocore.session import get_session  # noqa: PLC0415

    config = Config(
        connect_timeout=1.0,
        read_timeout=5.0,
        max_pool_connections=_AT_ONCE,
        retries={"mode": "standard", "total_max_attempts": 3},
        s3=None if endpoint is None else {"addressing_style": "path"},
    )
    return get_session().create_client("s3", endpoint_url=endpoint, region_name=region, config=config)
