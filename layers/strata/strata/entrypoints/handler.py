"""A Lambda handler: an event and its context in, an answer out."""

from collections.abc import Callable, Mapping
from typing import Any

Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]
