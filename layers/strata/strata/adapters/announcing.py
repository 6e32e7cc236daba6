"""The port `Announcer`: a log line, a webhook, or a bus of Amazon EventBridge."""

import json
import logging
from functools import cached_property
from typing import Any

from strata.domain.errors import Unavailable
from strata.domain.times import rfc3339
from strata.ports.announcements import Announcement

SOURCE = "strata"
_SECONDS = 5.0
_TRIES = 3

_log = logging.getLogger("strata.events")


def _told(announcement: Announcement) -> dict[str, Any]:
    about = {"id": announcement.id, "tenant": announcement.tenant, "at": rfc3339(announcement.at)}
    return about | dict(announcement.detail)


class LogAnnouncer:
    """Logs the name and the id of each event, and nothing about the person."""

    def announce(self, announcement: Announcement) -> None:
        """Log it."""
        _log.info("%s %s", announcement.name, announcement.id)


class WebhookAnnouncer(LogAnnouncer):
    """Posts each event as JSON, `{name, id, tenant, at}` and its details; an answer of 2xx takes it.

    Args:
        url: takes the events.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    def announce(self, announcement: Announcement) -> None:
        """Post it, three times at most."""
        import urllib3  # noqa: PLC0415 - only a sweep that found something sends

        body = json.dumps({"name": announcement.name} | _told(announcement))
        retries = urllib3.Retry(
            _TRIES - 1, redirect=0, status_forcelist=(429, 500, 502, 503, 504), allowed_methods=None
        )
        try:
            answer = urllib3.request(
                "POST",
                self._url,
                body=body,
                headers={"Content-Type": "application/json"},
                timeout=_SECONDS,
                retries=retries,
            )
        except urllib3.exceptions.HTTPError as error:
            raise Unavailable("the webhook does not answer") from error
        if answer.status // 100 != 2:
            raise Unavailable(f"the webhook answers {answer.status}")
        super().announce(announcement)


class BusAnnouncer(LogAnnouncer):
    """Puts each event on a bus, with the source `strata` and its name as the detail type.

    Args:
        bus: its name or ARN.
        client: EventBridge's; one of the usual AWS chain unless given.
    """

    def __init__(self, bus: str, *, client: Any = None) -> None:
        self._bus = bus
        self._given = client

    def announce(self, announcement: Announcement) -> None:
        """Put it on the bus."""
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - on AWS only

        entry = {
            "EventBusName": self._bus,
            "Source": SOURCE,
            "DetailType": announcement.name,
            "Detail": json.dumps(_told(announcement)),
        }
        try:
            answer = self._client.put_events(Entries=[entry])
        except (BotoCoreError, ClientError) as error:
            raise Unavailable("the event bus does not answer") from error
        if answer.get("FailedEntryCount"):
            raise Unavailable(f"the event bus refused an event: {answer['Entries'][0].get('ErrorCode')}")
        super().announce(announcement)

    @cached_property
    def _client(self) -> Any:
        import boto3  # noqa: PLC0415 - on AWS only
        from botocore.config import Config  # noqa: PLC0415

        settings = Config(connect_timeout=_SECONDS, read_timeout=_SECONDS, retries={"mode": "standard"})
        return self._given or boto3.client("events", config=settings)
