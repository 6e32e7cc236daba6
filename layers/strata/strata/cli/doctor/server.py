"""Checks of the server: the one of this machine, or the one that was named."""

import httpx

from strata.cli.doctor.finding import Finding, State
from strata.client.client import Client
from strata.client.errors import StrataClientError
from strata.client.retries import RetryPolicy
from strata.settings import Settings
